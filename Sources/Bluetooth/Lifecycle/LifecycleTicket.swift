/// One operation that the lifecycle has begun, by number; never used again within a lifecycle.
public struct LifecycleTicket: Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Earlier ones come first.
    public static func < (left: LifecycleTicket, right: LifecycleTicket) -> Bool {
        left.rawValue < right.rawValue
    }
}
