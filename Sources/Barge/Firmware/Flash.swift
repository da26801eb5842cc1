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
        var flash = FlashCourse(
            image: image, digest: digest, flashing: flashing,
            compressionLevel: options.compressionLevel, log: log)
        let result = try await keep(device, log: log) {
            (session) throws(BargeError) -> Verdict<TransferSummary.Result> in
            switch try await flash.advance(session) {
            case .finished(let result): return .finished(result)
            case .resetting(let microseconds):
                log.tell(.rebooting)
                return .resetting(
                    silenceMicroseconds: min(microseconds, flashing.returnMicroseconds),
                    patienceMicroseconds: flashing.returnMicroseconds)
            }
        }
        return log.finish(result, bytes: image.length, digest: digest, now: central.now)
    }
}
