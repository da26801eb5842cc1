/// The pieces of memory that a HEX, UF2 or ELF file describes, in any order, to be made one image.
struct MemoryMap {
    /// What the pieces are called in messages.
    enum Source: String {
        case line, block, segment
    }

    private struct Piece {
        let address: UInt64
        let poolOffset: Int
        let byteCount: Int
        /// Line, block or segment; see `source`.
        let number: Int

        var endAddress: UInt64 { address + UInt64(byteCount) }
    }

    private let source: Source
    private let options: ParseOptions
    private var pieces: [Piece] = []
    private var pool: [UInt8] = []
    private var outsideByteCount = 0

    init(source: Source, options: ParseOptions) {
        self.source = source
        self.options = options
    }

    /// Adds a piece that the file's line, block or segment of that number describes.
    mutating func add(
        _ bytes: ArraySlice<UInt8>, at address: UInt64, number: Int
    ) throws(ImageError) {
        guard !bytes.isEmpty else { return }
        let (end, overflow) = address.addingReportingOverflow(UInt64(bytes.count))
        guard !overflow else { throw .memory(.addressOverflow(address: address)) }
        var lower = address
        var upper = end
        if let range = options.addressRange {
            lower = min(max(lower, range.lowerBound), end)
            upper = max(min(upper, range.upperBound), lower)
            outsideByteCount += bytes.count - Int(upper - lower)
            guard lower < upper else { return }
        }
        let kept = bytes.dropFirst(Int(lower - address)).prefix(Int(upper - lower))
        // An ELF file may name the same bytes in thousands of segments.
        let (held, limit) = (pool.count + kept.count, max(0, options.largestPayloadByteCount))
        guard held <= limit else {
            throw .memory(.tooLarge(byteCount: UInt64(held), limit: limit))
        }
        pieces.append(
            Piece(address: lower, poolOffset: pool.count, byteCount: kept.count, number: number))
        pool.append(contentsOf: kept)
    }

    /// Lays the pieces out from the lowest address to the highest, gaps filled.
    ///
    /// - Throws: `ImageError.memory` when nothing is left, two pieces contradict each other, or a
    /// gap
    ///   or the whole is larger than the options allow. Nothing is copied before that is clear.
    consuming func flattened() throws(ImageError) -> ImageContents {
        sortByAddress()
        guard let first = pieces.first else {
            throw .memory(.noData(outsideByteCount: outsideByteCount))
        }
        let gaps = try measure()
        var payload: [UInt8] = []
        payload.reserveCapacity(Int(gaps.endAddress - first.address))
        var repeatedByteCount = 0
        for (index, piece) in pieces.enumerated() {
            let position = Int(piece.address - first.address)
            if position > payload.count {
                let gap = position - payload.count
                payload.append(contentsOf: repeatElement(options.erasedValue, count: gap))
            }
            let bytes = pool[piece.poolOffset..<(piece.poolOffset + piece.byteCount)]
            let repeated = min(payload.count - position, bytes.count)
            let already = payload[position..<(position + repeated)]
            if !already.elementsEqual(bytes.prefix(repeated)) {
                throw conflict(at: index, with: already)
            }
            repeatedByteCount += repeated
            payload.append(contentsOf: bytes.dropFirst(repeated))
        }
        var notes: [ImageNote] = []
        if gaps.count > 0 {
            notes.append(.gapsFilled(gapCount: gaps.count, byteCount: gaps.byteCount))
        }
        if repeatedByteCount > 0 { notes.append(.repeatedBytes(byteCount: repeatedByteCount)) }
        if outsideByteCount > 0 { notes.append(.outsideRange(byteCount: outsideByteCount)) }
        return ImageContents(payload: payload, baseAddress: first.address, notes: notes)
    }

    /// Most files are in order already, and sorting equal addresses must keep the file's order.
    private mutating func sortByAddress() {
        let isSorted = zip(pieces, pieces.dropFirst()).allSatisfy { $0.address <= $1.address }
        if isSorted { return }
        pieces.sort { ($0.address, $0.poolOffset) < ($1.address, $1.poolOffset) }
    }

    /// Finds the gaps and the end, and refuses what is too large.
    private func measure() throws(ImageError) -> (count: Int, byteCount: Int, endAddress: UInt64) {
        var gapCount = 0
        var gapByteCount = 0
        let start = pieces.first?.address ?? 0
        var end = start
        for piece in pieces {
            if piece.address > end {
                guard piece.address - end <= UInt64(max(0, options.largestGapByteCount)) else {
                    throw .memory(
                        .gapTooLarge(
                            from: end, to: piece.address, limit: options.largestGapByteCount))
                }
                gapCount += 1
                gapByteCount += Int(piece.address - end)
            }
            end = max(end, piece.endAddress)
            guard end - start <= UInt64(max(0, options.largestPayloadByteCount)) else {
                throw .memory(
                    .tooLarge(
                        byteCount: end - start, limit: options.largestPayloadByteCount))
            }
        }
        return (gapCount, gapByteCount, end)
    }

    /// Names the first address at which a piece contradicts the ones before it, and both sources.
    private func conflict(at index: Int, with already: ArraySlice<UInt8>) -> ImageError {
        let piece = pieces[index]
        let bytes = pool[piece.poolOffset...].prefix(already.count)
        let distance = zip(already, bytes).prefix { $0 == $1 }.reduce(0) { count, _ in count + 1 }
        let address = piece.address + UInt64(distance)
        let earlier = pieces[..<index].first { $0.address <= address && address < $0.endAddress }
        return .memory(
            .conflict(
                address: address, source: source.rawValue,
                first: min(earlier?.number ?? piece.number, piece.number),
                second: max(earlier?.number ?? piece.number, piece.number)))
    }
}
