import Barge
import FirmwareImage
import Testing

@Suite("Public keys")
struct PublicKeyTests {
    private let cryptography = OpenSSLCryptography()

    @Test(
        "Keys are read from PEM, and their kind is told",
        arguments: [
            ("ecdsa-p256", ImagePublicKey.Kind.ecdsaP256), ("ed25519", .ed25519),
            ("rsa-2048", .rsa2048),
        ])
    func kinds(name: String, kind: ImagePublicKey.Kind) throws {
        let key = try cryptography.publicKey(from: Samples.key(name + ".pub"))
        #expect(key.kind == kind)
        #expect(!key.isFromPrivateKey)
        // Both DER forms are read, too: they are what `imgtool getpub` writes in other encodings.
        #expect(try cryptography.publicKey(from: key.subjectPublicKeyInfo) == key)
        #expect(try cryptography.publicKey(from: key.imageEncoding) == key)
        // A private key gives the same public half, and says where it comes from.
        let own = try cryptography.publicKey(from: Samples.key(name))
        #expect(own.isFromPrivateKey)
        #expect(own.subjectPublicKeyInfo == key.subjectPublicKeyInfo)
    }

    @Test("Text around a PEM block and carriage returns do not matter")
    func surroundings() throws {
        let plain = String(decoding: try Samples.key("ed25519.pub"), as: UTF8.self)
        let dressed = "The key of the bench:\r\n" + plain.replacing("\n", with: "\r\n") + "\r\n--"
        let key = try cryptography.publicKey(from: Array(dressed.utf8))
        #expect(try key == cryptography.publicKey(from: Array(plain.utf8)))
    }

    @Test("What is not a usable key is refused with its reason")
    func refusals() throws {
        expect(.empty, from: [])
        expect(.notAKey, from: Array("no key at all".utf8))
        expect(
            .notAKey,
            from: Array("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n".utf8))
        expect(.tooLarge(byteCount: 65537), from: [UInt8](repeating: 0x30, count: 65537))
        let whole = try Samples.key("rsa-2048.pub")
        expect(.notAKey, from: Array(whole.prefix(whole.count / 2)))
    }

    @Test("Keys of kinds that sign no images are named")
    func otherKinds() {
        // Both were made with `openssl genpkey` for this test.
        expect(
            .unsupported("X25519, which encrypts"),
            from: pem("MCowBQYDK2VuAyEAuxnRgPjQYFASr24M4Ifr0jjnUkQ/3dpDlBL5Odjl3x8="))
        expect(
            .unsupported("ECDSA over secp521r1"),
            from: pem(
                """
                MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQADMWnnWD8YnW1CaXvD9zxTICPNDdY
                1EMATIm9YImw/cJ8PThNE7a1NMcI5P8b+oipX+PcGUu9xLu5hBOWc70VBCgAGgjt
                6EgknPt88vuxbpgLcPl2w+OelYAmxPhTwU1UBDoPegtQqfQpri1eX/HEyfVu4KT4
                zLxLljltjDmRsdz0c2c=
                """))
    }

    @Test("A private key under a password is refused without asking for the password")
    func password() {
        let block =
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n"
        expect(.passwordProtected, from: Array(block.utf8))
    }

    private func pem(_ base64: String) -> [UInt8] {
        Array("-----BEGIN PUBLIC KEY-----\n\(base64)\n-----END PUBLIC KEY-----\n".utf8)
    }

    private func expect(
        _ problem: PublicKeyProblem, from file: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: problem, sourceLocation: sourceLocation) {
            try cryptography.publicKey(from: file)
        }
    }
}
