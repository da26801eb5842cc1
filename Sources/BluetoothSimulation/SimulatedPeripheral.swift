public import Bluetooth

/// A place in a simulated world for an application that is run from a task.
public struct SimulatedPeripheral: Peripheral {
    private let radio: SimulatedRadio
    private let configuration: DeviceConfiguration

    /// A place under the configuration's name; nobody is there before ``serve(_:)``.
    public init(radio: SimulatedRadio, configuration: DeviceConfiguration) {
        self.radio = radio
        self.configuration = configuration
    }

    /// Puts the application into the world as a device, and takes it out when the task is
    /// canceled; returns where somebody else took it out. Waiting for that lets no time pass.
    public func serve(
        _ application: sending some PeripheralApplication
    ) async throws(BluetoothError) {
        let peer = configuration.peer
        let isTaken = radio.withWorld { world in
            if world.device(peer) != nil { return true }
            world.addDevice(configuration, application: application)
            return false
        }
        if isTaken {
            throw .unavailable("a device named \(peer) is in the simulated world already")
        }
        do throws(BluetoothError) {
            _ = try await radio.wait(for: .removed(peer), until: .distantFuture)
        } catch {
            radio.withWorld { world in
                if world.device(peer) != nil { world.removeDevice(peer) }
            }
            throw error
        }
    }
}
