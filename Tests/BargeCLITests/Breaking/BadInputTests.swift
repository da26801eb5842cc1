import Foundation
import Testing

@Suite("Bad input, from the command line")
struct BadInputTests {
    @Test(
        "A name that is no file name is refused before anything happens, by each verb alike",
        arguments: [
            "..", ".", "a/b", "/", "../x", "a\nb", "a\u{1B}[31m", "\u{7F}", "\u{85}",
            String(repeating: "n", count: 256), String(repeating: "ä", count: 128),
        ])
    func names(name: String) throws {
        let bench = try Bench()
        let path = try bench.write("cargo", [1])
        for words in [
            ["push", path, "sim:board", name], ["rm", "sim:board", name],
            ["pull", "sim:board", name, bench("got")], ["pull", "sim:board", name],
        ] {
            let answer = try Events(bench.run(["--json"] + words))
            #expect(answer.exitCode == 2, "\(words[0])")
            #expect(answer.error == "bad-name", "\(words[0])")
        }
        #expect(bench.names == ["cargo", "state"])
    }

    @Test("A name of 255 bytes goes there and back")
    func longestName() throws {
        let bench = try Bench()
        let name = String(repeating: "ä", count: 127) + "n"
        let path = try bench.write("cargo", [1, 2, 3])
        #expect(try bench.events("push", path, "sim:board", name).result == "copied")
        #expect(try bench.events("pull", "sim:board", name, bench("got")).result == "copied")
        #expect(bench.read("got") == [1, 2, 3])
        #expect(try bench.events("rm", "sim:board", name).exitCode == 0)
    }

    @Test("An empty file is a file, but no firmware")
    func empty() throws {
        let bench = try Bench()
        let path = try bench.write("empty", [])
        #expect(try bench.events("push", path, "sim:board").result == "copied")
        #expect(try bench.events("flash", path, "sim:board").exitCode == 7)
        #expect(try bench.events("pull", "sim:board", "empty", bench("got")).result == "copied")
        #expect(bench.read("got") == [])
    }

    @Test(
        "A file that changes while it is sent is found out, and is not on the device",
        arguments: ["vanishes", "shrinks", "grows", "changes", "is replaced"])
    func changing(how: String) throws {
        let bench = try Bench(board: "--pace", "realtime", "--interval", "7.5")
        let path = try bench.write("cargo", Bench.noise(170_000))
        let push = try bench.start("push", path, "sim:board") { $0.name == "durable" }
        try change(path, how)
        // Signal 0 does nothing.
        #expect(try push.end(0) == 7)
        #expect(push.events.last?["error"] == "file-changed")
        try bench.hurry()
        let listed = try bench.events("ls", "sim:board").all.compactMap { $0["name"] as String? }
        #expect(!listed.contains("cargo"))
        #expect(try bench.unfinished().isEmpty)
    }

    private func change(_ path: String, _ how: String) throws {
        let url = URL(filePath: path)
        switch how {
        case "vanishes": try FileManager.default.removeItem(at: url)
        case "is replaced": try Data(Bench.noise(170_000, seed: 2)).write(to: url, options: .atomic)
        default:
            let file = try FileHandle(forWritingTo: url)
            switch how {
            case "shrinks": try file.truncate(atOffset: 100)
            case "grows": try file.seekToEnd()
            default: try file.seek(toOffset: 160_000)
            }
            if how != "shrinks" { try file.write(contentsOf: Data([1, 2, 3])) }
        }
    }

    @Test("A channel that was asked for is a channel or an error that says so")
    func noChannel() throws {
        let bench = try Bench(board: "--no-coc")
        let path = try bench.write("cargo", [1])
        for psm in [[], ["--psm", "0x80"]] {
            let answer = try Events(
                bench.run(["--json", "push", path, "sim:board", "--transport", "coc"] + psm))
            #expect(answer.exitCode == 6)
            #expect(answer.error == "no-channel")
            #expect(answer.advice.contains("--transport coc"))
        }
        let fallback = try bench.events("push", path, "sim:board")
        #expect(fallback.last?["route"] == "gatt")
        #expect(fallback.reason == "the device publishes no PSM")
    }

    @Test(
        "What cannot be reached has its own exit code",
        arguments: [
            (["--security", "authenticated"], "sim:board", 5),
            (["--security", "fips"], "sim:board", 5), (["--psm", "0x1234"], "sim:board", 2),
            (["--psm", "0"], "sim:board", 2), ([], "sim:none", 3),
            ([], "C0:FF:EE:00:11:22", 4), ([], "Some board", 3),
        ] as [([String], String, Int32)])
    func exitCodes(options: [String], device: String, code: Int32) throws {
        let bench = try Bench()
        let path = try bench.write("cargo", [1])
        let answer = try Events(bench.run(["--json", "push", path, device] + options))
        #expect(answer.exitCode == code)
        #expect(answer.last?["exitCode"] == Int(code))
        #expect(!answer.reason.isEmpty && !answer.advice.isEmpty)
    }

    @Test(
        "Every radio that can be made is one that transfers work on",
        arguments: [
            ["--interval", "4000"], ["--interval", "4000", "--no-coc"], ["--interval", "7.5"],
            ["--att-mtu", "23", "--no-coc"], ["--att-mtu", "517", "--no-coc"],
            ["--phy", "coded-s8", "--data-length", "27"], ["--loss", "0.4"],
            ["--window-bits", "9", "--block-size", "256"],
            ["--window-bits", "15", "--block-size", "32KiB"], ["--unlimited"],
            ["--unlimited", "--no-coc"], ["--power-cut-after", "20KiB"],
        ])
    func radios(options: [String]) throws {
        let bench = try Bench()
        #expect(try bench.run(["sim", "create", "odd"] + options).exitCode == 0)
        let bytes = Bench.noise(30_000) + [UInt8](repeating: 7, count: 10_000)
        let path = try bench.write("cargo", bytes)
        #expect(try bench.events("flash", path, "sim:odd").result == "installed")
        #expect(try bench.events("push", path, "sim:odd").result == "copied")
        #expect(try bench.events("pull", "sim:odd", "cargo", bench("got")).result == "copied")
        #expect(bench.holds("got", bytes))
    }

    @Test("A reader of a pulled file that goes away ends the pull with 141 and without a word")
    func readerGone() throws {
        let bench = try Bench()
        let path = try bench.write("cargo", Bench.noise(300_000))
        #expect(try bench.events("push", path, "sim:board").result == "copied")
        let answer = try Binary.bash(
            "barge --state-dir '\(bench("state"))' pull -q sim:board cargo - | head -c 1 | wc -c;"
                + "echo ${PIPESTATUS[0]}")
        #expect(answer.lines.map { $0.filter { $0 != " " } } == ["1", "141"])
        #expect(answer.errors.isEmpty)
    }
}

@Suite("A damaged state directory")
struct DamagedStateTests {
    /// What can become of a file or a folder.
    enum Damage: CaseIterable {
        case empty, noise, folder, file, missing

        func `do`(to path: String) throws {
            try? FileManager.default.removeItem(atPath: path)
            switch self {
            case .empty, .file: try Data().write(to: URL(filePath: path))
            case .noise: try Data(Bench.noise(300)).write(to: URL(filePath: path))
            case .folder:
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true)
            case .missing: break
            }
        }
    }

    @Test(
        "Whatever is damaged is named with exit code 9, and never taken for a wrong command",
        arguments: [
            ("sim/board/device.conf", [.empty, .noise, .folder, .missing]),
            ("sim/board/state", [.empty, .noise, .folder]),
            ("sim/board/flash.bin", [.empty, .noise, .folder, .missing]),
            ("sim/board/files", [.file]), ("sim/board/lock", [.folder]),
            ("sim", [.file]), ("version", [.empty, .noise, .folder]),
        ] as [(String, [Damage])])
    func damage(name: String, kinds: [Damage]) throws {
        for damage in kinds {
            let bench = try Bench()
            let path = try bench.write("cargo", [1])
            try damage.do(to: bench("state/\(name)"))
            for words in [["ls", "sim:board"], ["push", path, "sim:board"]] {
                let answer = try Events(bench.run(["--json"] + words))
                #expect(answer.exitCode == 9, "\(damage) \(words[0]): \(answer.reason)")
                #expect(answer.reason.contains(name), "\(damage) \(words[0]): \(answer.reason)")
            }
        }
    }

    @Test(
        "A state of a newer version is refused by every command that uses it",
        arguments: [
            ["ls", "sim:board"], ["info", "sim:board"], ["rm", "sim:board", "x"], ["scan"],
            ["sim", "list"], ["sim", "create", "x"], ["sim", "rm", "board"], ["resume"],
            ["resume", "--list"], ["pull", "sim:board", "x", "-"],
        ])
    func newer(words: [String]) throws {
        let bench = try Bench()
        // The CRC-32 of the line "barge-state 2" and its end, by zlib.
        try bench.write("state/version", Array("barge-state 2\ncrc 5691038d\n".utf8))
        let answer = try bench.run(words)
        #expect(answer.exitCode == 9)
        #expect(answer.errors.contains("newer version of barge"))
    }

    @Test("Folders in which transfers should be remembered may be damaged, too")
    func transfers() throws {
        let bench = try Bench()
        try Damage.file.do(to: bench("state/transfers"))
        #expect(try bench.events("resume").exitCode == 9)
        let answer = try bench.events("push", bench.write("cargo", [1]), "sim:board")
        #expect(answer.exitCode == 9)
    }
}
