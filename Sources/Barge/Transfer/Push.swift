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

    /// A name that the device will take (BTP-080); it is not asked for that.
    static func fileName(_ text: String) throws(BargeError) -> Name {
        do {
            return try Name(ofFile: text)
        } catch {
            throw BargeError(error)
        }
    }

    static func digest(of source: UploadSource) throws(BargeError) -> Digest {
        do {
            return try source.digest()
        } catch {
            throw BargeError(error)
        }
    }
}
