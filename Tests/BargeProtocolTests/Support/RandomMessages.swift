import BargeProtocol

/// Frames as a peer might send them that is anybody: mostly plausible, so that transfers get
/// somewhere, and wild otherwise.
struct RandomMessages {
    var random: SplitMix64

    /// What the other side is in the middle of.
    enum Phase {
        case idle
        case writing
        case committing
        case reading
        case canceling
        case finishing
        case asked(Message)
    }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    /// A number near one that matters, or from the edges of 64 bits.
    mutating func number(near value: UInt64) -> UInt64 {
        let edges: [UInt64] = [
            0, 1, 255, 256, 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF, 0x1_0000_0000_0000, .max - 1, .max,
        ]
        if chance(20) { return pick(edges) }
        return value &+ UInt64.random(in: 0...2, using: &random) &- 1
    }

    mutating func name() -> Name {
        let texts = ["", "a", "b", "..", "a/b", "c\u{0}", "log", "é"]
        return chance(95)
            ? Name(text: pick(texts)) : Name(bytes: random.bytes(Int(random.next() % 256)))
    }

    mutating func object() -> ObjectReference {
        let kind = pick([ObjectReference.Kind.firmware, .file, .file, .sink, .source])
        return ObjectReference(kind: kind, number: UInt8(random.next() % 3), name: name())
    }

    mutating func digest() -> Digest { Digest(repeating: pick([0, 7, 8])) }

    mutating func block(near offset: UInt64) -> Message {
        let isExact = chance(85)
        let at = isExact ? offset : number(near: offset) & 0xFFFF_FFFF_FFFF
        let rawBytes = chance(80) ? 256 : pick([0, 1, 44, 100, 255, 257, 32_768, 65_535])
        let coding = pick([BlockHeader.Coding.stored, .stored, .deflated])
        let coded = coding == .stored && chance(95) ? rawBytes : pick([0, 1, 100, 255, 256])
        return .block(
            BlockHeader(coding: coding, offset: at, rawBytes: rawBytes, codedBytes: coded))
    }

    /// The block that is due.
    private func nextBlock(at offset: UInt64, of length: UInt64) -> Message {
        .storedBlock(at: offset, Int(min(256, length - min(offset, length))))
    }

    /// What a host sends next: the due frame, or in one case of ten anything.
    mutating func fromHost(_ phase: Phase, offset: UInt64, length: UInt64) -> Message {
        guard chance(90) else { return wildFromHost(offset: offset, length: length) }
        switch phase {
        case .idle:
            let bytes: UInt64 = pick([0, 256, 1000, 5000])
            let lengths: [UInt64] = [0, 1, 1000, .max]
            return chance(50)
                ? .write(length: bytes) : .read(offset: pick([0, 1]), length: pick(lengths))
        case .writing, .committing:
            return offset == length ? .commit : nextBlock(at: offset, of: length)
        case .reading, .canceling, .finishing, .asked: return .acknowledge(offset: offset)
        }
    }

    /// What a device sends next: the due frame, or in one case of ten anything.
    mutating func fromDevice(
        _ phase: Phase, offset: UInt64, length: UInt64
    ) -> Message {
        guard chance(90) else { return wildFromDevice(offset: offset, length: length) }
        switch phase {
        case .idle: return .busy(BusyReport(activity: .reading, done: 0, total: 0))
        case .writing: return .acknowledge(offset: offset)
        case .committing:
            return .committed(Committed(digest: Digest(repeating: 7), microseconds: 1))
        case .reading:
            return offset == length
                ? .readEnd(ReadEnd(end: offset, digest: Digest()))
                : nextBlock(at: offset, of: length)
        case .canceling: return .canceled
        case .finishing: return .fin
        case .asked(.write): return .writeReady()
        case .asked(.read(let request)):
            return .readReady(size: pick([0, 1, 1000, 5000]), offset: request.offset)
        case .asked(.list):
            return chance(50) ? .entry(pick(["b", "c", "log"])) : .listed(more: false)
        case .asked: return pick(Message.everyAnswer)
        }
    }

    mutating func error() -> Message {
        let code = ErrorCode(rawValue: UInt16(random.next() % 28)) ?? .malformed
        let scope = pick([ErrorMessage.Scope.request, .request, .request, .session, .channel])
        return .error(ErrorMessage(code, scope: scope, detail: random.next()))
    }

    private mutating func wildFromHost(offset: UInt64, length: UInt64) -> Message {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: return block(near: offset)
        case 45..<60: return .acknowledge(offset: chance(50) ? offset : number(near: offset))
        case 60..<66: return .commit
        case 66..<69: return .cancel
        case 69..<79:
            let size: UInt64 = pick([0, 1, 256, 1000, 5000, number(near: length)])
            return .write(
                WriteRequest(
                    object: object(), length: size, digest: digest(), restart: chance(20)))
        case 79..<89:
            return .read(
                ReadRequest(
                    object: object(), offset: number(near: 1), length: number(near: length)))
        case 89..<92: return pick(Message.everyRequest)
        case 92..<94: return .list(after: name())
        case 94: return chance(20) ? pick(Message.everyAnswer) : .images
        case 95: return error()
        case 96: return chance(10) ? .fin : .reset
        case 97: return chance(10) ? .hello(.testing()) : .stat(object())
        default: return .echo(byteCount: Int(random.next() % 70_000))
        }
    }

    private mutating func wildFromDevice(offset: UInt64, length: UInt64) -> Message {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: return block(near: offset)
        case 30..<50: return .acknowledge(offset: chance(50) ? offset : number(near: offset))
        case 50..<58:
            return .writeReady(
                WriteReady(isComplete: chance(20), offset: number(near: 1), prefixCheck: 0))
        case 58..<66:
            return .readReady(
                ReadReady(
                    size: number(near: length), offset: number(near: 1), prefixCheck: 0))
        case 66..<70: return .readEnd(ReadEnd(end: number(near: length), digest: digest()))
        case 70..<75: return .committed(Committed(digest: digest(), microseconds: 1))
        case 75..<80:
            return .entry(FileEntry(size: 1, modifiedSeconds: 0, name: name()))
        case 80..<83: return .listed(more: chance(50))
        case 83..<88: return .canceled
        case 88..<96: return pick(Message.everyAnswer)
        case 96: return error()
        case 97: return chance(30) ? pick(Message.everyRequest) : .removed
        case 98: return chance(10) ? .fin : .imageStates(ImageSlots())
        default: return chance(10) ? .hello(.testing()) : .echoed(byteCount: 4)
        }
    }
}
