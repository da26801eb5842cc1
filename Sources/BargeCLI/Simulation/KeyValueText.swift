/// A small text file of ours: a first line that tells its kind and version, then a key and its
/// value a line, each key once.
struct KeyValueText {
    /// Why a file cannot be read.
    enum Problem: Error, Equatable {
        /// A later barge wrote it.
        case newer(version: Int)
        /// It is not what was written; a phrase says what is wrong.
        case damaged(String)
    }

    /// The longest file that is looked at.
    static let maximumBytes = 64 * 1024

    /// Which version the file is of.
    let version: Int
    private var values: [String: String] = [:]

    /// - Parameter kind: the first word of the file.
    /// - Parameter version: the newest version that is understood.
    init(_ bytes: [UInt8], kind: String, version: Int) throws(Problem) {
        guard bytes.count <= Self.maximumBytes else { throw .damaged("it is too long") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .damaged("it is not UTF-8")
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let head = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard head.count == 2, head[0] == kind, let found = wholeNumber(head[1]), found > 0 else {
            throw .damaged("it does not begin with '\(kind)' and a version")
        }
        guard found <= version else { throw .newer(version: found) }
        self.version = found
        // Each line ends, so a file that was cut short in the middle of a value is found out.
        guard lines.popLast() == "" else { throw .damaged("its last line is cut short") }
        for (index, line) in lines.enumerated() {
            let words = line.split(
                separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
                throw .damaged("line \(index + 2) is not a key and a value")
            }
            guard values.updateValue(String(words[1]), forKey: String(words[0])) == nil else {
                throw .damaged("'\(words[0])' stands there twice")
            }
        }
    }

    /// The value of a key, which must be there and make sense; it is taken out.
    mutating func take<Value>(
        _ key: String, _ parse: (String) -> Value?
    ) throws(Problem) -> Value {
        guard let text = values.removeValue(forKey: key) else {
            throw .damaged("'\(key)' is missing")
        }
        guard let value = parse(text) else { throw .damaged("'\(key) \(text)' makes no sense") }
        return value
    }

    /// Ends the reading: a key that nobody took has no meaning.
    func finish() throws(Problem) {
        if let key = values.keys.min() { throw .damaged("'\(key)' has no meaning") }
    }

    /// A key and its value.
    typealias Line = (key: String, value: String)

    /// The text of a file.
    static func text(kind: String, version: Int, _ lines: [Line]) -> String {
        "\(kind) \(version)\n" + lines.map { "\($0.key) \($0.value)\n" }.joined()
    }

    /// What stands for a value that is not there.
    static let none = "none"

    /// A value that may be missing, which `none` stands for.
    static func optional<Value>(
        _ parse: @escaping (String) -> Value?
    ) -> (String) -> Value?? {
        { text in text == none ? .some(nil) : parse(text).map { .some($0) } }
    }

    /// `yes` or `no`.
    static func flag(_ text: String) -> Bool? { ["yes": true, "no": false][text] }

    /// `yes` or `no`.
    static func text(_ flag: Bool) -> String { flag ? "yes" : "no" }

    /// A number in a range.
    static func number(in range: ClosedRange<Int>) -> (String) -> Int? {
        { text in wholeNumber(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}
