import Bluetooth
import Foundation
import Testing

@testable import Barge
@testable import BargeProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("Known devices on a disk that lies")
struct KnownDevicesDamageTests {
    let folder: TemporaryFolder
    let known: KnownDevices

    init() throws {
        folder = try TemporaryFolder()
        known = try KnownDevices(StateDirectory(path: folder.path))
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder("devices"))) ?? [])
            .filter { $0 != "lock" }.sorted()
    }

    @discardableResult
    private func meet(_ serial: String) throws -> KnownDevices.Change {
        let change = try known.remember(
            serial: serial, model: "m", name: nil, peer: PeerID("P\(serial)"), now: 1)
        return try #require(change)
    }

    private func file(_ serial: String) -> String {
        "devices/" + KnownDevice.recordName(serial: serial)
    }

    private func sealed(_ body: String) -> [UInt8] {
        let check = CRC32.value(of: Array(body.utf8).span.bytes)
        return Array("\(body)crc \(Hexadecimal.text(check))\n".utf8)
    }

    @Test("The format of version 1 stays readable")
    func format() throws {
        let device = KnownDevice(
            serial: "A%1", model: "küche 1\n", peers: [PeerID("C0:FF:EE:00:12:34"), PeerID("x")],
            name: "", alias: try DeviceAlias("my bench"), lastSeenSeconds: 1_700_000_000)
        let bytes = sealed(
            """
            barge-device 1
            serial A%251
            model k%C3%BCche%201%0A
            name \("")
            alias my%20bench
            peer C0:FF:EE:00:12:34
            peer x
            seen 1700000000

            """)
        #expect(try KnownDevice(bytes) == device)
        #expect(device.encoded() == bytes)
    }

    @Test("A damaged file is kept aside and said once; the other devices are not harmed")
    func damaged() throws {
        try meet("S1")
        try meet("S2")
        var bytes = try #require(folder.read(file("S1")))
        bytes[20] ^= 1
        try folder.write(file("S1"), bytes)
        let listing = try known.list()
        #expect(listing.devices.map(\.serial) == ["S2"])
        #expect(listing.warnings.map(\.path) == [folder(file("S1") + ".damaged")])
        #expect(listing.warnings.allSatisfy { $0.sentence.contains("damaged") })
        #expect(folder.read(file("S1") + ".damaged") == bytes)
        #expect(try known.list().warnings == [])
        #expect(try meet("S1").warnings == [])
        #expect(try known.list().devices.count == 2)
    }

    @Test("A second damaged file takes no place of the first, and there is an end to keeping them")
    func damagedTwice() throws {
        for number in 1...9 {
            try folder.write(file("S1"), [UInt8(number)])
            _ = try known.list()
        }
        #expect(folder.read(file("S1") + ".damaged") == [1])
        #expect(folder.read(file("S1") + ".damaged-9") == [9])
        try folder.write(file("S1"), [10])
        #expect(try known.list().warnings.map(\.path) == [folder(file("S1"))])
        #expect(folder.read(file("S1")) == [10])
    }

    @Test("Whoever changes something first keeps the damaged file aside, and says so")
    func damagedOnChange() throws {
        try meet("S1")
        try folder.write(file("S1"), [1, 2, 3])
        let change = try meet("S1")
        #expect(change.device.serial == "S1")
        #expect(change.warnings.count == 1)
        #expect(names == [file("S1"), file("S1") + ".damaged"].map { String($0.dropFirst(8)) })
    }

    @Test("Every cut and every flipped bit of a file is damage, never another device")
    func everyDamage() throws {
        try meet("S1")
        let whole = try #require(folder.read(file("S1")))
        for length in 0..<whole.count {
            #expect(throws: SealedText.Fault.corrupt) { try KnownDevice(Array(whole[..<length])) }
        }
        for index in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[index] ^= 1 << bit
                #expect(throws: SealedText.Fault.self) { try KnownDevice(bytes) }
            }
        }
    }

    @Test(
        "A sealed file that says what no device says is damaged",
        arguments: [
            "serial \nmodel m\nseen 1\n", "model m\nseen 1\n", "serial S1\nmodel m\n",
            "serial S1\nmodel m\nseen x\n", "serial S1\nmodel m\nseen 01\n",
            "serial S1\nmodel m\nalias a/b\nseen 1\n", "serial S1\nmodel m\nseen 1\nmore 1\n",
            "serial S1\nmodel m\npeer a\npeer a\nseen 1\n",
            "serial S1\nmodel m\npeer a\npeer b\npeer c\npeer d\npeer e\nseen 1\n",
        ])
    func nonsense(fields: String) throws {
        try folder.write(file("S1"), sealed("barge-device 1\n" + fields))
        #expect(try known.list().warnings.count == 1)
        #expect(names == [String(file("S1").dropFirst(8)) + ".damaged"])
    }

    @Test("A copy under another name is not a second device")
    func copy() throws {
        try meet("S1")
        try folder.write("devices/0000.device", try #require(folder.read(file("S1"))))
        let listing = try known.list()
        #expect(listing.devices.map(\.serial) == ["S1"])
        #expect(listing.warnings.map(\.path) == [folder("devices/0000.device.damaged")])
    }

    @Test("A newer version's file is left alone, said, and not written over")
    func newer() throws {
        let bytes = sealed("barge-device 2\nserial S1\ncolor green\n")
        try folder.write(file("S1"), bytes)
        let listing = try known.list()
        #expect(listing.devices == [])
        #expect(listing.warnings.map(\.path) == [folder(file("S1"))])
        #expect(throws: LocalFileError.self) { try meet("S1") }
        #expect(localFileError { try meet("S1") }?.kind == .newerVersion)
        try meet("S2")
        #expect(folder.read(file("S1")) == bytes)
    }

    @Test("What is no file is skipped with a sentence, and a link is not followed")
    func notFiles() throws {
        try FileManager.default.createDirectory(
            atPath: folder("devices/a.device"), withIntermediateDirectories: false)
        try meet("S1")
        try folder.link("devices/b.device", to: folder(file("S1")))
        let listing = try known.list()
        #expect(listing.devices.map(\.serial) == ["S1"])
        #expect(listing.warnings.count == 2)
    }

    @Test("At most 4096 files are read, the rest is one warning, and no change loses an alias")
    func bound() throws {
        try meet("S1")
        _ = try known.setAlias("bench", for: "S1")
        // Names that sort before any hash, each of a newer version: they are left alone.
        let bytes = sealed("barge-device 2\n")
        for index in 0..<KnownDevices.mostDevices {
            try folder.write("devices/!\(index).device", bytes)
        }
        let listing = try known.list()
        #expect(listing.devices == [])
        #expect(listing.warnings.count == KnownDevices.mostDevices + 1)
        #expect(try meet("S1").device.alias?.text == "bench")
        // Nor does it where it is not the first of many.
        let sightings = ["S0", "S1"].map {
            DeviceSighting(serial: $0, model: "m", name: nil, peer: PeerID("Q\($0)"), seconds: 2)
        }
        _ = try known.remember(sightings)
        #expect(known.record(serial: "S1")?.alias?.text == "bench")
        #expect(known.record(serial: "S1")?.peers.first == PeerID("QS1"))
    }

    #if DEBUG
        @Test("Where the damaged file cannot be moved, it is said and left")
        func readOnly() throws {
            try folder.write(file("S1"), [0])
            for call in [SystemCall.open, .rename] {
                // The first open is the record's; the lock's is what a read-only disk refuses.
                let script = FaultScript([
                    .init(call: call, number: EROFS, callsToPass: call == .open ? 1 : 0)
                ])
                let listing = try FaultScript.$current.withValue(script) { try known.list() }
                #expect(listing.warnings.map(\.path) == [folder(file("S1"))])
                #expect(names == [String(file("S1").dropFirst(8))])
            }
        }

        @Test(
            "A full or read-only disk is an error with a sentence, and the record stays whole",
            arguments: [SystemCall.write, .synchronize, .rename, .lock])
        func faults(call: SystemCall) throws {
            try meet("S1")
            let before = try known.list()
            for number in [ENOSPC, EROFS, EIO] {
                let script = FaultScript([.init(call: call, number: number, failures: 1)])
                let error = FaultScript.$current.withValue(script) {
                    localFileError {
                        _ = try known.remember(
                            serial: "S1", model: "other", name: "n", peer: PeerID("Q"), now: 9)
                    }
                }
                #expect(error.map { BargeError($0).kind } == .localFile)
                #expect(try known.list() == before)
                #expect(names.count == 1)
            }
        }
    #endif
}
