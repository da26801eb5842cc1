/// The role that advertises and serves. One adapter, or one place in a simulated world.
public protocol Peripheral: Sendable {
    /// Runs an application on this backend's stack until the task is canceled or the adapter goes
    /// away; then its links are ended, its services withdrawn, and its advertising stopped.
    ///
    /// The application itself never waits (``PeripheralApplication``), so that a simulator can run
    /// it in its event loop; this is the way to run it from a task.
    func serve(_ application: sending some PeripheralApplication) async throws(BluetoothError)
}
