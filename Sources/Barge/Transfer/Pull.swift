import BargeProtocol
import Bluetooth

extension BargeHost {
    /// Copies a file from a device. What arrives is kept beside the destination and becomes it at
    /// once when its digest agrees with the device's.
    /// - Parameters:
    ///   - overwrite: whether another file at the destination may be replaced.
    ///   - events: told what happens, on the caller's own executor.
    /// - Returns: what came of it: `copied`, or `unchanged` where the same file was there already.
    public func pull(
        _ name: String, from device: DeviceReference, to destination: DownloadDestination,
        overwrite: Bool = false, events: @escaping (TransferEvent) -> Void = { _ in }
    ) async throws(BargeError) -> TransferSummary {
        let object = ObjectReference(kind: .file, name: try Self.fileName(name))
        let log = TransferLog(begin: central.now, isDownload: true, emit: events)
        var target: DownloadTarget?
        let outcome = try await persist(device, log: log) { (session) throws(BargeError) in
            if target == nil,
                let unchanged = try await admit(object, destination, overwrite, session)
            {
                return PullOutcome(
                    result: .unchanged, bytes: unchanged.size, digest: unchanged.digest)
            }
            let part: DownloadTarget
            if let target {
                part = target
            } else {
                part = try Self.part(destination, serial: session.hello.serial)
            }
            target = part
            try await Download(object: object, name: name, target: part, log: log)
                .run(session.driver)
            return try Self.finish(part, overwrite: overwrite)
        }
        return log.finish(
            outcome.result, bytes: outcome.bytes, digest: outcome.digest, now: central.now)
    }

    /// Looks before any byte travels whether the destination may be written: the device's word on
    /// the file where it is there unchanged, else nil.
    private func admit(
        _ object: ObjectReference, _ destination: DownloadDestination, _ overwrite: Bool,
        _ session: OpenSession<Backend.Connection>
    ) async throws(BargeError) -> FileStatus? {
        do {
            guard try destination.isOccupied() else { return nil }
        } catch {
            throw BargeError(error)
        }
        guard
            case .stated(let status) = try await session.driver.request(
                .stat(object), while: "asking for the file")
        else { preconditionFailure("the session lets no other answer through") }
        do {
            let admission = try destination.admit(
                length: status.size, digest: status.digest, overwrite: overwrite)
            return admission == .unchanged ? status : nil
        } catch {
            throw BargeError(error)
        }
    }

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
