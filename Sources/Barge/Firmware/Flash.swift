import BargeProtocol
import Bluetooth

extension BargeHost {
    /// Puts a firmware image on a device, resets the device into it, and confirms it.
    ///
    /// Success is the device's own word, after the reset, that the image runs and is confirmed
    /// (BTP-094). Every step looks first at what is done already, so the same call again goes on
    /// where an earlier one stopped.
    /// - Parameter events: told what happens, on the caller's own executor.
    public func flash(
        _ image: UploadSource, to device: DeviceReference, flashing: FlashOptions = FlashOptions(),
        events: @escaping (TransferEvent) -> Void = { _ in }
    ) async throws(BargeError) -> TransferSummary {
        let digest = try Self.digest(of: image)
        let log = TransferLog(begin: central.now, emit: events)
        var flash = FlashCourse(image: image, digest: digest, flashing: flashing, log: log)
        flash.compressionLevel = options.compressionLevel
        var target = device
        while true {
            let outcome = try await persist(target, log: log) { (session) throws(BargeError) in
                (try await flash.advance(session), session.connection.peer)
            }
            switch outcome.0 {
            case .finished(let result):
                return log.finish(result, bytes: image.length, digest: digest, now: central.now)
            case .resetting(let identity, let microseconds):
                log.tell(.rebooting)
                let peer = try await awaitReturn(
                    of: identity, lastKnown: outcome.1, resetMicroseconds: microseconds,
                    deadline: central.now.advanced(
                        microseconds: flashing.returnMicroseconds + microseconds))
                target = .peer(peer)
            }
        }
    }

    /// Waits until the device of this serial answers with another boot id (BTP-093): where it was
    /// last, else wherever the service is advertised.
    private func awaitReturn(
        of identity: DeviceIdentity, lastKnown: PeerID, resetMicroseconds: UInt64,
        deadline: LinkInstant
    ) async throws(BargeError) -> PeerID {
        try await sleep(resetMicroseconds)
        var candidate: PeerID? = lastKnown
        while central.now < deadline {
            if let peer = candidate, try await isBack(identity, at: peer) { return peer }
            var filter = ScanFilter()
            filter.service = BluetoothUUID(.service)
            candidate = try await firstAdvertiser(filter, until: min(deadline, stepDeadline))
            if candidate == nil || candidate == lastKnown { candidate = lastKnown }
            try await sleep(500_000)
        }
        throw BargeError(
            .verification, "device-did-not-return", what: "The device did not come back",
            why: "it was not heard within its time after the reset",
            advice: "Look at the device; unless the new image was confirmed, the old one comes "
                + "back at its next reset")
    }

    /// Asks a device who it is. One that does not answer is not back yet.
    private func isBack(
        _ identity: DeviceIdentity, at peer: PeerID
    ) async throws(BargeError) -> Bool {
        let quiet = TransferLog(begin: central.now) { _ in }
        do throws(BargeError) {
            return try await once(.peer(peer), log: quiet) { (session) throws(BargeError) in
                let hello = session.hello
                return hello.serial == identity.serial && hello.bootID != identity.bootID
            }
        } catch {
            guard error.kind == .linkLost || error.kind == .deviceNotFound else { throw error }
            return false
        }
    }
}

/// By what a device is known again after its reset.
struct DeviceIdentity: Equatable {
    let serial: Name
    let bootID: UInt32

    init(_ hello: Hello) {
        serial = hello.serial
        bootID = hello.bootID
    }
}
