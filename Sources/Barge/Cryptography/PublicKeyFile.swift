import CCrypto
import FirmwareImage

/// Reads keys the way people keep them: PEM of several kinds, or DER. Never asks for a password.
struct PublicKeyFile {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(PublicKeyProblem) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= PublicKeyProblem.largestFileByteCount else {
            throw .tooLarge(byteCount: bytes.count)
        }
        self.bytes = bytes
    }

    func key() throws(PublicKeyProblem) -> ImagePublicKey {
        defer { ERR_clear_error() }
        let blocks = PEMBlock.all(in: bytes)
        if blocks.isEmpty { return try fromDER() }
        var problem = PublicKeyProblem.notAKey
        for block in blocks {
            if block.isProtected { throw .passwordProtected }
            if let key = try Self.key(in: block) { return key }
            if block.name.hasSuffix("CERTIFICATE") { problem = .unsupported("a certificate") }
        }
        throw problem
    }

    private static func key(in block: PEMBlock) throws(PublicKeyProblem) -> ImagePublicKey? {
        switch block.name {
        case "PUBLIC KEY":
            return try publicKey(decode(block.bytes, as: .subjectPublicKeyInfo))
        case "RSA PUBLIC KEY":
            return try publicKey(decode(block.bytes, as: .rsaPublicKey))
        case "PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY":
            return try publicKey(decode(block.bytes, as: .privateKey), isFromPrivateKey: true)
        default: return nil
        }
    }

    private func fromDER() throws(PublicKeyProblem) -> ImagePublicKey {
        if let key = Self.decode(bytes, as: .subjectPublicKeyInfo) {
            return try Self.publicKey(key)
        }
        if let key = Self.decode(bytes, as: .rsaPublicKey) { return try Self.publicKey(key) }
        return try Self.publicKey(
            Self.decode(bytes, as: .privateKey), isFromPrivateKey: true)
    }

    private enum Encoding {
        case subjectPublicKeyInfo, rsaPublicKey, privateKey
    }

    private static func decode(_ bytes: [UInt8], as encoding: Encoding) -> OpaquePointer? {
        EVPKey.decode(bytes) { cursor, count in
            switch encoding {
            case .subjectPublicKeyInfo: d2i_PUBKEY(nil, &cursor, count)
            case .rsaPublicKey: d2i_PublicKey(EVP_PKEY_RSA, nil, &cursor, count)
            case .privateKey: d2i_AutoPrivateKey(nil, &cursor, count)
            }
        }
    }

    private static func publicKey(
        _ pointer: OpaquePointer?, isFromPrivateKey: Bool = false
    ) throws(PublicKeyProblem) -> ImagePublicKey {
        guard let pointer else { throw .notAKey }
        let key = EVPKey(owning: pointer)
        let kind = try key.kind()
        let whole = key.encoded { i2d_PUBKEY($0, $1) }
        let isRSA = kind == .rsa2048 || kind == .rsa3072
        let inImage = isRSA ? key.encoded { i2d_PublicKey($0, $1) } : whole
        guard let whole, let inImage else {
            throw .failure(.latest(while: "encoding a public key"))
        }
        return ImagePublicKey(
            kind: kind, subjectPublicKeyInfo: whole, imageEncoding: inImage,
            isFromPrivateKey: isFromPrivateKey)
    }
}

/// One `-----BEGIN …-----` block of a PEM file (RFC 7468), decoded.
private struct PEMBlock {
    /// The largest number of blocks that is looked at.
    static let largestCount = 16

    let name: String
    let bytes: [UInt8]
    /// Whether the contents are encrypted under a password, in either of the two known ways.
    let isProtected: Bool

    static func all(in file: [UInt8]) -> [PEMBlock] {
        file.withUnsafeBytes { memory in
            guard let stream = BIO_new_mem_buf(memory.baseAddress, Int32(memory.count)) else {
                return []
            }
            defer { BIO_free(stream) }
            var blocks: [PEMBlock] = []
            while blocks.count < largestCount, let block = next(in: stream) {
                blocks.append(block)
            }
            return blocks
        }
    }

    private static func next(in stream: OpaquePointer) -> PEMBlock? {
        var name: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var contents: UnsafeMutablePointer<UInt8>?
        var byteCount = 0
        guard PEM_read_bio(stream, &name, &header, &contents, &byteCount) == 1 else { return nil }
        defer {
            CRYPTO_free(name, #file, #line)
            CRYPTO_free(header, #file, #line)
            CRYPTO_free(contents, #file, #line)
        }
        let kind = name.map { String(cString: $0) } ?? ""
        let attributes = header.map { String(cString: $0) } ?? ""
        return PEMBlock(
            name: kind, bytes: [UInt8](UnsafeBufferPointer(start: contents, count: byteCount)),
            isProtected: kind == "ENCRYPTED PRIVATE KEY" || attributes.contains("ENCRYPTED"))
    }
}
