import BargeProtocol

/// A small record on disk that knows whether it is whole: lines of `key value`, the first with the
/// kind of record and its version, the last with the CRC-32 of all before it.
///
/// ```
/// barge-transfer 1
/// verb push
/// device kitchen%20sensor
/// crc 1b2c3d4e
/// ```
/// There is exactly one spelling of a record, and anything else is not read. First and last line
/// stay as they are in every version, so that an old program can tell a newer record from a
/// damaged one.
struct SealedText: Equatable, Sendable {
    /// One line between the first and the last.
    struct Field: Equatable, Sendable {
        let key: String
        let value: String
    }

    /// Why a record was not read.
    enum Fault: Error, Equatable, Sendable {
        /// It is torn or altered, or it was never one.
        case corrupt
        /// It is whole, and of this later version.
        case newer(version: Int)
    }

    let fields: [Field]

    /// The longest record that is read.
    static let longestBytes = 64 * 1024

    /// The bytes of the record.
    func encoded(kind: String, version: Int) -> [UInt8] {
        var bytes = Array("\(kind) \(version)\n".utf8)
        for field in fields {
            bytes += Array("\(field.key) ".utf8)
            Self.appendEscaped(field.value, to: &bytes)
            bytes.append(Self.newline)
        }
        let check = CRC32.value(of: bytes.span.bytes)
        bytes += Array("\(Self.checkKey) \(Hexadecimal.text(check))\n".utf8)
        return bytes
    }

    /// Reads a record of `kind`, up to `version`.
    init(_ bytes: [UInt8], kind: String, version: Int) throws(Fault) {
        guard bytes.count <= Self.longestBytes else { throw .corrupt }
        let lines = try Self.checkedLines(bytes)
        guard let first = lines.first.flatMap(Field.init), first.key == kind,
            let found = Int(first.value), found > 0
        else { throw .corrupt }
        if found > version { throw .newer(version: found) }
        var fields: [Field] = []
        for line in lines.dropFirst() {
            guard let field = Field(line) else { throw .corrupt }
            fields.append(field)
        }
        self.fields = fields
        guard encoded(kind: kind, version: found) == bytes else { throw .corrupt }
    }

    init(_ fields: [Field]) { self.fields = fields }
}

extension SealedText {
    /// The lines before the last, which must hold the right check.
    private static func checkedLines(_ bytes: [UInt8]) throws(Fault) -> [ArraySlice<UInt8>] {
        var lines = bytes.split(separator: newline, omittingEmptySubsequences: false)
        // What follows the last newline must be nothing.
        guard lines.count >= 3, lines.removeLast().isEmpty else { throw .corrupt }
        let last = lines.removeLast()
        let body = bytes[..<last.startIndex]
        let check = CRC32.value(of: body.span.bytes)
        guard last.elementsEqual("\(checkKey) \(Hexadecimal.text(check))".utf8) else {
            throw .corrupt
        }
        return lines
    }

    /// Printable ASCII stands for itself, any other byte and `%` for `%XX`.
    private static func appendEscaped(_ value: String, to bytes: inout [UInt8]) {
        for byte in value.utf8 {
            if (0x21...0x7E).contains(byte), byte != percent {
                bytes.append(byte)
            } else {
                bytes += [percent, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
    }

    fileprivate static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
        var value: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == percent else {
                value.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digits.firstIndex(of:)),
                let low = rest.popFirst().flatMap(digits.firstIndex(of:))
            else { return nil }
            value.append(UInt8(high << 4 | low))
        }
        return String(validating: value, as: UTF8.self)
    }

    private static let checkKey = "crc"
    private static let newline = UInt8(ascii: "\n")
    private static let percent = UInt8(ascii: "%")
    private static let digits = Array("0123456789ABCDEF".utf8)
}

extension SealedText.Field {
    fileprivate init?(_ line: ArraySlice<UInt8>) {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")),
            let key = String(validating: line[..<space], as: UTF8.self),
            let value = SealedText.unescaped(line[(space + 1)...])
        else { return nil }
        self.init(key: key, value: value)
    }
}
