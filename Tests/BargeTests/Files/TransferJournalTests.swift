import Foundation
import Testing

@testable import Barge
@testable import BargeProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("The list of unfinished transfers")
struct TransferJournalTests {
    let folder: TemporaryFolder
    let journal: TransferJournal

    init() throws {
        folder = try TemporaryFolder()
        journal = try TransferJournal(StateDirectory(path: folder.path))
    }

    private var push: UnfinishedTransfer {
        UnfinishedTransfer(
            verb: .push, device: "küche 1\n", deviceSerial: "A%1", localPath: "/home/u/ä b",
            remote: .file("log 1"),
            options: [.init(key: "security", value: ""), .init(key: "psm", value: "128")],
            digest: try? UploadSource(bytes: [1], name: "").digest(), length: 1 << 40,
            startedAtSeconds: 1_700_000_000, durableBytes: 4096)
    }

    private var flash: UnfinishedTransfer {
        UnfinishedTransfer(
            verb: .flash, device: "sim:demo", localPath: "/fw.bin", remote: .image(0),
            startedAtSeconds: 1_600_000_000)
    }

    private func names() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder("transfers"))) ?? [])
            .sorted()
    }

    @Test("What was recorded is listed, oldest first, with everything it said")
    func lists() throws {
        #expect(try journal.list() == .init())
        _ = try journal.record(push)
        _ = try journal.record(flash)
        let listing = try journal.list()
        #expect(listing.entries.map(\.transfer) == [flash, push])
        #expect(listing.warnings == [])
        #expect(names().count == 2)
    }

    @Test("A process that did not record a transfer can take it off, whatever else it knows of it")
    func removesOthers() throws {
        _ = try journal.record(push)
        _ = try journal.record(flash)
        var same = push
        same.length = nil
        same.digest = nil
        same.options = []
        same.startedAtSeconds += 1000
        try journal.remove(same)
        #expect(try journal.list().entries.map(\.transfer) == [flash])
        try journal.remove(same)
    }

    @Test("The format of version 1 stays readable")
    func format() throws {
        let text = """
            barge-transfer 1
            verb push
            device k%C3%BCche%201%0A
            serial A%251
            path /home/u/%C3%A4%20b
            file log%201
            sha256 4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a
            length 1099511627776
            started 1700000000
            durable 4096
            option security
            """
        let body = "\(text)\nvalue \noption psm\nvalue 128\n"
        let check = CRC32.value(of: Array(body.utf8).span.bytes)
        let bytes = Array("\(body)crc \(Hexadecimal.text(check))\n".utf8)
        #expect(try UnfinishedTransfer(bytes) == push)
        #expect(push.encoded() == bytes)
    }

    @Test("Progress is noted, and the end takes the entry away")
    func updates() throws {
        var entry = try journal.record(flash)
        try journal.update(&entry, durableBytes: 8192)
        try journal.update(&entry, deviceSerial: "S")
        let listed = try #require(try journal.list().entries.first)
        #expect(listed.transfer.durableBytes == 8192)
        #expect(listed.transfer.deviceSerial == "S")
        #expect(listed == entry)
        try journal.remove(listed)
        try journal.remove(listed)
        #expect(try journal.list() == .init())
        #expect(names() == [])
    }

    @Test("The same transfer begun again takes the place of its entry; another one does not")
    func replaces() throws {
        _ = try journal.record(push)
        var again = push
        again.startedAtSeconds += 1
        again.options = []
        _ = try journal.record(again)
        #expect(try journal.list().entries.map(\.transfer) == [again])
        for change: (inout UnfinishedTransfer) -> Void in [
            { $0.verb = .pull }, { $0.device = "x" }, { $0.localPath = "/x" },
            { $0.remote = .file("x") }, { $0.remote = .image(1) },
        ] {
            var other = again
            change(&other)
            _ = try journal.record(other)
        }
        #expect(try journal.list().entries.count == 6)
    }

    @Test("Only its owner can read an entry")
    func modes() throws {
        _ = try journal.record(push)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder("transfers/\(names()[0])"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("An entry that is torn at any byte, or altered at any byte, is no entry")
    func damagedEntries() {
        let whole = push.encoded()
        for count in 0..<whole.count {
            #expect(throws: SealedText.Fault.corrupt) {
                try UnfinishedTransfer(Array(whole[..<count]))
            }
        }
        for index in whole.indices {
            for flip: UInt8 in [1 << (index % 8), 0x20, 0xFF] {
                var bytes = whole
                bytes[index] ^= flip
                #expect(throws: SealedText.Fault.corrupt) { try UnfinishedTransfer(bytes) }
            }
        }
    }

    @Test(
        "An entry with the right check and the wrong lines is no entry",
        arguments: [
            "verb erase", "verb push\ndevice d\npath /p", "device d\nverb push",
            "verb push\ndevice d\npath /p\nfile f\nstarted 01\ndurable 0",
            "verb push\ndevice d\npath /p\nfile f\nstarted 1\ndurable +1",
            "verb push\ndevice d\npath /p\nimage 256\nstarted 1\ndurable 0",
            "verb push\ndevice d\npath /p\nfile %zz\nstarted 1\ndurable 0",
            "verb push\ndevice d\npath /p\nfile %FF\nstarted 1\ndurable 0",
            "verb push\ndevice d\npath /p\nfile %41\nstarted 1\ndurable 0",
            "verb push\ndevice d\npath /p\nfile f\nsha256 00\nstarted 1\ndurable 0",
            "verb push\ndevice d\npath /p\nfile f\nstarted 1\ndurable 0\noption x",
            "verb push\ndevice d\npath /p\nfile f\nstarted 1\ndurable 0\nmore x",
            "verb push\n\ndevice d\npath /p\nfile f\nstarted 1\ndurable 0",
        ])
    func wrongLines(_ lines: String) {
        let body = "barge-transfer 1\n\(lines)\n"
        let check = CRC32.value(of: Array(body.utf8).span.bytes)
        #expect(throws: SealedText.Fault.corrupt) {
            try UnfinishedTransfer(Array("\(body)crc \(Hexadecimal.text(check))\n".utf8))
        }
    }

    @Test("What is damaged, newer, misnamed or no file is reported and left alone")
    func warnings() throws {
        let good = try journal.record(push)
        let newer = SealedText([]).encoded(kind: "barge-transfer", version: 7)
        try folder.write("transfers/a.transfer", newer)
        try folder.write("transfers/b.transfer", [1, 2, 3])
        try folder.write("transfers/c.transfer", push.encoded())
        try folder.link("transfers/d.transfer", to: "/etc/hostname")
        try folder.write("transfers/e.transfer", pattern(SealedText.longestBytes + 1))
        #expect(mkfifo(folder("transfers/f.transfer"), 0o600) == 0)
        try folder.write("transfers/g.12.tmp", [1])
        let before = names()
        let listing = try journal.list()
        #expect(listing.entries == [good])
        #expect(listing.warnings.count == 6)
        #expect(listing.warnings[0].sentence.contains("newer version of barge (format 7)"))
        #expect(listing.warnings[1].sentence.contains("is damaged and was skipped"))
        #expect(names() == before)
    }

    @Test("An entry that is too long to be read again is not written")
    func bounds() throws {
        var transfer = flash
        transfer.options = Array(repeating: .init(key: "k", value: "v"), count: 64)
        _ = try journal.record(transfer)
        #expect(try journal.list().entries.map(\.transfer) == [transfer])
        transfer.options.append(.init(key: "k", value: "v"))
        #expect(localFileError { _ = try journal.record(transfer) }?.kind == .badName)
        transfer.options = [.init(key: "k", value: String(repeating: "v", count: 65536))]
        #expect(localFileError { _ = try journal.record(transfer) }?.kind == .badName)
    }

    #if DEBUG
        @Test(
            "A step of writing that fails leaves the entry as it was",
            arguments: [SystemCall.open, .write, .synchronize, .rename])
        func failedWrites(_ call: SystemCall) throws {
            var entry = try journal.record(push)
            let before = names()
            for number in [ENOSPC, EDQUOT, EROFS, EIO] {
                let script = FaultScript([.init(call: call, number: number, failures: 1)])
                let error = FaultScript.$current.withValue(script) {
                    localFileError { try journal.update(&entry, durableBytes: 1 << 20) }
                }
                #expect(error.map { BargeError($0).kind } == .localFile)
                #expect(try journal.list().entries.map(\.transfer) == [push])
                #expect(names() == before)
            }
        }
    #endif
}
