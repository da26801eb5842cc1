import Foundation
import Testing

@testable import BargeCLI

@Suite("barge image")
struct ImageCommandTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "images").path

    private func image(_ name: String) -> String { Self.folder + "/" + name }

    private static let good: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).filter { $0.hasPrefix("sample-") }.sorted()
    }()

    @Test("The sample images are there")
    func samples() { #expect(Self.good.count == 23) }

    @Test("A good image of each format is told about, for people and for scripts", arguments: good)
    func inspect(name: String) throws {
        let people = try Binary.barge("image", "inspect", image(name))
        #expect(people.exitCode == 0)
        #expect(people.output.contains("SHA-256:"))
        let scripts = try Binary.barge("image", "inspect", image(name), "--json")
        #expect(scripts.lines.count == 1)
        let facts = try scripts.facts()
        #expect(facts["name"] as? String == name)
        let version = name.contains("1.0.0") ? "1.0.0+0" : "1.1.0+0"
        let isPlain = name.hasPrefix("sample-1.0.0.") || name.hasPrefix("sample-1.1.0.")
        #expect(facts["version"] as? String == (isPlain ? nil : version))
        #expect(facts["hash"] as? String == (isPlain ? nil : "matches"))
    }

    @Test(
        "The digest is the one that sha256sum finds", .enabled(if: Binary.find("sha256sum") != nil))
    func digest() throws {
        let path = image("sample-1.1.0-ecdsa-p256.bin")
        let expected = try Binary.bash("sha256sum \(path)").output.prefix(64)
        let facts = try Binary.barge("image", "inspect", path, "--json").facts()
        #expect(facts["sha256"] as? String == String(expected))
    }

    @Test(
        "A broken image ends with 7 and three lines that say what is wrong",
        arguments: [
            ("bad-checksum.hex", "line 5"), ("bad-tlv.bin", "beyond its area"),
            ("body-bit-flipped.bin", "damaged"), ("cut-short.bin", "cut short"),
            ("missing-block.uf2", "number 1"), ("no-end-record.hex", "end-of-file"),
            ("overlap.hex", "0x0000C200"), ("two-gigabyte-gap.hex", "gap"),
        ])
    func broken(name: String, words: String) throws {
        for command in ["inspect", "verify"] {
            let key = image("keys/TEST-ONLY-ed25519.pub.pem")
            let answer = try Binary.run(
                Binary.directory.appending(path: "barge").path,
                ["image", command, image("broken/\(name)"), "--json"]
                    + (command == "verify" ? ["--key", key] : []))
            #expect(answer.exitCode == 7)
            #expect(answer.isOneFailure)
            #expect(answer.errors.contains(words))
            let events = try answer.objects().map { $0["event"] as? String }
            #expect(events.last == "failed")
        }
    }

    @Test(
        "A signature is checked with the key that belongs to it",
        arguments: ["ecdsa-p256", "ed25519", "rsa-2048"])
    func verify(kind: String) throws {
        let (path, key) = (image("sample-1.1.0-\(kind).bin"), "keys/TEST-ONLY-\(kind).pub.pem")
        let valid = try Binary.barge("image", "verify", path, "--key", image(key), "--json")
        #expect(valid.exitCode == 0)
        #expect(try valid.facts()["verifiedBy"] as? String != nil)
        let others = ["ecdsa-p256", "ed25519", "rsa-2048", "ecdsa-p256-other"]
        for other in others where other != kind {
            let answer = try Binary.barge(
                "image", "verify", path, "--key", image("keys/TEST-ONLY-\(other).pub.pem"))
            #expect(answer.exitCode == 7)
            #expect(answer.isOneFailure)
        }
    }

    @Test(
        "What is not signed, or not by the key, does not verify",
        arguments: [
            ("sample-1.1.0.bin", "ed25519"), ("sample-1.1.0-hash-only.bin", "ed25519"),
            ("broken/signature-bit-flipped.bin", "ed25519"),
            ("broken/sample-1.1.0-signed-by-other-key.bin", "ecdsa-p256"),
        ])
    func invalid(name: String, key: String) throws {
        let answer = try Binary.barge(
            "image", "verify", image(name), "--key", image("keys/TEST-ONLY-\(key).pub.pem"))
        #expect(answer.exitCode == 7)
        #expect(answer.isOneFailure)
    }

    @Test("A file that is missing is 3, one that cannot be an image 2, an unreadable one 9")
    func files() throws {
        #expect(try Binary.barge("image", "inspect", "/nonexistent").exitCode == 3)
        #expect(try Binary.barge("image", "inspect", "/").exitCode == 2)
        let path = image("sample-1.1.0-ed25519.bin")
        let missing = try Binary.barge("image", "verify", path, "--key", "/nonexistent")
        #expect(missing.exitCode == 3)
        let noKey = try Binary.barge("image", "verify", path, "--key", path)
        #expect(noKey.exitCode == 2)
        #expect(noKey.isOneFailure)
    }

    @Test("Standard input is read as a file without a name; an empty one is refused with 7")
    func standardInput() throws {
        let path = image("sample-1.0.0.hex")
        let answer = try Binary.bash("barge image inspect - --json < \(path)")
        #expect(try answer.facts()["format"] as? String == "intel-hex")
        let empty = try Binary.barge("image", "inspect", "-")
        #expect(empty.exitCode == 7)
        #expect(empty.isOneFailure)
    }

    @Test("More than 64 MiB on standard input is refused before it is read to its end")
    func endless() throws {
        let answer = try Binary.bash("head -c 70M /dev/zero | barge image inspect -")
        #expect(answer.exitCode == 2)
        #expect(answer.errors.contains("67108864"))
    }

    @Test("A HEX file under the name of a UF2 file is refused with 7")
    func misnamed() throws {
        let folder = try StateFolder()
        let path = folder.path + "/x.uf2"
        try FileManager.default.copyItem(atPath: image("sample-1.0.0.hex"), toPath: path)
        let answer = try Binary.barge("image", "inspect", path)
        #expect(answer.exitCode == 7)
        #expect(answer.errors.contains("Intel HEX"))
    }
}
