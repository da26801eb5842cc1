import Bluetooth
import Testing

/// What the radio carries at most, in kbit/s of application data, when it is always busy: typed
/// from the table that follows from the formulas of Core 5.4, Vol 6, Part B, 2.1, 2.2 and 4.1.1
/// (packet lengths and T_IFS) and the headers of L2CAP and ATT. Each pair is plain, encrypted.
enum CeilingTable {
    static let rows: [(phy: PHY, dataLength: Int, kilobits: [(Double, Double)])] = [
        (
            .le1M, 27,
            [
                (271.6, 259.3), (248.5, 237.3), (316.5, 302.2), (236.7, 226.0), (307.7, 293.8),
                (295.4, 281.8), (310.4, 296.3), (306.8, 292.7),
            ]
        ),
        (
            .le1M, 251,
            [
                (800.5, 790.2), (794.2, 784.0), (808.1, 797.6), (236.7, 226.0), (738.3, 726.5),
                (790.9, 780.8), (802.3, 792.0), (740.4, 727.8),
            ]
        ),
        (
            .le2M, 27,
            [
                (370.2, 358.6), (338.7, 328.1), (431.0, 417.5), (322.6, 312.5), (419.4, 406.2),
                (399.7, 387.0), (422.2, 408.9), (416.4, 403.3),
            ]
        ),
        (
            .le2M, 251,
            [
                (1419.3, 1403.1), (1408.0, 1392.0), (1429.8, 1413.3), (322.6, 312.5),
                (1272.7, 1255.2), (1402.3, 1386.4), (1422.4, 1406.2), (1264.2, 1245.7),
            ]
        ),
        (
            .codedS2, 27,
            [
                (110.9, 106.7), (101.4, 97.7), (129.1, 124.3), (96.6, 93.0), (125.6, 120.9),
                (120.1, 115.5), (126.6, 121.8), (124.9, 120.2),
            ]
        ),
        (
            .codedS2, 251,
            [
                (377.0, 372.5), (374.0, 369.5), (380.2, 375.5), (96.6, 93.0), (342.7, 337.7),
                (372.5, 368.0), (377.9, 373.3), (342.0, 336.6),
            ]
        ),
        (
            .codedS8, 27,
            [
                (52.9, 49.3), (48.4, 45.1), (61.8, 57.5), (46.1, 43.0), (60.0, 55.9),
                (58.3, 54.2), (60.7, 56.5), (60.2, 56.0),
            ]
        ),
        (
            .codedS8, 251,
            [
                (111.0, 109.4), (110.1, 108.5), (112.2, 110.6), (46.1, 43.0), (105.2, 103.3),
                (109.6, 108.1), (111.2, 109.6), (106.6, 104.5),
            ]
        ),
    ]

    /// What a column sends. The table's "MPS much longer than a packet" does not say how much
    /// longer; one K-frame of 2452 bytes an SDU gives all 16 of its figures within 0.07 %.
    enum Column: Int, CaseIterable {
        case channelFortyFrames
        case channelOneFrame
        case channelLongFrame
        case attribute23
        case attribute185
        case attribute247
        case attribute498
        case attribute517

        /// The ATT MTU; nil for the channel's columns.
        var attMTU: Int? {
            switch self {
            case .channelFortyFrames, .channelOneFrame, .channelLongFrame: nil
            case .attribute23: 23
            case .attribute185: 185
            case .attribute247: 247
            case .attribute498: 498
            case .attribute517: 517
            }
        }

        func mps(dataLength: Int) -> Int { self == .channelLongFrame ? 2454 : dataLength - 4 }
        var framesPerSDU: Int { self == .channelFortyFrames ? 40 : 1 }
    }

    struct Cell: CustomTestStringConvertible, Sendable {
        let phy: PHY
        let dataLength: Int
        let column: Column
        let isEncrypted: Bool
        let kilobits: Double

        var testDescription: String {
            "\(phy.rawValue) \(dataLength) \(column) \(isEncrypted ? "encrypted" : "plain")"
        }

        var timing: LinkTiming {
            LinkTiming(phy: phy, dataLengthBytes: dataLength, isEncrypted: isEncrypted)
        }
        var mps: Int { column.mps(dataLength: dataLength) }
        var sduBytes: Int { column.framesPerSDU * mps - 2 }
        /// The longest value of a write command, 512 bytes at most.
        var valueBytes: Int { min((column.attMTU ?? 23) - 3, 512) }
    }

    static let cells: [Cell] = rows.flatMap { row in
        Column.allCases.flatMap { column in
            [false, true].map { isEncrypted in
                let pair = row.kilobits[column.rawValue]
                return Cell(
                    phy: row.phy, dataLength: row.dataLength, column: column,
                    isEncrypted: isEncrypted, kilobits: isEncrypted ? pair.1 : pair.0)
            }
        }
    }
}
