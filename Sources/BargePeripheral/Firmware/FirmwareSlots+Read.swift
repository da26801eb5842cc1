import BargeProtocol

/// Which image is read.
public enum ImagePlace: Hashable, Sendable {
    /// The one that runs.
    case running
    /// The one in the other slot: verified, or as far as its upload is durable.
    case inactive
}

extension FirmwareSlots {
    /// Bytes of an image that can be read: its length, or the durable offset of a partial one.
    /// - Throws: ``StorageError`` of kind `wrongState` before ``boot()``, `storageFailure`,
    ///   `powerLost`.
    public mutating func readableLength(of place: ImagePlace) throws(StorageError) -> Int {
        let running = try requireRunning()
        let record = try requireBootRecord()
        switch place {
        case .running:
            return record[running]?.length ?? 0
        case .inactive:
            if let image = record[running.other] { return image.length }
            return try progress(in: running.other)?.durableOffset ?? 0
        }
    }

    /// Copies bytes of an image, from `offset` on, until `buffer` is full.
    /// - Throws: ``StorageError`` of kind `invalidArgument` when they are not all there,
    ///   `wrongState` before ``boot()``, `storageFailure`, `powerLost`.
    public mutating func read(
        _ place: ImagePlace, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        try requireReadable(place, at: offset, count: buffer.count)
        let pieces = try pieces(of: place, offset..<offset + buffer.count)
        try attempt("reading the image") { (slots) throws(FlashError) in
            var position = 0
            for piece in pieces {
                let target = UnsafeMutableRawBufferPointer(
                    rebasing: buffer[position..<position + piece.count])
                try slots.flash.read(at: piece.lowerBound, into: target)
                position += piece.count
            }
        }
    }

    /// The bytes of an image in `range`.
    /// - Throws: as ``read(_:at:into:)`` does.
    public mutating func read(
        _ place: ImagePlace, _ range: Range<Int>
    ) throws(StorageError) -> [UInt8] {
        try requireReadable(place, at: range.lowerBound, count: range.count)
        var bytes = [UInt8](repeating: 0, count: range.count)
        try bytes.fillBytes { (buffer) throws(StorageError) in
            try read(place, at: range.lowerBound, into: buffer)
        }
        return bytes
    }

    /// The CRC-32 over the first `length` bytes of what the inactive slot holds.
    /// - Throws: as ``read(_:at:into:)`` does.
    public mutating func prefixCRC32(upTo length: Int) throws(StorageError) -> UInt32 {
        try requireReadable(.inactive, at: 0, count: length)
        let pieces = try pieces(of: .inactive, 0..<length)
        var crc = CRC32()
        try attempt("reading the image") { (slots) throws(FlashError) in
            for piece in pieces {
                try slots.flash.forEachChunk(of: piece, size: Self.chunkSize) {
                    crc.update($0.bytes)
                }
            }
        }
        return crc.value
    }

    private mutating func requireReadable(
        _ place: ImagePlace, at offset: Int, count: Int
    ) throws(StorageError) {
        let length = try readableLength(of: place)
        guard offset >= 0, count >= 0, offset <= length, count <= length - offset else {
            throw StorageError(
                .invalidArgument, what: "The image cannot be read there",
                why: "\(count) bytes at offset \(offset) are not within its \(length) bytes",
                advice: "Ask for less")
        }
    }

    /// Where the bytes of an image's range lie in the flash: in its slot, except for those that are
    /// being rescued.
    private mutating func pieces(
        of place: ImagePlace, _ range: Range<Int>
    ) throws(StorageError) -> [Range<Int>] {
        let running = try requireRunning()
        let slot = place == .running ? running : running.other
        let base = layout.address(of: slot)
        guard place == .inactive, let progress = try progress(in: slot), progress.isRescuing else {
            return [base + range.lowerBound..<base + range.upperBound]
        }
        let start = layout.geometry.sectorStart(of: progress.durableOffset)
        let inSlot = range.clamped(to: 0..<start)
        let inScratch = range.clamped(to: start..<progress.durableOffset)
        let scratch = layout.scratchAddress - start
        return [
            base + inSlot.lowerBound..<base + inSlot.upperBound,
            scratch + inScratch.lowerBound..<scratch + inScratch.upperBound,
        ].filter { !$0.isEmpty }
    }
}
