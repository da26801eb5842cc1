import Bluetooth
import Testing

@Suite("The vocabulary")
struct VocabularyTests {
    @Test("A PSM of LE is 0x0001...0x00FF, and those of the SIG are the lower half")
    func psm() throws {
        // Core 5.4, Vol 3, Part A, 4.22, table 4.15.
        let valid = (0...0xFFFF).filter { PSM(UInt16($0)) != nil }
        #expect(valid == Array(1...0xFF))
        let assigned = try valid.filter { try #require(PSM(UInt16($0))).isAssigned }
        #expect(assigned == Array(1...0x7F))
        #expect(PSM(0x80)?.description == "0x0080")
        #expect(PSM(0x25)?.description == "0x0025")
    }

    @Test("Security levels are ordered by strength, and named as the command line names them")
    func security() {
        let sorted = SecurityLevel.allCases.sorted()
        #expect(sorted == [.none, .encrypted, .authenticated, .fips])
        #expect(sorted.map(\.name) == ["none", "encrypted", "authenticated", "fips"])
    }

    @Test("Instants count forwards only")
    func instants() {
        let early = LinkInstant(microseconds: 5)
        let late = early.advanced(microseconds: 7)
        #expect(late.microseconds == 12)
        #expect(late.microseconds(since: early) == 7)
        #expect(early.microseconds(since: late) == 0)
        #expect(early < late)
    }
}

@Suite("ATT's value lengths")
struct ValueLengthTests {
    @Test(
        "The longest value is the MTU less three, and 512 at most",
        arguments: [(23, 20), (185, 182), (247, 244), (515, 512), (517, 512)])
    func longest(mtu: Int, bytes: Int) {
        #expect(ATT.maximumValueBytes(mtu: mtu) == bytes)
    }

    @Test(
        "With 251-byte packets the fastest value fills its last packet, where it has one to fill",
        arguments: [(517, 495), (498, 495), (247, 244), (185, 182), (23, 20), (300, 244)])
    func efficient(mtu: Int, bytes: Int) {
        #expect(ATT.efficientValueBytes(mtu: mtu, timing: nil) == bytes)
    }

    /// By hand, 2M, encrypted, 27-byte packets: a full cycle takes 512 µs. MTU 247: 236 bytes are
    /// nine full packets, 236 / 4608 µs = 51.2 B/ms; 244 add one of 8 bytes, 244 / 5044 = 48.4.
    /// MTU 185: 182 + 7 = 189 = 7 × 27 already. MTU 498: 495 + 7 = 502 = 18 × 27 + 16; 479 bytes
    /// are 18 full ones, 479 / 9216 = 52.0; 495 / 9684 = 51.1. MTU 517: 512 + 7 = 519 = 19·27 + 6,
    /// 506 / 9728 = 52.0, 512 / 10156 = 50.4. MTU 50: 47 + 7 = 54 = 2 × 27.
    @Test(
        "With 27-byte packets too",
        arguments: [(247, 236), (185, 182), (498, 479), (517, 506), (50, 47), (23, 20)])
    func efficientShortPackets(mtu: Int, bytes: Int) {
        let timing = LinkTiming(phy: .le2M, dataLengthBytes: 27, isEncrypted: true)
        #expect(ATT.efficientValueBytes(mtu: mtu, timing: timing) == bytes)
    }

    @Test("No value length of an MTU is faster, whatever the packets", arguments: PHY.allCases)
    func optimal(phy: PHY) {
        for dataLength in [27, 100, 251] {
            let timing = LinkTiming(phy: phy, dataLengthBytes: dataLength, isEncrypted: true)
            let ceiling = LinkCeiling(timing: timing, connectionIntervalMicroseconds: nil)
            for mtu in [23, 27, 28, 100, 185, 247, 258, 259, 300, 498, 517] {
                let chosen = ATT.efficientValueBytes(mtu: mtu, timing: timing)
                let rates = (1...ATT.maximumValueBytes(mtu: mtu)).map {
                    ceiling.gattBytesPerSecond(valueBytes: $0)
                }
                #expect(rates.allSatisfy { $0 <= ceiling.gattBytesPerSecond(valueBytes: chosen) })
            }
        }
    }
}

@Suite("Air time")
struct LinkTimingTests {
    /// PHY, data length, air time plain and encrypted, cycle plain and encrypted, in µs.
    static let table: [(PHY, Int, (Int, Int), (Int, Int))] = [
        (.le1M, 27, (296, 328), (676, 708)),
        (.le1M, 251, (2088, 2120), (2468, 2500)),
        (.le2M, 27, (152, 168), (496, 512)),
        (.le2M, 251, (1048, 1064), (1392, 1408)),
        (.codedS2, 27, (894, 958), (1656, 1720)),
        (.codedS2, 251, (4478, 4542), (5240, 5304)),
        (.codedS8, 27, (2448, 2704), (3468, 3724)),
        (.codedS8, 251, (16784, 17040), (17804, 18060)),
    ]

    @Test("Packets and exchanges take what the specification says", arguments: table)
    func matches(phy: PHY, dataLength: Int, air: (Int, Int), cycle: (Int, Int)) {
        let plain = LinkTiming(phy: phy, dataLengthBytes: dataLength, isEncrypted: false)
        let encrypted = LinkTiming(phy: phy, dataLengthBytes: dataLength, isEncrypted: true)
        #expect(plain.packetMicroseconds(payloadBytes: dataLength) == air.0)
        #expect(encrypted.packetMicroseconds(payloadBytes: dataLength) == air.1)
        #expect(plain.cycleMicroseconds(payloadBytes: dataLength) == cycle.0)
        #expect(encrypted.cycleMicroseconds(payloadBytes: dataLength) == cycle.1)
    }

    @Test(
        "An empty packet is never longer for being encrypted",
        arguments: [(PHY.le1M, 80), (.le2M, 44), (.codedS2, 462), (.codedS8, 720)])
    func empty(phy: PHY, microseconds: Int) {
        for isEncrypted in [false, true] {
            let timing = LinkTiming(phy: phy, dataLengthBytes: 27, isEncrypted: isEncrypted)
            #expect(timing.packetMicroseconds(payloadBytes: 0) == microseconds)
        }
    }

    @Test("An interval shorter than an exchange is paid for whole")
    func shortInterval() {
        let timing = LinkTiming(phy: .codedS8, dataLengthBytes: 251, isEncrypted: true)
        let ceiling = LinkCeiling(timing: timing, connectionIntervalMicroseconds: 7_500)
        // One exchange of 18 060 µs covers three intervals: 247 bytes less the SDU's share.
        let expected = (247.0 - 2.0 / 40) / 0.0225
        let rate = ceiling.cocBytesPerSecond(sduBytes: 40 * 247 - 2, mpsBytes: 247)
        #expect(abs(rate / expected - 1) < 0.001)
    }

    @Test("Short values fill an interval better than long ones: each exchange counts by itself")
    func shortValues() {
        let timing = LinkTiming(phy: .le2M, dataLengthBytes: 251, isEncrypted: true)
        let ceiling = LinkCeiling(timing: timing, connectionIntervalMicroseconds: 7_500)
        // 7500 / 512 = 14 exchanges with 20 bytes each.
        #expect(abs(ceiling.gattBytesPerSecond(valueBytes: 20) - 14 * 20 / 0.0075) < 400)
    }
}
