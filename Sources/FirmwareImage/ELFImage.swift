/// Takes the loadable segments out of an ELF executable, 32-bit or 64-bit, in either byte order.
///
/// Layout: System V ABI, chapters 4 and 5 ("ELF Header", "Program Header"). Segments go where they
/// lie in flash, which is their physical address.
struct ELFImage {
    static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
    /// The largest number of program headers that is looked at.
    static let largestSegmentCount = 4096

    private static let loadableType: UInt32 = 1
    private static let relocatableFileType: UInt16 = 1

    private enum Class: UInt8 {
        case bits32 = 1
        case bits64 = 2
    }

    private let reader: ByteReader
    private let width: Class

    private init(_ bytes: [UInt8]) throws(ImageError) {
        guard bytes.count > 5 else { throw .elf(.cutShort(byteCount: bytes.count)) }
        guard let width = Class(rawValue: bytes[4]) else {
            throw .elf(.unknownClass(bytes[4]))
        }
        switch bytes[5] {
        case 1: reader = ByteReader(bytes, order: .little)
        case 2: reader = ByteReader(bytes, order: .big)
        default: throw .elf(.unknownByteOrder(bytes[5]))
        }
        self.width = width
    }

    /// Flattens a whole file.
    static func contents(
        of bytes: [UInt8], options: ParseOptions
    ) throws(ImageError) -> ImageContents {
        let file = try ELFImage(bytes)
        let header = try file.header()
        if header.fileType == relocatableFileType { throw .elf(.notLinked) }
        var memory = MemoryMap(source: .segment, options: options)
        var loadableCount = 0
        var carriesHeaders = false
        for index in 0..<header.segmentCount {
            let offset = header.tableOffset + index * header.entryByteCount
            guard let segment = try file.segment(index, at: offset) else { continue }
            try memory.add(segment.bytes, at: segment.address, number: index + 1)
            loadableCount += 1
            carriesHeaders = carriesHeaders || segment.bytes.startIndex == 0
        }
        guard loadableCount > 0 else { throw .elf(.nothingToLoad) }
        var contents = try memory.flattened()
        contents.entryAddress = header.entryAddress
        if carriesHeaders { contents.notes.append(.carriesELFHeaders) }
        return contents
    }

    private struct Header {
        let fileType: UInt16
        let entryAddress: UInt64
        let tableOffset: Int
        let entryByteCount: Int
        let segmentCount: Int
    }

    private func header() throws(ImageError) -> Header {
        let is64 = width == .bits64
        guard
            let fileType = reader.integer16(at: 16),
            let entry = word(at: 24),
            let tableOffset = word(at: is64 ? 32 : 28),
            let entryByteCount = reader.integer16(at: is64 ? 54 : 42),
            let count = reader.integer16(at: is64 ? 56 : 44)
        else { throw .elf(.cutShort(byteCount: reader.bytes.count)) }
        guard count > 0 else {
            throw .elf(fileType == Self.relocatableFileType ? .notLinked : .nothingToLoad)
        }
        guard Int(count) <= Self.largestSegmentCount else {
            throw .elf(.tooManySegments(count: Int(count), limit: Self.largestSegmentCount))
        }
        guard Int(entryByteCount) >= (is64 ? 56 : 32) else {
            throw .elf(.badEntrySize(byteCount: Int(entryByteCount)))
        }
        let tableByteCount = Int(entryByteCount) * Int(count)
        guard let table = Int(exactly: tableOffset),
            reader.slice(at: table, count: tableByteCount) != nil
        else { throw .elf(.tableOutside(offset: tableOffset)) }
        return Header(
            fileType: fileType, entryAddress: entry, tableOffset: table,
            entryByteCount: Int(entryByteCount), segmentCount: Int(count))
    }

    /// The segment that a program header describes, `nil` if it puts nothing into memory.
    private func segment(
        _ index: Int, at offset: Int
    ) throws(ImageError) -> (address: UInt64, bytes: ArraySlice<UInt8>)? {
        let is64 = width == .bits64
        guard
            let type = reader.integer32(at: offset),
            let fileOffset = word(at: offset + (is64 ? 8 : 4)),
            let address = word(at: offset + (is64 ? 24 : 12)),
            let fileSize = word(at: offset + (is64 ? 32 : 16)),
            let memorySize = word(at: offset + (is64 ? 40 : 20))
        else { throw .elf(.tableOutside(offset: UInt64(offset))) }
        guard type == Self.loadableType, fileSize > 0 else { return nil }
        guard fileSize <= memorySize else {
            throw .elf(
                .segmentLargerThanMemory(
                    segment: index + 1, fileByteCount: fileSize, memoryByteCount: memorySize))
        }
        guard let start = Int(exactly: fileOffset), let count = Int(exactly: fileSize),
            let bytes = reader.slice(at: start, count: count)
        else {
            throw .elf(
                .segmentOutside(segment: index + 1, offset: fileOffset, byteCount: fileSize))
        }
        return (address, bytes)
    }

    /// An address, offset or size: 32 or 64 bits by the class of the file.
    private func word(at offset: Int) -> UInt64? {
        switch width {
        case .bits32: reader.integer32(at: offset).map(UInt64.init)
        case .bits64: reader.integer64(at: offset)
        }
    }
}
