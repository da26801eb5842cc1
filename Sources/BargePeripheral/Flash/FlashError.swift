/// The three things that can be done to a flash.
public enum FlashOperation: String, Hashable, Sendable, CaseIterable {
    /// Bytes are read.
    case read
    /// One sector is erased.
    case erase
    /// Whole program units are programmed.
    case program
}

/// Why a flash refused or failed.
///
/// The first three are a fault of the program that uses the flash, and are reported rather than
/// forgiven, even where a real chip would have coped; the others are the world's.
public enum FlashError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes do not lie within the flash.
    case outOfRange(address: Int, count: Int)
    /// The address or the length is not a multiple of the program unit.
    case unaligned(address: Int, count: Int)
    /// The program unit at this address was programmed, or its erase was cut short, since it was
    /// last erased whole.
    case notErased(address: Int)
    /// The chip reports that the operation failed.
    case failed(FlashOperation, address: Int)
    /// The power is off.
    case powerLost
    /// What holds the bytes on this computer failed.
    case medium(SystemError)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .outOfRange(let address, let count):
            "\(count) bytes at \(address) do not lie within the flash; check the layout."
        case .unaligned(let address, let count):
            "\(count) bytes at \(address) are not whole program units; pad them."
        case .notErased(let address):
            "The flash at \(address) is not erased; erase its sector before programming it."
        case .failed(let operation, let address):
            "The flash failed to \(operation.rawValue) at \(address); try again, and replace the "
                + "part if it stays so."
        case .powerLost:
            "The device has lost its power; switch it on again."
        case .medium(let error):
            "The file that holds the flash failed: \(error)"
        }
    }
}
