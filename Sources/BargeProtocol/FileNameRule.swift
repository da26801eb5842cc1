/// What a file's name may be (BTP-080), on both sides.
extension Name {
    /// True for 1…255 bytes of valid UTF-8 without `/` and control characters that are neither `.`
    /// nor `..`.
    public var isValidFileName: Bool {
        guard !isEmpty, !isDots else { return false }
        var index = 0
        while index < byteCount {
            guard let scalar = scalar(at: &index), !Self.isForbidden(scalar) else { return false }
        }
        return true
    }

    private var isDots: Bool {
        let dot = UInt8(ascii: ".")
        return (byteCount == 1 || byteCount == 2) && byte(at: 0) == dot
            && byte(at: byteCount - 1) == dot
    }

    /// `/`, and the control characters C0, DEL and C1.
    private static func isForbidden(_ scalar: UInt32) -> Bool {
        scalar == 0x2F || scalar < 0x20 || (0x7F...0x9F).contains(scalar)
    }

    /// Decodes one scalar as RFC 3629, 4 has it: no overlong forms, no surrogates, no more than
    /// U+10FFFF. Nil where the bytes are not UTF-8.
    private func scalar(at index: inout Int) -> UInt32? {
        let lead = byte(at: index)
        index += 1
        switch lead {
        case 0x00...0x7F: return UInt32(lead)
        case 0xC2...0xDF: return tail(UInt32(lead & 0x1F), count: 1, least: 0x80, at: &index)
        case 0xE0...0xEF: return tail(UInt32(lead & 0x0F), count: 2, least: 0x800, at: &index)
        case 0xF0...0xF4: return tail(UInt32(lead & 0x07), count: 3, least: 0x1_0000, at: &index)
        default: return nil
        }
    }

    private func tail(_ head: UInt32, count: Int, least: UInt32, at index: inout Int) -> UInt32? {
        var scalar = head
        for _ in 0..<count {
            guard index < byteCount, byte(at: index) & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(byte(at: index) & 0x3F)
            index += 1
        }
        let isSurrogate = (0xD800...0xDFFF).contains(scalar)
        return scalar >= least && scalar <= 0x10_FFFF && !isSurrogate ? scalar : nil
    }
}
