/// A JSON value whose object keeps its order, and its text (RFC 8259).
enum JSONValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// Exact up to 2^64-1; a reader that keeps doubles loses precision beyond 2^53.
    case unsigned(UInt64)
    /// Not-a-number and infinity do not exist in JSON and are written as `null`.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Text from bytes that may not be UTF-8: what is not becomes U+FFFD.
    static func text(_ bytes: [UInt8]) -> JSONValue {
        .string(String(decoding: bytes, as: UTF8.self))
    }

    /// The string, or `null`.
    static func string(orNull text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// The number, or `null`.
    static func number(orNull number: Double?) -> JSONValue {
        number.map { .number($0) } ?? .null
    }

    /// The number, or `null`.
    static func unsigned(orNull number: UInt64?) -> JSONValue {
        number.map { .unsigned($0) } ?? .null
    }

    /// The number, or `null`.
    static func integer(orNull number: Int?) -> JSONValue {
        number.map { .integer(Int64($0)) } ?? .null
    }

    /// The text of the value, on one line.
    var text: String {
        var writer = JSONWriter()
        writer.write(self)
        return writer.text
    }
}

/// A name and its value in a JSON object.
struct JSONMember: Equatable, Sendable {
    let name: String
    let value: JSONValue

    init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// Writes JSON values one behind the other.
private struct JSONWriter {
    var text = ""

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: text += "null"
        case .boolean(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += String(number)
        case .unsigned(let number): text += String(number)
        case .number(let number): text += number.isFinite ? "\(number)" : "null"
        case .string(let string): write(string)
        case .array(let values):
            list("[", values, "]") { $0.write($1) }
        case .object(let members):
            list("{", members, "}") { writer, member in
                writer.write(member.name)
                writer.text += ":"
                writer.write(member.value)
            }
        }
    }

    private mutating func list<Element>(
        _ opening: String, _ elements: [Element], _ closing: String,
        write: (inout JSONWriter, Element) -> Void
    ) {
        text += opening
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            write(&self, element)
        }
        text += closing
    }

    private mutating func write(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where mustBeEscaped(scalar): text += escape(scalar)
            case _: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    /// RFC 8259 asks for the controls below U+0020. The line separators of Unicode and the upper
    /// controls are escaped as well: some readers would see the end of the line in them.
    private func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
        case _: false
        }
    }

    private func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
