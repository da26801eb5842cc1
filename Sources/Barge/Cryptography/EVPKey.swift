import CCrypto
import FirmwareImage

/// A key in libcrypto's memory.
struct EVPKey: ~Copyable {
    let pointer: OpaquePointer

    /// Takes over a key that libcrypto made.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    init(subjectPublicKeyInfo: [UInt8]) throws(CryptographyFailure) {
        let decoded = Self.decode(subjectPublicKeyInfo) { d2i_PUBKEY(nil, &$0, $1) }
        guard let decoded else { throw .latest(while: "reading a public key") }
        pointer = decoded
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Runs one of libcrypto's `d2i` functions over some bytes.
    static func decode(
        _ bytes: [UInt8],
        _ function: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?
    ) -> OpaquePointer? {
        bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return function(&cursor, buffer.count)
        }
    }

    /// Runs one of libcrypto's `i2d` functions, `nil` if it fails.
    func encoded(
        _ function: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> [UInt8]? {
        let byteCount = Int(function(pointer, nil))
        guard byteCount > 0 else { return nil }
        var result = [UInt8](repeating: 0, count: byteCount)
        let written = result.withUnsafeMutableBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return function(pointer, &cursor)
        }
        return Int(written) == byteCount ? result : nil
    }

    /// The kind of key, or the name of a kind that verifies no images.
    func kind() throws(PublicKeyProblem) -> ImagePublicKey.Kind {
        let bitCount = EVP_PKEY_get_bits(pointer)
        switch EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_ED25519: return .ed25519
        case EVP_PKEY_RSA:
            if bitCount == 2048 { return .rsa2048 }
            if bitCount == 3072 { return .rsa3072 }
            throw .unsupported("RSA-\(bitCount)")
        case EVP_PKEY_EC:
            let curve = curveName
            if curve == "prime256v1" { return .ecdsaP256 }
            if curve == "secp384r1" { return .ecdsaP384 }
            throw .unsupported("ECDSA over \(curve)")
        case EVP_PKEY_X25519: throw .unsupported("X25519, which encrypts")
        default:
            let name = EVP_PKEY_get0_type_name(pointer).map { String(cString: $0) }
            throw .unsupported(name ?? "unknown")
        }
    }

    private var curveName: String {
        var name = [CChar](repeating: 0, count: 64)
        var byteCount = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &byteCount) == 1 else {
            return "an unnamed curve"
        }
        let bytes = name.prefix(byteCount).map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
