import BargeProtocol
import Bluetooth

extension BargeHost {
    /// Copies a file to a device.
    /// - Parameters:
    ///   - name: its name there, 1…255 bytes as BTP-080 allows.
    ///   - events: told what happens, on the caller's own executor.
    /// - Returns: what came of it: `copied`, or `unchanged` where it was there already.
    public func push(
        _ source: UploadSource, to device: DeviceReference, as name: String,
        events: @escaping (TransferEvent) -> Void = { _ in }
    ) async throws(BargeError) -> TransferSummary {
        let object = ObjectReference(kind: .file, name: try Self.fileName(name))
        let digest = try Self.digest(of: source)
        let log = TransferLog(begin: central.now, emit: events)
        let wasSent = try await persist(device, log: log) { (session) throws(BargeError) in
            guard session.hello.features.contains(.files) else {
                throw BargeError(ErrorMessage(.notSupported), while: "the file")
            }
            let upload = Upload(
                source: source, object: object, digest: digest,
                compressionLevel: options.compressionLevel, log: log)
            return try await upload.run(session.driver)
        }
        return log.finish(
            wasSent ? .copied : .unchanged, bytes: source.length, digest: digest,
            now: central.now)
    }

    static func fileName(_ text: String) throws(BargeError) -> Name {
        guard let name = Name(utf8: text), name.isValidFileName else {
            throw BargeError(ErrorMessage(.badName), while: "the name")
        }
        return name
    }

    static func digest(of source: UploadSource) throws(BargeError) -> Digest {
        do {
            return try source.digest()
        } catch {
            throw BargeError(error)
        }
    }
}

extension BargeError {
    /// A local file's trouble, in its own words.
    public init(_ error: LocalFileError) {
        let kind: Kind =
            switch error.kind {
            case .notFound: .localFileMissing
            case .changed: .verification
            case .notAFile, .alreadyExists, .badName: .localFileUnusable
            case .busy, .storageFull, .denied, .outputClosed, .newerVersion, .corrupt,
                .inputOutput:
                .localFile
            }
        self.init(
            kind, "local-file", what: error.what, why: error.why, advice: error.advice)
    }
}
