/// A power failure that is due after a number of bytes has been erased or programmed.
public struct PowerCut: Hashable, Sendable {
    /// What the cut leaves behind at the place where it struck.
    public enum Damage: String, Hashable, Sendable, CaseIterable {
        /// The bytes before the cut are done, those after it untouched.
        case cleanPrefix
        /// The unit under the cut took a random part of the bits that were to change.
        case halfProgrammedUnit
        /// The unit under the cut holds garbage.
        case garbageUnit
        /// An erase leaves the whole sector as a mix of old and erased bits, or reading as erased
        /// although it is not; a program leaves its unit reading as erased although it is not.
        case eraseInterrupted
    }

    /// Bytes that may still be erased or programmed before the power fails.
    public var afterBytes: Int
    /// What the cut leaves behind.
    public var damage: Damage
    /// Decides every random bit of the damage.
    public var seed: UInt64

    /// A cut after `afterBytes` more bytes.
    public init(afterBytes: Int, damage: Damage, seed: UInt64 = 1) {
        precondition(afterBytes >= 0, "a cut cannot lie in the past")
        self.afterBytes = afterBytes
        self.damage = damage
        self.seed = seed
    }
}
