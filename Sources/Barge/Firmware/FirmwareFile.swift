import BargeProtocol
import FirmwareImage

/// A firmware file that was read, checked and made ready for a device's slot.
public struct FirmwareFile: Sendable {
    /// The file's name without its folder; `stdin` for the standard input.
    public let name: String
    /// Bytes of the file as it is on the disk.
    public let fileByteCount: Int
    /// What is in it.
    public let image: FirmwareImage

    /// The bytes that go to the device.
    public var payload: [UInt8] { image.payload }

    /// What the user should know, a sentence each.
    public var notes: [String] { image.notes.map(\.sentence) }

    /// Format, version and size in a phrase: `MCUboot image 1.1.0+0, 2064 bytes`.
    public var summary: String {
        var words = image.format.displayName
        if let mcuboot = image.mcuboot {
            let container = image.format == .mcuboot ? "" : " in an \(image.format.displayName)"
            words = "MCUboot image \(mcuboot.header.version)\(container)"
        }
        return "\(words), \(payload.count) bytes"
    }

    /// Reads a file, or with `-` the standard input, and checks it as far as it can be checked
    /// here: its format against its name, its structure, MCUboot's hash, and the signature if a
    /// key is given.
    ///
    /// - Parameter keyPath: the public key that must verify the image, in PEM or DER.
    /// - Parameter erasedValue: what fills the gaps of HEX, UF2 and ELF files.
    /// - Throws: ``BargeError`` of kind `verification` for a damaged image and a signature that is
    ///   not valid; of one of the kinds for local files where file or key cannot be read.
    public static func load(
        path: String, keyPath: String? = nil, erasedValue: UInt8 = 0xFF
    ) throws(BargeError) -> FirmwareFile {
        let file = try read(path: path, erasedValue: erasedValue)
        if let keyPath {
            let outcome = try file.verify(keyPath: keyPath)
            if !outcome.isValid { throw file.error(for: outcome) }
        } else {
            try file.requireIntact()
        }
        return file
    }

    /// Reads and parses a file, or with `-` the standard input, without looking at its hash.
    ///
    /// - Throws: ``BargeError`` as ``load(path:keyPath:erasedValue:)`` does.
    public static func read(
        path: String, erasedValue: UInt8 = 0xFF
    ) throws(BargeError) -> FirmwareFile {
        let (bytes, name) = try LocalBytes.read(
            path, limit: ParseOptions.largestFileByteCount,
            excess: "no firmware image for a device of this kind is that large")
        var options = ParseOptions()
        options.erasedValue = erasedValue
        options.expectedFormat = name.expectedFormat
        do throws(ImageError) {
            let image = try FirmwareImage.parse(bytes, options: options)
            return FirmwareFile(name: name, fileByteCount: bytes.count, image: image)
        } catch {
            throw BargeError(error.explanation, "bad-image", name)
        }
    }

    /// The SHA-256 of the payload, by which a device names the image.
    ///
    /// - Throws: ``BargeError`` of kind `verification` when the cryptography fails.
    public func sha256() throws(BargeError) -> [UInt8] {
        do throws(CryptographyFailure) {
            return try OpenSSLCryptography().digest(payload.span.bytes, by: .sha256)
        } catch {
            throw BargeError(error.explanation, "cryptography", name)
        }
    }

    /// What MCUboot's own hash says; nil where there is no MCUboot image.
    ///
    /// - Throws: ``BargeError`` of kind `verification` when the cryptography fails.
    public func checkHash() throws(BargeError) -> HashCheck? {
        do throws(CryptographyFailure) {
            return try image.checkHash(using: OpenSSLCryptography())
        } catch {
            throw BargeError(error.explanation, "cryptography", name)
        }
    }

    /// Verifies hash and signature with the public key in a file.
    ///
    /// - Throws: ``BargeError`` where the key file cannot be read or is none, and when the
    ///   cryptography fails.
    public func verify(keyPath: String) throws(BargeError) -> VerificationOutcome {
        let (bytes, keyName) = try LocalBytes.read(
            keyPath, limit: PublicKeyProblem.largestFileByteCount,
            excess: "no file with a public key is that large")
        let cryptography = OpenSSLCryptography()
        let outcome: VerificationOutcome
        do throws(CryptographyFailure) {
            outcome = try image.verify(keyFile: bytes, using: cryptography)
        } catch {
            throw BargeError(error.explanation, "cryptography", name)
        }
        if case .unreadableKey(let problem) = outcome {
            throw BargeError(problem.explanation, "bad-key", keyName, .localFileUnusable)
        }
        return outcome
    }

    /// What a verification that failed means for this file.
    public func error(for outcome: VerificationOutcome) -> BargeError {
        BargeError(outcome.explanation, "not-verified", name)
    }

    private func requireIntact() throws(BargeError) {
        if let outcome = try checkHash()?.failedOutcome { throw error(for: outcome) }
    }
}

extension HashCheck {
    /// A hash that does not match, as the outcome of a verification.
    public var failedOutcome: VerificationOutcome? {
        guard case .mismatch(let algorithm, let stated, let computed) = self else { return nil }
        return .hashMismatch(algorithm, stated: stated, computed: computed)
    }
}

extension String {
    /// What a file of this name claims to be; nil where the name claims nothing.
    fileprivate var expectedFormat: ImageFormat? {
        guard let dot = lastIndex(of: ".") else { return nil }
        return ImageFormat(fileExtension: String(self[index(after: dot)...]))
    }
}

extension BargeError {
    /// What is wrong with a file, in the words of the image parser.
    fileprivate init(
        _ explanation: Explanation, _ identifier: String, _ name: String,
        _ kind: Kind = .verification
    ) {
        self.init(
            kind, identifier, what: "\(name): \(explanation.error.asClause)",
            why: explanation.reason.asClause, advice: explanation.advice.asClause)
    }
}

extension String {
    /// A sentence without its full stop, and with a small letter first unless that belongs to an
    /// abbreviation, to stand in a row with others.
    fileprivate var asClause: String {
        let body = hasSuffix(".") ? String(dropLast()) : self
        guard let first = body.first, let second = body.dropFirst().first, !second.isUppercase
        else { return body }
        return first.lowercased() + body.dropFirst()
    }
}
