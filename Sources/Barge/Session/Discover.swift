import BargeProtocol
public import Bluetooth

extension BargeHost {
    /// Hands each device that is newly heard to `body`, until that answers false or `duration` is
    /// over.
    /// - Parameters:
    ///   - filter: what a device must match; by default anything that advertises.
    ///   - durationMicroseconds: of the backend's clock.
    public func discover(
        _ filter: ScanFilter = ScanFilter(), forMicroseconds durationMicroseconds: UInt64,
        body: @Sendable (Advertisement) -> Bool
    ) async throws(BargeError) {
        do throws(BluetoothError) {
            let deadline = central.now.advanced(microseconds: durationMicroseconds)
            for try await heard in central.advertisements(filter, until: deadline) {
                guard body(heard) else { return }
            }
        } catch {
            throw BargeError(error, while: "scanning")
        }
    }
}

extension Advertisement {
    /// True where the device announces the Barge service (BTP-001).
    public var speaksBarge: Bool { serviceUUIDs.contains(BargeService.uuid) }
}
