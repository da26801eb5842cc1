import Barge
import FirmwareImage
import Foundation
import Testing

/// PyPI's `imgtool` signs, we verify; we damage, and both judge.
@Suite("imgtool as the judge", .enabled(if: Imgtool.isExpected, Comment(rawValue: Imgtool.reason)))
struct ImgtoolTests {
    private let cryptography = OpenSSLCryptography()

    /// The key types of `imgtool keygen`, with the kinds that we must tell them to be.
    private static let kinds:
        [(type: String, kind: ImagePublicKey.Kind, signature: SignatureKind)] = [
            ("ecdsa-p256", .ecdsaP256, .ecdsaP256), ("ecdsa-p384", .ecdsaP384, .ecdsaP384),
            ("ed25519", .ed25519, .ed25519), ("rsa-2048", .rsa2048, .rsa2048),
            ("rsa-3072", .rsa3072, .rsa3072),
        ]

    @Test("Fresh images verify with their own key, and with no other")
    func freshImages() throws {
        let folder = try TemporaryDirectory()
        try makeKeys(in: folder)
        try folder.write(payload(5000), to: "in.bin")
        try Imgtool.must(
            Self.kinds.map {
                sign(folder.path("\($0.type).pem"), into: "\($0.type).bin", in: folder)
            })
        for (type, kind, signature) in Self.kinds {
            let image = try FirmwareImage.parse(folder.bytes("\(type).bin"))
            #expect(image.payload[0x200..<(0x200 + 5000)].elementsEqual(payload(5000)))
            for other in Self.kinds {
                let outcome = try verify(image, "\(other.type).pub", in: folder)
                #expect(
                    outcome
                        == (other.type == type
                            ? .valid(signature)
                            : .keyOfAnotherType(image: [signature], key: other.kind)))
            }
            let stranger = try verify(image, "\(type).other.pub", in: folder)
            guard case .wrongKey(signature, _, _) = stranger else {
                Issue.record("\(type): \(stranger)")
                continue
            }
            let key = try cryptography.publicKey(from: folder.bytes("\(type).pub"))
            #expect(key.kind == kind)
        }
    }

    /// An option of `imgtool sign`, and what must be seen of it.
    struct Option: CustomTestStringConvertible {
        let arguments: [String]
        var key = "ecdsa-p256"
        let isSeen: @Sendable (FirmwareImage, MCUbootImage) -> Bool

        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test("What the options of `imgtool sign` ask for is what we read")
    func options() throws {
        let folder = try TemporaryDirectory()
        // Text compresses; imgtool leaves alone what does not.
        try folder.write(Array(String(repeating: "Barge ", count: 800).utf8), to: "in.bin")
        try Imgtool.must(
            Self.options.enumerated().map { index, option in
                sign(testKey(option.key), into: "\(index).bin", option.arguments, in: folder)
            })
        for (index, option) in Self.options.enumerated() {
            let image = try FirmwareImage.parse(folder.bytes("\(index).bin"))
            let mcuboot = try #require(image.mcuboot)
            let isSeen = option.isSeen(image, mcuboot)
            #expect(isSeen, "\(option.testDescription)")
            let outcome = try verify(image, testKey: option.key)
            #expect(outcome.isValid, "\(option.testDescription): \(outcome)")
        }
    }

    @Test("HEX files that imgtool writes hold the same image as its binaries")
    func hexFiles() throws {
        let folder = try TemporaryDirectory()
        try folder.write(payload(777), to: "in.bin")
        let key = testKey("ed25519")
        try Imgtool.must([
            sign(key, into: "out.bin", ["--pad"], in: folder),
            sign(key, into: "out.hex", ["--pad", "--hex-addr", "0x0800C000"], in: folder),
        ])
        let binary = try FirmwareImage.parse(folder.bytes("out.bin"))
        let hex = try FirmwareImage.parse(folder.bytes("out.hex"))
        #expect(hex.format == .intelHex)
        #expect(hex.baseAddress == 0x0800_C000)
        // imgtool leaves the space before the trailer out of a HEX file: a gap, filled here.
        #expect(hex.payload == binary.payload)
        #expect(hex.mcuboot == binary.mcuboot)
        #expect(try verify(hex, testKey: "ed25519") == .valid(.ed25519))
    }

    @Test("Encrypted images are told apart; with a plain body they verify all the same")
    func encrypted() throws {
        let folder = try TemporaryDirectory()
        try folder.write(payload(777), to: "in.bin")
        let encryption = ["--encrypt", testKey("ecdsa-p256.pub")]
        let key = testKey("ed25519")
        try Imgtool.must([
            sign(key, into: "secret.bin", encryption, in: folder),
            sign(key, into: "clear.bin", encryption + ["--clear"], in: folder),
        ])
        let secret = try FirmwareImage.parse(folder.bytes("secret.bin"))
        #expect(secret.notes == [.encrypted])
        #expect(try secret.checkHash(using: cryptography) == .encrypted(.sha256))
        #expect(try verify(secret, testKey: "ed25519") == .encrypted)
        let clear = try FirmwareImage.parse(folder.bytes("clear.bin"))
        #expect(try verify(clear, testKey: "ed25519") == .valid(.ed25519))
    }

    @Test("The images in images/ get the same verdict from both, with every key")
    func sampleImages() throws {
        let names = try Samples.names().filter { $0.hasSuffix(".bin") }
        let keys = ["ecdsa-p256", "ecdsa-p256-other", "ed25519", "rsa-2048"]
        let pairs = names.flatMap { name in keys.map { (name: name, key: $0 + ".pub") } }
        let answers = try Imgtool.run(
            pairs.map { name, key in
                ["verify", "--key", testKey(key), Samples.directory.appending(path: name).path]
            })
        var accepted = 0
        for (pair, answer) in zip(pairs, answers) {
            let image = try? FirmwareImage.parse(Samples.bytes(pair.name))
            let outcome = try image?.verify(keyFile: Samples.key(pair.key), using: cryptography)
            #expect((outcome?.isValid ?? false) == (answer.status == 0), "\(pair)")
            accepted += answer.status == 0 ? 1 : 0
        }
        #expect(accepted >= 9)
    }

    @Test("Nothing that imgtool rejects is valid here, and we are stricter only outside the hash")
    func mutants() throws {
        let folder = try TemporaryDirectory()
        var random = SplitMix64(seed: 0x1A6700)
        var mutants: [Mutant] = []
        for key in ["ecdsa-p256", "ed25519", "rsa-2048"] {
            let whole = try Samples.bytes("sample-1.0.0-\(key).bin")
            for _ in 0..<150 {
                mutants.append(Mutant(of: whole, key: key, using: &random))
            }
        }
        for (index, mutant) in mutants.enumerated() {
            try folder.write(mutant.bytes, to: "\(index).bin")
        }
        let answers = try Imgtool.run(
            mutants.enumerated().map { index, mutant in
                ["verify", "--key", testKey(mutant.key + ".pub"), folder.path("\(index).bin")]
            })
        var agreed = 0
        for (mutant, answer) in zip(mutants, answers) {
            let isValid = try isValidHere(mutant)
            if answer.status != 0 { #expect(!isValid, "byte \(mutant.offset)") }
            // imgtool reads neither the key's digest nor the upper half of a record's type.
            if answer.status == 0 && !isValid { #expect(mutant.offset >= mutant.hashedByteCount) }
            agreed += (answer.status == 0) == isValid ? 1 : 0
        }
        #expect(agreed * 10 > mutants.count * 8)
    }

    private func isValidHere(_ mutant: Mutant) throws -> Bool {
        let image = try? FirmwareImage.parse(mutant.bytes)
        let outcome = try image?.verify(
            keyFile: Samples.key(mutant.key + ".pub"), using: cryptography)
        return outcome?.isValid ?? false
    }

    private func verify(
        _ image: FirmwareImage, _ key: String, in folder: TemporaryDirectory
    ) throws -> VerificationOutcome {
        try image.verify(keyFile: folder.bytes(key), using: cryptography)
    }

    private func verify(
        _ image: FirmwareImage, testKey name: String
    ) throws -> VerificationOutcome {
        try image.verify(keyFile: Samples.key(name + ".pub"), using: cryptography)
    }

    /// The path of one of the keys in `images/keys`.
    private func testKey(_ name: String) -> String {
        Samples.directory.appending(path: "keys/TEST-ONLY-\(name).pem").path
    }

    private func payload(_ byteCount: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(byteCount))
        return random.bytes(byteCount)
    }

    /// Fresh keys of all kinds, two each, with their public halves.
    private func makeKeys(in folder: TemporaryDirectory) throws {
        var commands: [[String]] = []
        for (type, _, _) in Self.kinds {
            for name in [type, type + ".other"] {
                let pem = folder.path(name + ".pem")
                commands.append(["keygen", "-k", pem, "-t", type])
                commands.append([
                    "getpub", "-k", pem, "--encoding", "pem", "-o", folder.path(name + ".pub"),
                ])
            }
        }
        try Imgtool.must(commands)
    }

    /// The last of several equal options counts, so `arguments` may override the usual ones.
    private func sign(
        _ key: String, into output: String, _ arguments: [String] = [],
        in folder: TemporaryDirectory
    ) -> [String] {
        [
            "sign", "--key", key, "--version", "1.2.3+4", "--header-size", "0x200",
            "--pad-header", "--slot-size", "0x8000", "--align", "4",
        ] + arguments + [folder.path("in.bin"), folder.path(output)]
    }
}

/// An image with one byte changed.
private struct Mutant {
    let bytes: [UInt8]
    let key: String
    let offset: Int
    let hashedByteCount: Int

    init(of whole: [UInt8], key: String, using random: inout SplitMix64) {
        // Header of 0x200 bytes, body of 672; the records are where verdicts can differ.
        hashedByteCount = 0x200 + 672
        let range =
            [0..<32, 32..<hashedByteCount, hashedByteCount..<whole.count]
            .randomElement(using: &random) ?? 0..<1
        offset = Int.random(in: range, using: &random)
        var bytes = whole
        bytes[offset] ^= UInt8.random(in: 1...255, using: &random)
        self.bytes = bytes
        self.key = key
    }
}

extension ImgtoolTests {
    private static let options: [Option] = [
        Option(arguments: ["--header-size", "0x20"]) { $1.header.headerSize == 0x20 },
        Option(arguments: ["--header-size", "0x1000"]) { $1.header.headerSize == 0x1000 },
        Option(arguments: ["--version", "255.255.65535+4294967295"]) {
            $1.header.version.description == "255.255.65535+4294967295"
        },
        Option(arguments: ["--load-addr", "0x20001000"]) {
            $1.header.loadAddress == 0x2000_1000 && $1.header.flags == .ramLoad
        },
        Option(arguments: ["--rom-fixed", "0x08010000"]) {
            $1.header.loadAddress == 0x0801_0000 && $1.header.flags == .romFixed
        },
        Option(arguments: ["--non-bootable"]) { image, _ in
            image.notes.contains(.nonBootable)
        },
        Option(arguments: ["--security-counter", "4711"]) { $1.securityCounter == 4711 },
        Option(arguments: ["--dependencies", "(1, 2.3.4+5)"]) {
            $1.dependencies.first?.imageIndex == 1
                && $1.dependencies.first?.lowestVersion
                    == MCUbootVersion(major: 2, minor: 3, revision: 4, build: 5)
        },
        Option(arguments: [
            "--vid", "01020304-0506-0708-090a-0b0c0d0e0f10", "--cid",
            "11121314-1516-1718-191a-1b1c1d1e1f20",
        ]) {
            $1.vendorID.map(Array.init) == Array(1...16)
                && $1.classID.map(Array.init) == Array(17...32)
        },
        Option(arguments: ["--custom-tlv", "0x00a5", "0xC0FFEE"]) {
            $1.first(MCUbootTLVType(rawValue: 0xA5))?.value == [0xC0, 0xFF, 0xEE]
        },
        Option(arguments: ["--public-key-format", "full"]) {
            $1.first(.publicKey) != nil && $1.first(.keyHash) == nil
        },
        Option(arguments: ["--pad-sig"]) { $1.first(.ecdsa)?.value.count == 72 },
        Option(arguments: ["--pad"]) { image, mcuboot in
            guard case .trailer(let trailer) = mcuboot.tail else { return false }
            return image.payload.count == 0x8000 && !trailer.isConfirmed
        },
        Option(arguments: ["--pad", "--confirm"]) { _, mcuboot in
            guard case .trailer(let trailer) = mcuboot.tail else { return false }
            return trailer.isConfirmed && trailer.largestAlignment == 8
        },
        Option(arguments: ["--pad", "--confirm", "--align", "32", "--max-align", "32"]) {
            guard case .trailer(let trailer) = $1.tail else { return false }
            return trailer.isConfirmed && trailer.largestAlignment == 32
        },
        Option(arguments: ["--sha", "512"], key: "ed25519") {
            $1.hashRecords.map(\.type) == [.sha512]
        },
        Option(arguments: ["--pure"], key: "ed25519") { $1.first(.pureSignature) != nil },
        Option(arguments: ["--endian", "big"]) { $1.header.byteOrder == .big },
        Option(arguments: ["--endian", "big"], key: "rsa-2048") { $1.header.byteOrder == .big },
        Option(arguments: ["--compression", "lzma2armthumb"]) { image, mcuboot in
            mcuboot.header.flags.contains(.armThumbFilter) && image.notes.contains(.compressed)
        },
    ]
}
