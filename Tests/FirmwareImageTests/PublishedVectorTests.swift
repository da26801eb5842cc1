import Barge
import FirmwareImage
import Testing

/// Digests as FIPS 180-4's examples and RFC 6234 publish them.
@Suite("Digests")
struct PublishedVectorTests {
    @Test(
        "SHA-256 of the published messages",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(message: String, expected: String) throws {
        let bytes = [UInt8](message.utf8)
        let whole = try OpenSSLCryptography().digest(bytes.span.bytes, by: .sha256)
        #expect(hex(whole) == expected)
    }

    @Test("SHA-384 and SHA-512 of \"abc\"")
    func longerDigests() throws {
        let bytes: [UInt8] = [0x61, 0x62, 0x63]
        let cryptography = OpenSSLCryptography()
        let sha384 = try cryptography.digest(bytes.span.bytes, by: .sha384)
        #expect(hex(sha384).hasPrefix("cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"))
        let sha512 = try cryptography.digest(bytes.span.bytes, by: .sha512)
        #expect(hex(sha512).hasPrefix("ddaf35a193617abacc417349ae20413112e6fa4e89a97ea2"))
    }
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
