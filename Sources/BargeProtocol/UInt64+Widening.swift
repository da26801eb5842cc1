extension UInt64 {
    /// A 32-bit value in 64 bits.
    ///
    /// `UInt64(value)` does the same, but on a 32-bit microcontroller it goes through the generic
    /// conversion, which drags an array along: Swift 6.3.1 refuses that with `-no-allocations`.
    /// For the same reason this module shifts 64-bit values with `&<<` and `&>>` only.
    init(widening value: UInt32) {
        #if _endian(little)
            self = unsafeBitCast((value, UInt32(0)), to: UInt64.self)
        #else
            self = unsafeBitCast((UInt32(0), value), to: UInt64.self)
        #endif
    }

    /// A count that is known to fit 32 bits: a length within one frame or block.
    init(widening count: Int) { self.init(widening: UInt32(count)) }
}
