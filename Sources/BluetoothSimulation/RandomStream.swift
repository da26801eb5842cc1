/// A stream of random numbers that belongs to one purpose of one part of the world.
///
/// Each part draws from its own stream, so that one draw more in one place shifts nothing in
/// another. The generator is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct RandomStream {
    /// What a stream is for; the number goes into its seed.
    enum Purpose: UInt64 {
        case packetLoss = 1
        case advertisingDelay = 2
        case reboots = 3
        case signalStrength = 4
        case pairing = 5
    }

    private var state: UInt64

    init(seed: UInt64, purpose: Purpose, number: UInt64) {
        state = seed
        state = next() ^ purpose.rawValue
        state = next() ^ number
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in `0..<bound`. The bias of a multiplication by 2⁻⁶⁴ is far below what counts here.
    mutating func next(below bound: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: bound).high
    }

    /// An exponentially distributed number by von Neumann's comparisons (Various techniques used in
    /// connection with random digits, 1951): exact, and the same on every machine, as a logarithm
    /// of floating-point numbers need not be.
    mutating func nextExponential(mean: UInt64) -> UInt64 {
        var whole: UInt64 = 0
        while true {
            let first = next()
            var (last, isOdd) = (first, true)
            while true {
                let drawn = next()
                if drawn >= last { break }
                last = drawn
                isOdd.toggle()
            }
            if isOdd { return whole * mean + first.multipliedFullWidth(by: mean).high }
            whole += 1
        }
    }

    /// True with a probability of `threshold` / 2³².
    mutating func hits(_ threshold: UInt64) -> Bool {
        next() >> 32 < threshold
    }
}
