public import Bluetooth

/// Moves firmware and files to and from devices. The one entrance to this library.
///
/// It holds nothing but a backend and how to use it: every call connects, does its work, says
/// goodbye and disconnects; a link that is lost on the way is taken up again, at the device's own
/// offset. Calls on different devices may run side by side.
public struct BargeHost<Backend: Central>: Sendable {
    /// The adapter or the simulated radio.
    public let central: Backend
    /// How to reach devices.
    public var options: HostOptions
    /// Answers what pairing asks; nil: only Just Works is possible.
    public var pairing: (any PairingDelegate)?
    /// Where devices are remembered by their serial; nil: nowhere.
    public var knownDevices: KnownDevices?
    /// The actor that its caller's code runs on, where it does on one: what keeps the links runs
    /// there too, so that on a virtual clock neither sees time pass while the other computes. Nil,
    /// which is right for every real adapter, gives each link an actor of its own.
    public var home: (any Actor)?
    /// Told what happens underneath, step by step and frame by frame; nil for nobody.
    public var trace: (@Sendable (TraceLine) -> Void)?

    /// A host on a backend.
    public init(central: Backend, options: HostOptions = HostOptions()) {
        self.central = central
        self.options = options
    }
}
