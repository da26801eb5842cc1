/// A pattern for names, in which `*` stands for any text and `?` for one character.
public struct NamePattern: Hashable, Sendable, CustomStringConvertible {
    private let pattern: [Character]
    private let isExact: Bool

    private init(_ text: String, isExact: Bool) {
        pattern = Array(text)
        self.isExact = isExact
    }

    /// A pattern as a person writes it.
    public init(_ text: String) { self.init(text, isExact: false) }

    /// The pattern that matches one name alone, whatever characters it has.
    public static func exactly(_ name: String) -> NamePattern {
        NamePattern(name, isExact: true)
    }

    /// As a person writes it.
    public var description: String { String(pattern) }

    /// Takes no more steps than pattern and name have characters, multiplied: each row of the
    /// table below says which beginnings of the name a beginning of the pattern matches.
    public func matches(_ name: String) -> Bool {
        let name = Array(name)
        if isExact { return name == pattern }
        var row = [true] + name.map { _ in false }
        for character in pattern {
            var next = [character == "*" && row[0]] + name.map { _ in false }
            for (index, letter) in name.enumerated() {
                next[index + 1] =
                    character == "*"
                    ? row[index + 1] || next[index]
                    : row[index] && (character == "?" || character == letter)
            }
            row = next
        }
        return row[name.count]
    }
}
