/// Finds the outermost code blocks of a Swift source by counting braces: what stands between the
/// braces of a function, initializer, accessor or closure, but not those of a type or extension.
struct FunctionBodies {
    /// One block: the line of its opening brace, and the number of lines between its braces.
    struct Body: Equatable {
        let firstLine: Int
        let lineCount: Int
    }

    private enum Block {
        case container
        case code(openedAtLine: Int)
        /// Inside a code block that is already being measured.
        case nested
    }

    private var blocks: [Block] = []
    private var bodies: [Body] = []
    private var line = 1
    private var introducer = Introducer()

    /// The bodies in a source whose comments and strings are blanked out (see `CodeMask`).
    static func measure(_ code: String) -> [Body] {
        var scanner = FunctionBodies()
        for byte in code.utf8 { scanner.take(byte) }
        return scanner.bodies
    }

    private mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"):
            line += 1
            introducer.take(byte)
        case UInt8(ascii: "{"):
            open()
        case UInt8(ascii: "}"):
            close()
        case _:
            introducer.take(byte)
        }
    }

    private mutating func open() {
        switch blocks.last {
        case nil, .container?:
            blocks.append(
                introducer.introducesType ? .container : .code(openedAtLine: line))
        case .code?, .nested?:
            blocks.append(.nested)
        }
        introducer = Introducer()
    }

    private mutating func close() {
        if case .code(let start)? = blocks.popLast() {
            bodies.append(Body(firstLine: start, lineCount: max(0, line - start - 1)))
        }
        introducer = Introducer()
    }
}

/// Reads the text before an opening brace, and knows whether it declares a type: whether the last
/// declaring keyword outside parentheses is one of a type.
private struct Introducer {
    private static let typeKeywords: Set<String> = [
        "actor", "class", "enum", "extension", "protocol", "struct",
    ]
    private static let otherKeywords: Set<String> = [
        "case", "deinit", "func", "init", "let", "subscript", "var",
    ]

    private(set) var introducesType = false
    private var word: [UInt8] = []
    private var wordFollowsMark = false
    private var depth = 0
    private var previous: UInt8 = 0

    mutating func take(_ byte: UInt8) {
        if isPartOfWord(byte) {
            if word.isEmpty {
                // "@attribute", ".init" and "#if" are no declarations.
                wordFollowsMark = [UInt8](".@#`".utf8).contains(previous)
            }
            word.append(byte)
        } else {
            endWord()
            if [UInt8]("([".utf8).contains(byte) { depth += 1 }
            if [UInt8](")]".utf8).contains(byte) { depth -= 1 }
        }
        previous = byte
    }

    private mutating func endWord() {
        defer { word = [] }
        guard !word.isEmpty, depth == 0, !wordFollowsMark else { return }
        let text = String(decoding: word, as: UTF8.self)
        if Self.typeKeywords.contains(text) { introducesType = true }
        if Self.otherKeywords.contains(text) { introducesType = false }
    }

    private func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        case _:
            false
        }
    }
}
