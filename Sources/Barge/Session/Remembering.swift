import BargeProtocol
import Bluetooth

extension BargeHost {
    /// Notes where a device of a serial was found. A list that cannot be written costs a line of
    /// the trace, not the transfer.
    func remember(_ sighting: DeviceSighting) {
        guard let knownDevices, !sighting.serial.isEmpty else { return }
        do throws(LocalFileError) {
            let warnings = try knownDevices.remember([sighting])
            for warning in warnings { steps.step(warning.sentence, at: central.now) }
        } catch {
            steps.step("the device is not remembered: \(error.why)", at: central.now)
        }
    }
}

extension DeviceSighting {
    init(_ hello: Hello, at peer: PeerID) {
        self.init(
            serial: hello.serial.printable, model: hello.model.printable, name: nil, peer: peer,
            seconds: System.secondsSince1970())
    }
}
