/// The shape and the pace of a flash chip: what may be erased, what may be programmed, and how long
/// each takes.
public struct FlashGeometry: Hashable, Sendable {
    /// Bytes of the whole flash, a multiple of ``sectorSize``.
    public let size: Int
    /// Bytes of the smallest piece that can be erased, a multiple of ``programUnit``.
    public let sectorSize: Int
    /// Bytes of the smallest piece that can be programmed: 1, 2, 4, 8, 16 or 32.
    public let programUnit: Int
    /// What an erased byte reads as: 0xFF on most parts, 0x00 on some.
    public let erasedValue: UInt8
    /// Microseconds that the erase of one sector takes.
    public let eraseSectorMicroseconds: Int
    /// Microseconds that the programming of one unit takes.
    public let programUnitMicroseconds: Int
    /// Bytes that a read delivers per microsecond.
    public let readBytesPerMicrosecond: Int

    /// The largest flash that a model holds: 256 MiB.
    public static let maximumSize = 256 << 20
    /// The largest sector: 1 MiB.
    public static let maximumSectorSize = 1 << 20
    /// The longest erase or program time that a geometry may claim: 60 s.
    public static let maximumMicroseconds = 60_000_000

    /// Checks the figures against each other.
    ///
    /// The default times are round figures for the internal flash of a Cortex-M4 microcontroller:
    /// a page of 4 KiB is erased in 85 ms, a word is programmed in 41 µs, and 64 bytes are read in
    /// 1 µs. Whoever models a certain part takes its figures from the data sheet.
    /// - Throws: ``FlashGeometryError`` that names the first figure that cannot be.
    public init(
        size: Int, sectorSize: Int = 4096, programUnit: Int = 4, erasedValue: UInt8 = 0xFF,
        eraseSectorMicroseconds: Int = 85_000, programUnitMicroseconds: Int = 41,
        readBytesPerMicrosecond: Int = 64
    ) throws(FlashGeometryError) {
        guard [1, 2, 4, 8, 16, 32].contains(programUnit) else {
            throw .programUnit(programUnit)
        }
        guard
            sectorSize > 0, sectorSize <= Self.maximumSectorSize,
            sectorSize.isMultiple(of: programUnit)
        else { throw .sectorSize(sectorSize, programUnit: programUnit) }
        guard size > 0, size <= Self.maximumSize, size.isMultiple(of: sectorSize) else {
            throw .size(size, sectorSize: sectorSize)
        }
        guard erasedValue == 0xFF || erasedValue == 0x00 else { throw .erasedValue(erasedValue) }
        let times = [eraseSectorMicroseconds, programUnitMicroseconds]
        guard
            times.allSatisfy({ (0...Self.maximumMicroseconds).contains($0) }),
            (1...1_000_000).contains(readBytesPerMicrosecond)
        else { throw .pace }
        self.size = size
        self.sectorSize = sectorSize
        self.programUnit = programUnit
        self.erasedValue = erasedValue
        self.eraseSectorMicroseconds = eraseSectorMicroseconds
        self.programUnitMicroseconds = programUnitMicroseconds
        self.readBytesPerMicrosecond = readBytesPerMicrosecond
    }

    /// `count` bytes, rounded up to whole program units.
    public func roundedToUnits(_ count: Int) -> Int {
        (count + programUnit - 1) / programUnit * programUnit
    }

    /// `count` bytes, rounded up to whole sectors.
    public func roundedToSectors(_ count: Int) -> Int {
        (count + sectorSize - 1) / sectorSize * sectorSize
    }

    /// The address of the sector that holds `address`.
    func sectorStart(of address: Int) -> Int { address / sectorSize * sectorSize }
}

/// A geometry that no flash can have.
public enum FlashGeometryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The program unit is not a power of two from 1 to 32.
    case programUnit(Int)
    /// The sector size is zero, too large or not a multiple of the program unit.
    case sectorSize(Int, programUnit: Int)
    /// The size is zero, too large or not a multiple of the sector size.
    case size(Int, sectorSize: Int)
    /// The erased value is neither 0xFF nor 0x00.
    case erasedValue(UInt8)
    /// A time is negative or beyond a minute, or nothing could ever be read.
    case pace

    /// What is wrong, and what would be right.
    public var description: String {
        switch self {
        case .programUnit(let unit):
            "A program unit of \(unit) bytes is not possible; choose 1, 2, 4, 8, 16 or 32."
        case .sectorSize(let size, let unit):
            "A sector of \(size) bytes is not possible with a program unit of \(unit); choose a "
                + "multiple of it, at most \(FlashGeometry.maximumSectorSize)."
        case .size(let size, let sectorSize):
            "A flash of \(size) bytes is not possible with sectors of \(sectorSize); choose a "
                + "multiple of it, at most \(FlashGeometry.maximumSize)."
        case .erasedValue(let value):
            "An erased byte cannot read as \(value); choose 255 or 0."
        case .pace:
            "Erase and program times lie between 0 and \(FlashGeometry.maximumMicroseconds) µs, "
                + "and a read delivers 1 to 1000000 bytes per µs."
        }
    }
}
