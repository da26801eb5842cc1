import Barge
import BargePeripheral
import BluetoothSimulation

/// Simulated devices that live in files and outlast the process.
enum SimulatedDevice {
    /// How long a command waits for another one that has the device.
    static let patience = Duration.seconds(10)

    /// `demo` is made on its first use.
    static func makeDemonstration(
        _ name: String, _ stateDirectory: String
    ) throws(Failure) {
        let directory = SimulationDirectory(stateDirectory: stateDirectory)
        guard name == SimulationDirectory.demonstration, try !directory.exists(name) else { return }
        do throws(Failure) {
            try create(
                name: name, settings: SimulatedDeviceSettings(), hasSamples: true,
                stateDirectory: stateDirectory)
        } catch {
            // Another process may have been faster.
            if try !directory.exists(name) { throw error }
        }
    }
}
