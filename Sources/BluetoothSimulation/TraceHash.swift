/// A running hash over everything that happens in a world: FNV-1a with 64 bits, taken a word at
/// a time. Two runs that agree in it went the same way.
struct TraceHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* 0x0000_0100_0000_01B3
        // A multiplication carries nothing downwards, so the upper half is folded back.
        value ^= value >> 32
    }

    mutating func mix(_ first: UInt64, _ second: UInt64) {
        mix(first)
        mix(second)
    }
}
