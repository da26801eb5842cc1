/// How an image is put on a device.
public struct FlashOptions: Hashable, Sendable {
    /// Which image of the device; 0 is the application.
    public var imageNumber: UInt8 = 0
    /// Reset the device into the image once it is there.
    public var resets = true
    /// Make the image permanent once it runs.
    public var confirms = true
    /// Reset the device into it even if it runs already, confirmed.
    public var force = false
    /// How long the device may take to come back after its reset, in µs of the backend's clock.
    public var returnMicroseconds: UInt64 = 60_000_000

    /// Send, reset, confirm.
    public init() {}
}
