/// The name of a file in the store: one component of a path, and nothing that could lead elsewhere.
public struct FileName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The longest name, in bytes: what Linux and macOS file systems allow.
    public static let maximumBytes = 255
    /// The directory for unfinished files. No file may have its name, in any case of letters.
    public static let reserved = ".barge-partial"

    /// The name as text.
    public let text: String

    /// A name from its bytes.
    /// - Throws: ``FileNameError`` that names the rule.
    public init(_ bytes: some Collection<UInt8>) throws(FileNameError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.maximumBytes else { throw .tooLong(bytes.count) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        guard !bytes.contains(0x2F) else { throw .slash }
        // U+0000 … U+001F, U+007F, and U+0080 … U+009F: Unicode's general category Cc.
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .controlCharacter }
        guard text != ".", text != ".." else { throw .dots }
        guard text.lowercased() != Self.reserved else { throw .reserved }
        self.text = text
    }

    /// A name from text.
    /// - Throws: ``FileNameError`` that names the rule.
    public init(_ text: String) throws(FileNameError) {
        try self.init(Array(text.utf8))
    }

    /// The name as text.
    public var description: String { text }

    /// The name's bytes, UTF-8.
    public var bytes: String.UTF8View { text.utf8 }

    /// Equal bytes: two spellings of one letter are two names.
    public static func == (left: FileName, right: FileName) -> Bool {
        left.bytes.elementsEqual(right.bytes)
    }

    /// The order of the bytes, which is the order of the list.
    public static func < (left: FileName, right: FileName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        for byte in bytes { hasher.combine(byte) }
    }
}

/// The rule that a name breaks.
public enum FileNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has no byte.
    case empty
    /// It has too many bytes.
    case tooLong(Int)
    /// Its bytes are not UTF-8.
    case notUTF8
    /// It holds a slash.
    case slash
    /// It holds NUL or another control character.
    case controlCharacter
    /// It is "." or "..".
    case dots
    /// It is the store's own directory.
    case reserved

    /// The rule, without a full stop.
    public var description: String {
        switch self {
        case .empty: "A file name has at least one byte"
        case .tooLong(let count):
            "A file name has at most \(FileName.maximumBytes) bytes; this one has \(count)"
        case .notUTF8: "A file name is UTF-8; this one is not"
        case .slash: "A file name holds no \"/\": there are no directories"
        case .controlCharacter: "A file name holds no control character"
        case .dots: "A file cannot be named \".\" or \"..\""
        case .reserved:
            "A file cannot be named \"\(FileName.reserved)\": the device uses that itself"
        }
    }
}
