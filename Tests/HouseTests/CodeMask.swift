/// Blanks out what is not code in a Swift source: comments, the contents of string literals and of
/// `#/…/#` regular expressions. Line feeds stay, so line numbers and columns do too.
/// Interpolations are code and stay. A bare `/…/` is taken for code.
struct CodeMask {
    private let input: [UInt8]
    private var output: [UInt8]
    private var position = 0

    /// The text with everything but code turned into spaces.
    static func codeOnly(_ text: String) -> String {
        var mask = CodeMask(text)
        mask.scanCode(untilParenthesis: false)
        return String(decoding: mask.output, as: UTF8.self)
    }

    private init(_ text: String) {
        input = Array(text.utf8)
        output = input
    }

    private mutating func scanCode(untilParenthesis: Bool) {
        var depth = 0
        while position < input.count {
            if isAt("//") {
                while position < input.count, input[position] != UInt8(ascii: "\n") { blank(1) }
            } else if isAt("/*") {
                scanBlockComment()
            } else if let hashes = literalStart(UInt8(ascii: "\"")) {
                scanString(hashes: hashes)
            } else if let hashes = literalStart(UInt8(ascii: "/")), hashes > 0 {
                scanRegex(hashes: hashes)
            } else {
                if input[position] == UInt8(ascii: "(") { depth += 1 }
                if input[position] == UInt8(ascii: ")") {
                    if untilParenthesis, depth == 0 { return }
                    depth -= 1
                }
                position += 1
            }
        }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                depth += 1
                blank(2)
            } else if isAt("*/") {
                depth -= 1
                blank(2)
            } else {
                blank(1)
            }
        } while depth > 0 && position < input.count
    }

    private mutating func scanString(hashes: Int) {
        let fence = String(repeating: "#", count: hashes)
        blank(hashes)
        let isMultiline = isAt("\"\"\"")
        let quotes = isMultiline ? "\"\"\"" : "\""
        blank(quotes.utf8.count)
        while position < input.count {
            if isAt(quotes + fence) {
                blank(quotes.utf8.count + hashes)
                return
            } else if isAt("\\" + fence + "(") {
                blank(hashes + 2)
                scanCode(untilParenthesis: true)
                blank(1)
            } else if isAt("\\" + fence) {
                blank(hashes + 2)
            } else if !isMultiline, input[position] == UInt8(ascii: "\n") {
                return
            } else {
                blank(1)
            }
        }
    }

    private mutating func scanRegex(hashes: Int) {
        let end = "/" + String(repeating: "#", count: hashes)
        blank(hashes + 1)
        while position < input.count, !isAt(end) { blank(1) }
        blank(end.utf8.count)
    }

    /// The number of `#` before the mark, if a literal with this mark starts here.
    private func literalStart(_ mark: UInt8) -> Int? {
        var end = position
        while end < input.count, input[end] == UInt8(ascii: "#") { end += 1 }
        return end < input.count && input[end] == mark ? end - position : nil
    }

    private func isAt(_ text: String) -> Bool { input[position...].starts(with: text.utf8) }

    private mutating func blank(_ count: Int) {
        for _ in 0..<count where position < input.count {
            if input[position] != UInt8(ascii: "\n") { output[position] = UInt8(ascii: " ") }
            position += 1
        }
    }
}
