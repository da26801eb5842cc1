import Bluetooth

/// What a user calls a device: 1 to 64 letters, digits, `-`, `_`, `.`, and spaces between them.
public struct DeviceAlias: Hashable, Sendable {
    /// As the user wrote it.
    public let text: String

    /// Why a text cannot be an alias.
    public enum Fault: Error, Hashable, Sendable {
        /// There is nothing in it.
        case empty
        /// It is longer than ``mostCharacters`` or ``mostBytes``.
        case tooLong
        /// It begins or ends with a space.
        case spaceAtEdge
        /// It has a character that an alias cannot have.
        case character(Character)
        /// It would be taken for a simulated device.
        case likeSimulated
        /// It would be taken for a Bluetooth address.
        case likeAddress
    }

    /// The most characters, as a reader counts them.
    public static let mostCharacters = 64
    /// The most bytes of UTF-8: one character may be made of any number of marks.
    public static let mostBytes = 256

    /// An alias by its text.
    public init(_ text: String) throws(Fault) {
        if let fault = Self.fault(in: text) { throw fault }
        self.text = text
    }

    /// Whether `other` would be confused with it: upper and lower case count as the same.
    public func matches(_ other: String) -> Bool { text.lowercased() == other.lowercased() }

    private static func fault(in text: String) -> Fault? {
        if text.isEmpty { return .empty }
        guard text.utf8.count <= mostBytes, text.count <= mostCharacters else { return .tooLong }
        if text.lowercased().hasPrefix("sim:") { return .likeSimulated }
        if PeerID(text).isBluetoothAddress { return .likeAddress }
        if let wrong = text.first(where: { !isAllowed($0) }) { return .character(wrong) }
        return text.hasPrefix(" ") || text.hasSuffix(" ") ? .spaceAtEdge : nil
    }

    private static func isAllowed(_ character: Character) -> Bool {
        if character.isASCII {
            return character.isLetter || character.isNumber || "-_. ".contains(character)
        }
        // Every part of it must show: an invisible one would make two aliases that look the same.
        return character.unicodeScalars.allSatisfy {
            switch $0.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter, .nonspacingMark, .spacingMark, .decimalNumber:
                true
            case _: false
            }
        }
    }
}

extension DeviceAlias.Fault {
    /// The fault as the end of a sentence.
    var reason: String {
        switch self {
        case .empty: "it is empty"
        case .tooLong: "it is longer than \(DeviceAlias.mostCharacters) characters"
        case .spaceAtEdge: "it begins or ends with a space"
        case .character(let character): "it has \(String(reflecting: String(character))) in it"
        case .likeSimulated: "sim: begins the names of simulated devices"
        case .likeAddress: "it looks like a Bluetooth address"
        }
    }
}
