/// Works out what the bytes under a power cut look like afterwards.
struct FlashDamage {
    private let cut: PowerCut
    private let programUnit: Int
    private var random: SeededGenerator

    init(_ cut: PowerCut, programUnit: Int) {
        self.cut = cut
        self.programUnit = programUnit
        random = SeededGenerator(seed: cut.seed ^ UInt64(cut.afterBytes) &* 0x9E37_79B9)
    }

    /// Damages the units that a program reached: `bytes` are erased before the call, and end with
    /// the unit that the cut struck.
    mutating func tearProgram(_ bytes: inout [UInt8], _ intended: UnsafeRawBufferPointer) {
        let whole = cut.afterBytes / programUnit * programUnit
        for index in 0..<min(whole, bytes.count) { bytes[index] = intended[index] }
        for index in whole..<max(whole, bytes.count) {
            switch cut.damage {
            case .cleanPrefix:
                if index < cut.afterBytes { bytes[index] = intended[index] }
            case .halfProgrammedUnit:
                bytes[index] = mix(bytes[index], intended[index])
            case .garbageUnit:
                bytes[index] = UInt8(truncatingIfNeeded: random.next())
            case .eraseInterrupted:
                break
            }
        }
    }

    /// Damages a sector whose erase was cut short.
    mutating func tearErase(_ bytes: inout [UInt8], erasedValue: UInt8) {
        if cut.damage == .eraseInterrupted {
            let readsAsErased = random.next() & 1 == 0
            for index in bytes.indices {
                bytes[index] = readsAsErased ? erasedValue : mix(bytes[index], erasedValue)
            }
            return
        }
        for index in 0..<min(cut.afterBytes, bytes.count) { bytes[index] = erasedValue }
        let unit = cut.afterBytes / programUnit * programUnit
        for index in unit..<min(unit + programUnit, bytes.count) {
            switch cut.damage {
            case .cleanPrefix, .eraseInterrupted:
                break
            case .halfProgrammedUnit:
                bytes[index] = mix(bytes[index], erasedValue)
            case .garbageUnit:
                bytes[index] = UInt8(truncatingIfNeeded: random.next())
            }
        }
    }

    /// Each bit from one of the two, at random.
    private mutating func mix(_ old: UInt8, _ new: UInt8) -> UInt8 {
        let taken = UInt8(truncatingIfNeeded: random.next())
        return (old & ~taken) | (new & taken)
    }
}
