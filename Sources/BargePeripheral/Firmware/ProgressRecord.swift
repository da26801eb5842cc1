/// How far an upload has come, durably.
struct ProgressRecord: Hashable, Sendable {
    /// The slot that the image goes to.
    var slot: FirmwareSlot
    /// Which image it is; `nil` where the slot holds nothing worth keeping.
    var image: ImageIdentity?
    /// Bytes from the image's start that are in the flash and read back right.
    var durableOffset: Int
    /// Whether the bytes that precede the durable offset in its sector must be taken from the
    /// scratch sector, since their own sector is being erased.
    var isRescuing: Bool
}

extension ProgressRecord: LoggedRecord {
    static let magic: UInt32 = 0x3150_5442  // "BTP1"
    /// Two flags, two bytes kept for later, the image and the offset.
    static let payloadSize = 4 + 36 + 4

    func write(to writer: inout RecordWriter) {
        writer.write(slot.rawValue)
        writer.write(UInt8(isRescuing ? 1 : 0))
        writer.write(UInt16(0))
        writer.write(image)
        writer.write(UInt32(durableOffset))
    }

    init?(from reader: inout RecordReader) {
        guard let slot = FirmwareSlot(rawValue: reader.read(UInt8.self)) else { return nil }
        let flags = reader.read(UInt8.self)
        _ = reader.read(UInt16.self)
        let image = reader.readImage()
        let durableOffset = Int(reader.read(UInt32.self))
        guard flags <= 1, durableOffset <= image?.length ?? 0 else { return nil }
        self.init(
            slot: slot, image: image, durableOffset: durableOffset, isRescuing: flags == 1)
    }
}
