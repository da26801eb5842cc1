import FirmwareImage
import Testing

@Suite("ELF")
struct ELFTests {
    @Test(
        "Segments go to their physical addresses, whatever the width and the byte order",
        arguments: [false, true], [false, true])
    func widthsAndOrders(is64: Bool, isBigEndian: Bool) throws {
        var file = ELFBuilder(is64: is64, isBigEndian: isBigEndian)
        file.segments = [
            // Initial values of variables: linked for RAM, stored behind the code.
            .init(virtualAddress: 0x2000_0000, physicalAddress: 0x8006, bytes: [5, 6]),
            .init(virtualAddress: 0x8000, physicalAddress: 0x8000, bytes: [1, 2, 3, 4]),
            // Cleared variables take no room in the file.
            .init(physicalAddress: 0x2000_0100, bytes: [], memoryByteCount: 64),
            // Not loadable: notes and the like.
            .init(type: 4, physicalAddress: 0, bytes: [0xEE]),
        ]
        let image = try FirmwareImage.parse(file.bytes)
        #expect(image.format == .elf)
        #expect(image.baseAddress == 0x8000)
        #expect(image.entryAddress == 0x8001)
        #expect(image.payload == [1, 2, 3, 4, 0xFF, 0xFF, 5, 6])
        #expect(image.notes == [.gapsFilled(gapCount: 1, byteCount: 2), .unsignedExecutable])
    }

    @Test("A segment that starts at the ELF header itself is pointed out")
    func ownHeaders() throws {
        var file = ELFBuilder()
        file.segments = [.init(physicalAddress: 0x8000, bytes: [1, 2, 3, 4], fileOffset: 0)]
        let image = try FirmwareImage.parse(file.bytes)
        #expect(image.payload == [0x7F, 0x45, 0x4C, 0x46])
        #expect(image.notes.contains(.carriesELFHeaders))
    }

    @Test("A file that names the same bytes again and again is refused before memory is full")
    func repeatedSegments() {
        let segment = ELFBuilder.Segment(
            physicalAddress: 0x8000, bytes: [UInt8](repeating: 7, count: 300))
        let file = ELFBuilder(segments: [ELFBuilder.Segment](repeating: segment, count: 4))
        var options = ParseOptions()
        options.largestPayloadByteCount = 1000
        #expect(throws: ImageError.memory(.tooLarge(byteCount: 1200, limit: 1000))) {
            try FirmwareImage.parse(file.bytes, options: options)
        }
        options.largestPayloadByteCount = 1200
        #expect(throws: Never.self) { try FirmwareImage.parse(file.bytes, options: options) }
    }

    @Test("Two segments for one address contradict each other")
    func overlap() {
        var file = ELFBuilder()
        file.segments = [
            .init(physicalAddress: 0x8000, bytes: [1, 2]),
            .init(physicalAddress: 0x8001, bytes: [3]),
        ]
        #expect(
            throws: ImageError.memory(
                .conflict(address: 0x8001, source: "segment", first: 1, second: 2))
        ) { try FirmwareImage.parse(file.bytes) }
    }

    @Test("What is not an executable, or damaged, is refused with its reason")
    func damage() {
        let segment = ELFBuilder.Segment(physicalAddress: 0, bytes: [1])
        expect(.nothingToLoad, from: ELFBuilder())
        expect(
            .nothingToLoad,
            from: ELFBuilder(segments: [.init(type: 4, physicalAddress: 0, bytes: [1])]))
        expect(.notLinked, from: ELFBuilder(fileType: 1))
        expect(.notLinked, from: ELFBuilder(fileType: 1, segments: [segment]))
        expect(
            .tableOutside(offset: 0xFFFF_FFFF),
            from: ELFBuilder(segments: [segment], tableOffset: 0xFFFF_FFFF))
        expect(
            .tableOutside(offset: .max),
            from: ELFBuilder(is64: true, segments: [segment], tableOffset: .max))
        expect(
            .tooManySegments(count: 4097, limit: 4096),
            from: ELFBuilder(segments: [segment], segmentCount: 4097))
        expect(
            .badEntrySize(byteCount: 31),
            from: ELFBuilder(segments: [segment], entryByteCount: 31))
        expect(
            .segmentLargerThanMemory(segment: 1, fileByteCount: 1, memoryByteCount: 0),
            from: ELFBuilder(
                segments: [.init(physicalAddress: 0, bytes: [1], memoryByteCount: 0)]))
        expect(
            .segmentOutside(segment: 1, offset: .max, byteCount: 1),
            from: ELFBuilder(
                is64: true,
                segments: [.init(physicalAddress: 0, bytes: [1], fileOffset: .max)]))
    }

    @Test("A segment at the end of a 64-bit address space is refused, not wrapped")
    func addressOverflow() {
        let file = ELFBuilder(
            is64: true, segments: [.init(physicalAddress: .max, bytes: [1, 2])])
        #expect(throws: ImageError.memory(.addressOverflow(address: .max))) {
            try FirmwareImage.parse(file.bytes)
        }
    }

    @Test("Unknown width and byte order are refused")
    func identification() {
        var bytes = ELFBuilder().bytes
        bytes[4] = 3
        #expect(throws: ImageError.elf(.unknownClass(3))) { try FirmwareImage.parse(bytes) }
        bytes[4] = 1
        bytes[5] = 0
        #expect(throws: ImageError.elf(.unknownByteOrder(0))) { try FirmwareImage.parse(bytes) }
        #expect(throws: ImageError.elf(.cutShort(byteCount: 5))) {
            try FirmwareImage.parse(Array(bytes.prefix(5)))
        }
    }

    private func expect(
        _ problem: ELFProblem, from file: ELFBuilder,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: ImageError.elf(problem), sourceLocation: sourceLocation) {
            try FirmwareImage.parse(file.bytes)
        }
    }
}
