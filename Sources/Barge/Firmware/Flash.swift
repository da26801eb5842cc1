import BargeProtocol
import Bluetooth
import Synchronization

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
        var flash = FlashCourse(
            image: image, digest: digest, flashing: flashing,
            compressionLevel: options.compressionLevel, log: log)
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
                let silence = min(microseconds, flashing.returnMicroseconds)
                let deadline = central.now.advanced(
                    microseconds: silence + flashing.returnMicroseconds)
                try await sleep(silence)
                target = .peer(
                    try await awaitReturn(of: identity, lastKnown: outcome.1, until: deadline))
            }
        }
    }

    /// Waits until the device of this serial answers with another boot id (BTP-093): where it was
    /// last, else wherever the service is advertised.
    private func awaitReturn(
        of identity: DeviceIdentity, lastKnown: PeerID, until deadline: LinkInstant
    ) async throws(BargeError) -> PeerID {
        var strangers: Set<PeerID> = []
        while central.now < deadline {
            if try await answer(of: identity, at: lastKnown) == .isBack { return lastKnown }
            // A bench has many devices with the service: none of them may hide the one.
            for peer in try await advertisers() where peer != lastKnown {
                guard !strangers.contains(peer), !identity.serial.isEmpty else { continue }
                switch try await answer(of: identity, at: peer) {
                case .isBack: return peer
                case .isAnother: strangers.insert(peer)
                case .isSilent: break
                }
            }
            try await sleep(Self.returnPauseMicroseconds)
        }
        throw BargeError(
            .verification, "device-did-not-return", what: "The device did not come back",
            why: "it was not heard within its time after the reset",
            advice: "Look at the device; unless the new image was confirmed, the old one comes "
                + "back at its next reset")
    }

    /// Asks who is at `peer`. One that does not answer may be back later.
    private func answer(
        of identity: DeviceIdentity, at peer: PeerID
    ) async throws(BargeError) -> ReturnAnswer {
        let quiet = TransferLog(begin: central.now) { _ in }
        do throws(BargeError) {
            return try await once(.peer(peer), log: quiet) { (session) throws(BargeError) in
                let hello = session.hello
                guard hello.serial == identity.serial else { return .isAnother }
                return hello.bootID == identity.bootID ? .isSilent : .isBack
            }
        } catch {
            // Who is busy, or cannot be reached for want of a free link, may answer later.
            guard error.recovery != .retry else { return .isSilent }
            switch error.kind {
            case .linkLost, .deviceNotFound: return .isSilent
            // What cannot be talked to is not the one that was talked to before the reset.
            case .security, .refused: return .isAnother
            case .remoteFileNotFound, .bluetoothUnavailable, .verification, .localFileMissing,
                .localFileUnusable, .localFile, .outputClosed, .canceled:
                throw error
            }
        }
    }

    /// Who advertises the service just now.
    private func advertisers() async throws(BargeError) -> [PeerID] {
        var filter = ScanFilter()
        filter.service = BluetoothUUID(.service)
        let heard = Mutex<[PeerID]>([])
        try await discover(filter, forMicroseconds: Self.returnScanMicroseconds) { found in
            heard.withLock { if !$0.contains(found.peer) { $0.append(found.peer) } }
            return true
        }
        return heard.withLock { $0 }
    }

    private static var returnPauseMicroseconds: UInt64 { 500_000 }
    /// Long enough to hear devices that advertise once a second.
    private static var returnScanMicroseconds: UInt64 { 2_000_000 }
}

/// Who is at a peer where a device is awaited.
private enum ReturnAnswer {
    case isBack
    case isAnother
    /// Nobody, or the device before its reset.
    case isSilent
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
