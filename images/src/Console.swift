import _Volatile

/// The first CMSDK APB UART of the machine (Arm DDI 0479, 4.3), transmit only.
struct Console {
    private static let base: UInt = 0x4000_4000
    private static let transmitIsFull: UInt32 = 1
    private static let transmitEnable: UInt32 = 1

    private let data = VolatileMappedRegister<UInt32>(unsafeBitPattern: base)
    private let state = VolatileMappedRegister<UInt32>(unsafeBitPattern: base + 0x04)
    private let control = VolatileMappedRegister<UInt32>(unsafeBitPattern: base + 0x08)
    private let divider = VolatileMappedRegister<UInt32>(unsafeBitPattern: base + 0x10)

    init() {
        // 25 MHz through 217 is 115,200 baud.
        divider.store(217)
        control.store(Self.transmitEnable)
    }

    func write(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { write(text.utf8Start[index]) }
    }

    /// Writes a number as eight hexadecimal digits.
    func write(_ number: UInt32) {
        for place in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: number >> UInt32(28 - 4 * place)) & 0xF
            write(digit < 10 ? 0x30 + digit : 0x37 + digit)
        }
    }

    private func write(_ byte: UInt8) {
        while state.load() & Self.transmitIsFull != 0 {}
        data.store(UInt32(byte))
    }
}
