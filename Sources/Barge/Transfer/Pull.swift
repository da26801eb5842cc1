import BargeProtocol
import Bluetooth

extension BargeHost {
    /// Copies a file from a device. What arrives is kept beside the destination and becomes it at
    /// once when its digest agrees with the device's.
    /// - Parameters:
    ///   - overwrite: whether another file at the destination may be replaced. One that the
    ///     device's file begins with, as a log that has grown does, is continued without it.
    ///   - events: told what happens, on the caller's own executor.
    /// - Returns: what came of it: `copied`, or `unchanged` where the same file was there already.
    public func pull(
        _ name: String, from device: DeviceReference, to destination: DownloadDestination,
        overwrite: Bool = false, events: @escaping (TransferEvent) -> Void = { _ in }
    ) async throws(BargeError) -> TransferSummary {
        let object = ObjectReference(kind: .file, name: try Self.fileName(name))
        let log = TransferLog(begin: central.now, isDownload: true, emit: events)
        var part: (target: DownloadTarget, overwrites: Bool)?
        let outcome = try await persist(device, log: log) { (session) throws(BargeError) in
            if part == nil {
                switch try await admit(object, destination, overwrite, session) {
                case .unchanged(let status):
                    return PullOutcome(
                        result: .unchanged, bytes: status.size, digest: status.digest)
                case .transfer:
                    let target = try Self.part(destination, serial: session.hello.serial)
                    part = (target, overwrite)
                case .continuing(let existing):
                    let target = try Self.part(destination, serial: session.hello.serial)
                    try Self.seed(target, with: existing)
                    part = (target, true)
                }
            }
            guard let part else { preconditionFailure("set above") }
            try await Download(object: object, name: name, target: part.target, log: log)
                .run(session.driver)
            return try Self.finish(part.target, overwrite: part.overwrites)
        }
        return log.finish(
            outcome.result, bytes: outcome.bytes, digest: outcome.digest, now: central.now)
    }

    /// What to do, seeing what is at the destination.
    private enum Admission {
        /// The same file is there.
        case unchanged(FileStatus)
        /// The file is wanted.
        case transfer
        /// The file there is the beginning of the device's: a log that has grown since. Nothing of
        /// it is lost when the rest is added, so that needs nobody's leave.
        case continuing(UploadSource)
    }

    /// Looks before any byte travels whether the destination may be written.
    private func admit(
        _ object: ObjectReference, _ destination: DownloadDestination, _ overwrite: Bool,
        _ session: OpenSession<Backend.Connection>
    ) async throws(BargeError) -> Admission {
        guard let existing = try Self.existing(destination) else { return .transfer }
        guard
            case .stated(let status) = try await session.driver.request(
                .stat(object), while: "asking for the file")
        else { preconditionFailure("the session lets no other answer through") }
        let refusal: LocalFileError
        do {
            let admission = try destination.admit(
                length: status.size, digest: status.digest, overwrite: overwrite)
            return admission == .unchanged ? .unchanged(status) : .transfer
        } catch {
            refusal = error
        }
        guard refusal.kind == .alreadyExists, existing.length < status.size,
            try await begins(object, with: existing, session.driver)
        else { throw BargeError(refusal) }
        return .continuing(existing)
    }

    private static func existing(
        _ destination: DownloadDestination
    ) throws(BargeError) -> UploadSource? {
        do {
            guard try destination.isOccupied(), case .file(let path) = destination.place else {
                return nil
            }
            return try UploadSource(path: path)
        } catch {
            throw BargeError(error)
        }
    }

    /// True where the device's file begins with these bytes: a read of nothing behind them answers
    /// with the digest of all before (BTP-070, BTP-073).
    private func begins(
        _ object: ObjectReference, with existing: UploadSource, _ driver: HostDriver
    ) async throws(BargeError) -> Bool {
        driver.begin(.read(ReadRequest(object: object, offset: existing.length, length: 0)))
        _ = try await driver.nextAnswer(while: "comparing the file")
        guard case .readEnd(let end) = try await driver.nextAnswer(while: "comparing the file")
        else { preconditionFailure("the session lets no other answer through") }
        do {
            return try existing.digest() == end.digest
        } catch {
            throw BargeError(error)
        }
    }

    /// Puts what is there already into a part that holds nothing yet.
    private static func seed(
        _ target: DownloadTarget, with existing: UploadSource
    ) throws(BargeError) {
        guard target.heldBytes == 0 else { return }
        do {
            while target.heldBytes < existing.length {
                let count = min(Self.seedBytes, existing.length - target.heldBytes)
                var chunk = [UInt8](repeating: 0, count: Int(count))
                var span = chunk.mutableSpan
                var bytes = span.mutableBytes
                try bytes.withUnsafeMutableBytes { (buffer) throws(LocalFileError) in
                    try existing.read(at: target.heldBytes, into: buffer)
                }
                try target.append(chunk.span.bytes)
            }
        } catch {
            throw BargeError(error)
        }
    }

    /// What is copied at once from a file that is continued.
    private static var seedBytes: UInt64 { 256 * 1024 }

    private static func part(
        _ destination: DownloadDestination, serial: Name
    ) throws(BargeError) -> DownloadTarget {
        do {
            return try DownloadTarget(destination, deviceSerial: serial.printable)
        } catch {
            throw BargeError(error)
        }
    }

    private static func finish(
        _ part: DownloadTarget, overwrite: Bool
    ) throws(BargeError) -> PullOutcome {
        do {
            let outcome = PullOutcome(
                result: .copied, bytes: part.heldBytes, digest: try part.digest())
            try part.finish(overwrite: overwrite)
            return outcome
        } catch {
            throw BargeError(error)
        }
    }
}

private struct PullOutcome {
    let result: TransferSummary.Result
    let bytes: UInt64
    let digest: Digest
}
