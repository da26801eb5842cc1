/// How an image is put on a device.
public struct FlashOptions: Hashable, Sendable {
    /// Which image of the device; 0 is the application.
    public var imageNumber: UInt8 = 0
    /// Reset the device into the image once it is there.
    public var resets = true
    /// Make the image permanent once it runs.
    public var confirms = true
    /// Send it, and reset into it, even if it runs already. A link that is lost meanwhile starts it
    /// over: a device that has the image says so to whoever asks where to go on.
    public var force = false
    /// How long the device may take to come back after the time that it says its reset takes, in µs
    /// of the backend's clock. What it says counts up to as much again. As long as for any other
    /// loss: one that is out of range meanwhile cannot be told from one that does not start.
    public var returnMicroseconds: UInt64 = 300_000_000

    /// Send, reset, confirm.
    public init() {}
}
