/// A record that a ``RecordLog`` keeps.
protocol LoggedRecord: Equatable, Sendable {
    /// The first four bytes of every record of this kind, as a little-endian number.
    static var magic: UInt32 { get }
    /// Bytes of the payload.
    static var payloadSize: Int { get }
    func write(to writer: inout RecordWriter)
    init?(from reader: inout RecordReader)
}

extension LoggedRecord {
    /// Bytes of a record: magic, sequence number, payload, CRC-32.
    static var encodedSize: Int { 4 + 4 + payloadSize + 4 }

    func encoded(sequence: UInt32) -> [UInt8] {
        var writer = RecordWriter()
        writer.write(Self.magic)
        writer.write(sequence)
        write(to: &writer)
        writer.seal()
        return writer.bytes
    }

    static func decode(_ bytes: ArraySlice<UInt8>) -> (record: Self, sequence: UInt32)? {
        // The magic number first: most places hold no record, and this is the cheaper look.
        var head = RecordReader(bytes)
        guard head.read(UInt32.self) == magic, var reader = RecordReader(sealed: bytes) else {
            return nil
        }
        _ = reader.read(UInt32.self)
        let sequence = reader.read(UInt32.self)
        // The last number of all leaves no room for a next one; no flash lives that long.
        guard sequence < .max, let record = Self(from: &reader) else { return nil }
        return (record, sequence)
    }
}

/// The latest of a row of records, kept in two sectors so that a power cut at any byte leaves
/// either the one that was latest before or the new one.
///
/// - Of all records that are whole (magic, CRC-32), the one with the highest sequence number
///   counts.
/// - Records are appended to a sector until it is full. Then, and after each power-up or failure,
///   the next one goes to the other sector, which is erased first. So nothing is ever programmed
///   after a record that may be torn: a torn unit can read as erased and not be. And the sector
///   with the latest record is never the one that is erased.
/// - A failed append may nevertheless have reached the flash. So the log is read anew before it is
///   used again.
///
/// A sequence number has 32 bits, and a sector wears out after some ten thousand erases: it cannot
/// overflow.
struct RecordLog<Record: LoggedRecord>: Sendable {
    /// Where in the flash the latest record lies, and where the next may go.
    private struct Position {
        var sector: Int
        /// The offset in the sector at which the next record may be appended; `nil` where it may
        /// not.
        var appendOffset: Int?
    }

    private let firstSector: Int
    private var position: Position?
    private var highestSequence: UInt32 = 0
    private var isKnown = false
    /// The latest record.
    private(set) var latest: Record?

    init(firstSector: Int) {
        self.firstSector = firstSector
    }

    /// Forgets what it knows: the flash may have changed.
    mutating func forget() {
        self = RecordLog(firstSector: firstSector)
    }

    /// Reads the log, unless what is known is still true.
    mutating func load(_ flash: inout FlashModel<some FlashMedium>) throws(FlashError) {
        if isKnown { return }
        forget()
        let geometry = flash.geometry
        let stride = geometry.roundedToUnits(Record.encodedSize)
        for sector in [firstSector, firstSector + 1] {
            let start = sector * geometry.sectorSize
            let bytes = try flash.read(start..<start + geometry.sectorSize)
            for offset in Swift.stride(from: 0, through: bytes.count - stride, by: stride) {
                guard let found = Record.decode(bytes[offset..<offset + Record.encodedSize]),
                    latest == nil || found.sequence > highestSequence
                else { continue }
                latest = found.record
                highestSequence = found.sequence
                position = Position(sector: sector, appendOffset: nil)
            }
        }
        isKnown = true
    }

    /// Makes `record` the latest one. Returns when it is durable and reads back right.
    mutating func append(
        _ record: Record, to flash: inout FlashModel<some FlashMedium>
    ) throws(FlashError) {
        try load(&flash)
        isKnown = false
        let geometry = flash.geometry
        var bytes = record.encoded(sequence: highestSequence + 1)
        let padding = geometry.roundedToUnits(bytes.count) - bytes.count
        bytes.append(contentsOf: repeatElement(geometry.erasedValue, count: padding))
        let target = try makeRoom(for: bytes.count, in: &flash)
        let address = target.sector * geometry.sectorSize + target.offset
        try flash.programAndVerify(bytes, at: address)
        let next = target.offset + bytes.count
        let hasRoom = next + bytes.count <= geometry.sectorSize
        position = Position(sector: target.sector, appendOffset: hasRoom ? next : nil)
        highestSequence += 1
        latest = record
        isKnown = true
    }

    private func makeRoom(
        for count: Int, in flash: inout FlashModel<some FlashMedium>
    ) throws(FlashError) -> (sector: Int, offset: Int) {
        if let position, let offset = position.appendOffset { return (position.sector, offset) }
        let sector = position?.sector == firstSector ? firstSector + 1 : firstSector
        try flash.erase(sector: sector)
        return (sector, 0)
    }
}

extension FlashModel {
    /// Programs bytes and compares what the flash then reads as.
    mutating func programAndVerify(_ bytes: [UInt8], at address: Int) throws(FlashError) {
        try bytes.withBytes { (buffer) throws(FlashError) in
            try programAndVerify(buffer, at: address)
        }
    }

    /// Programs bytes and compares what the flash then reads as.
    mutating func programAndVerify(
        _ bytes: UnsafeRawBufferPointer, at address: Int
    ) throws(FlashError) {
        try program(bytes, at: address)
        guard try matches(bytes, at: address) else { throw .failed(.program, address: address) }
    }
}
