import BargePeripheral

/// Where a simulated device lies, and how its text files are read.
struct DeviceFiles: Sendable {
    let name: String
    /// Its directory.
    let path: String

    var settingsPath: String { path + "/device.conf" }
    var statePath: String { path + "/state" }
    var flashPath: String { path + "/flash.bin" }
    var storePath: String { path + "/files" }
    var lockPath: String { path + "/lock" }

    func attemptLock() throws(Failure) -> DeviceLock.Attempt {
        do throws(SystemFailure) {
            guard try System.entry(at: path) == .directory else { return .gone }
            return try DeviceLock.attempt(lockPath)
        } catch {
            throw SimulationFailure.file(.write, path: lockPath, errorNumber: error.errorNumber)
        }
    }

    /// Who uses the device now, without any claim to it: nobody, or a process that may have told
    /// its number.
    func user() -> DeviceLock.User { DeviceLock.user(lockPath) }

    func settings() throws(Failure) -> SimulatedDeviceSettings {
        guard let bytes = try contents(of: settingsPath) else {
            throw SimulationFailure.damaged(
                path: settingsPath, reason: "it is missing", device: name)
        }
        do throws(KeyValueText.Problem) {
            return try SimulatedDeviceSettings(bytes)
        } catch {
            throw SimulationFailure.unreadable(error, path: settingsPath, device: name)
        }
    }

    /// The state; that of a device that is off where none was kept.
    func state() throws(Failure) -> DeviceState {
        guard let bytes = try contents(of: statePath) else { return DeviceState() }
        do throws(KeyValueText.Problem) {
            return try DeviceState(bytes)
        } catch {
            throw SimulationFailure.unreadable(error, path: statePath, device: name)
        }
    }

    private func contents(of path: String) throws(Failure) -> [UInt8]? {
        do throws(SystemFailure) {
            // One byte more than allowed, so that a longer file is told apart.
            return try System.contents(of: path, limit: KeyValueText.maximumBytes + 1)
        } catch {
            throw SimulationFailure.file(.read, path: path, errorNumber: error.errorNumber)
        }
    }
}
