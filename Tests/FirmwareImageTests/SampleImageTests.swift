import Barge
import FirmwareImage
import Testing

/// The images in `images/`, against what their README says of them.
@Suite("Sample images")
struct SampleImageTests {
    private let cryptography = OpenSSLCryptography()
    /// Where `images/src/link.ld` puts the slot, and the program behind the header.
    private let slotAddress: UInt64 = 0xC000
    private let codeAddress: UInt64 = 0xC200

    @Test("HEX, UF2 and ELF flatten to what objcopy made of them", arguments: ["1.0.0", "1.1.0"])
    func flattening(version: String) throws {
        let plain = try Samples.bytes("sample-\(version).bin")
        #expect(try FirmwareImage.parse(plain).notes == [.plainBinary])
        for (suffix, format) in [("hex", ImageFormat.intelHex), ("uf2", .uf2), ("elf", .elf)] {
            let image = try FirmwareImage.parse(Samples.bytes("sample-\(version).\(suffix)"))
            #expect(image.format == format)
            #expect(image.payload == plain)
            #expect(image.baseAddress == codeAddress)
        }
        let signed = try Samples.bytes("sample-\(version)-ecdsa-p256.bin")
        for suffix in ["hex", "uf2"] {
            let image = try FirmwareImage.parse(
                Samples.bytes("sample-\(version)-ecdsa-p256.\(suffix)"))
            #expect(image.payload == signed)
            #expect(image.baseAddress == slotAddress)
            #expect(image.mcuboot?.header.version.description == "\(version)+0")
        }
    }

    @Test("The reset vector of the program is the entry address of its ELF file")
    func entryAddress() throws {
        let image = try FirmwareImage.parse(Samples.bytes("sample-1.0.0.elf"))
        let vector = image.payload[4..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        #expect(image.entryAddress == vector)
    }

    @Test(
        "Signed images verify with their key, in every format",
        arguments: [
            ("ecdsa-p256.bin", "ecdsa-p256", SignatureKind.ecdsaP256),
            ("ecdsa-p256.hex", "ecdsa-p256", .ecdsaP256),
            ("ecdsa-p256.uf2", "ecdsa-p256", .ecdsaP256),
            ("ed25519.bin", "ed25519", .ed25519),
            ("rsa-2048.bin", "rsa-2048", .rsa2048),
        ])
    func signed(suffix: String, key: String, kind: SignatureKind) throws {
        for version in ["1.0.0", "1.1.0"] {
            let image = try FirmwareImage.parse(Samples.bytes("sample-\(version)-\(suffix)"))
            #expect(try image.checkHash(using: cryptography) == .matches(.sha256))
            #expect(image.mcuboot?.signatureKinds == [kind])
            #expect(try verify(image, key + ".pub") == .valid(kind))
        }
    }

    @Test("Each contradiction between image and key has its own outcome")
    func contradictions() throws {
        let ecdsa = try FirmwareImage.parse(Samples.bytes("sample-1.1.0-ecdsa-p256.bin"))
        guard
            case .wrongKey(.ecdsaP256, let inImage, let given) = try verify(
                ecdsa, "ecdsa-p256-other.pub")
        else {
            Issue.record("the wrong key was not told apart")
            return
        }
        #expect(inImage != given)
        #expect(
            try verify(ecdsa, "ed25519.pub")
                == .keyOfAnotherType(image: [.ecdsaP256], key: .ed25519))
        let hashOnly = try FirmwareImage.parse(Samples.bytes("sample-1.1.0-hash-only.bin"))
        #expect(try verify(hashOnly, "ed25519.pub") == .noSignature)
        #expect(hashOnly.notes == [.unsigned])
        let plain = try FirmwareImage.parse(Samples.bytes("sample-1.1.0.bin"))
        #expect(try verify(plain, "ed25519.pub") == .notMCUboot)
        #expect(try plain.checkHash(using: cryptography) == nil)
        #expect(
            try ecdsa.verify(keyFile: [1, 2, 3], using: cryptography)
                == .unreadableKey(.notAKey))
    }

    @Test("Padded images tell the slot's size, the image's own, and whether they are confirmed")
    func padded() throws {
        let confirmed = try FirmwareImage.parse(
            Samples.bytes("sample-1.0.0-ecdsa-p256-padded-16k-confirmed.bin"))
        let requested = try FirmwareImage.parse(
            Samples.bytes("sample-1.1.0-ecdsa-p256-padded-32k.bin"))
        for (image, isConfirmed, slot) in [(confirmed, true, 16384), (requested, false, 32768)] {
            let mcuboot = try #require(image.mcuboot)
            guard case .trailer(let trailer) = mcuboot.tail else {
                Issue.record("no trailer was found")
                continue
            }
            #expect(trailer.isConfirmed == isConfirmed)
            #expect(trailer.largestAlignment == 8)
            #expect(trailer.byteCount + mcuboot.byteCount == slot)
            #expect(
                image.notes == [.padded(imageByteCount: mcuboot.byteCount, byteCount: slot)])
            #expect(try verify(image, "ecdsa-p256.pub") == .valid(.ecdsaP256))
        }
    }

    @Test("Images broken on purpose are refused for the reason that their README gives")
    func brokenStructure() throws {
        let cases: [(String, ImageError)] = [
            ("cut-short.bin", .mcuboot(.bodyCutShort(neededByteCount: 1312, byteCount: 728))),
            ("bad-tlv.bin", .mcuboot(.recordOverrunsArea(offset: 1316))),
            ("no-end-record.hex", .intelHex(.noEndRecord, line: 51)),
            (
                "overlap.hex",
                .memory(.conflict(address: 0xC200, source: "line", first: 1, second: 52))
            ),
            (
                "two-gigabyte-gap.hex",
                .memory(.gapTooLarge(from: 0xC520, to: 0x8000_0000, limit: 16 << 20))
            ),
            ("missing-block.uf2", .uf2(.blocksMissing(firstMissing: 1, missingCount: 1, count: 4))),
        ]
        for (name, error) in cases {
            #expect(throws: error, "\(name)") {
                try FirmwareImage.parse(Samples.bytes("broken/" + name))
            }
        }
        #expect {
            try FirmwareImage.parse(Samples.bytes("broken/bad-checksum.hex"))
        } throws: { error in
            guard case .intelHex(.badChecksum, line: 5) = error as? ImageError else { return false }
            return true
        }
    }

    @Test("Broken bytes and foreign signatures are found by hash and key")
    func brokenContents() throws {
        let flipped = try FirmwareImage.parse(Samples.bytes("broken/body-bit-flipped.bin"))
        guard case .hashMismatch = try verify(flipped, "ed25519.pub") else {
            Issue.record("a flipped bit went through")
            return
        }
        let signature = try FirmwareImage.parse(
            Samples.bytes("broken/signature-bit-flipped.bin"))
        #expect(try verify(signature, "ed25519.pub") == .badSignature(.ed25519))
        let other = try FirmwareImage.parse(
            Samples.bytes("broken/sample-1.1.0-signed-by-other-key.bin"))
        #expect(try verify(other, "ecdsa-p256-other.pub") == .valid(.ecdsaP256))
        guard case .wrongKey(.ecdsaP256, _, _) = try verify(other, "ecdsa-p256.pub") else {
            Issue.record("a foreign signature went through")
            return
        }
    }

    private func verify(_ image: FirmwareImage, _ key: String) throws -> VerificationOutcome {
        try image.verify(keyFile: Samples.key(key), using: cryptography)
    }
}
