/// A moment on a backend's own clock: the kernel's monotonic one, or the simulator's virtual one.
public struct LinkInstant: Hashable, Comparable, Sendable {
    /// Microseconds since the backend started.
    public var microseconds: UInt64

    /// The moment `microseconds` after the backend started.
    public init(microseconds: UInt64) { self.microseconds = microseconds }

    /// When the backend started.
    public static let zero = LinkInstant(microseconds: 0)

    /// A moment that no clock reaches.
    public static let distantFuture = LinkInstant(microseconds: .max)

    /// Earlier moments come first.
    public static func < (left: LinkInstant, right: LinkInstant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// This moment and so many microseconds.
    public func advanced(microseconds delta: UInt64) -> LinkInstant {
        LinkInstant(microseconds: microseconds &+ delta)
    }

    /// Microseconds from `earlier` to this moment; 0 if that lies in its future.
    public func microseconds(since earlier: LinkInstant) -> UInt64 {
        microseconds > earlier.microseconds ? microseconds - earlier.microseconds : 0
    }
}
