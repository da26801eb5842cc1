/// Text as XML 1.0 takes it, between tags as well as between quotation marks.
enum XMLText {
    /// Everything that XML would read as its own is escaped. What it cannot hold even so (section
    /// 2.2, Char) becomes U+FFFD; so do the other control characters, which 2.2 advises against.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            // Needed behind "]]" alone; escaped everywhere, it needs no look behind.
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            // A reader makes spaces of them in an attribute (section 3.3.3), and line feeds of
            // carriage returns everywhere (2.11), unless they are written as numbers.
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case _ where isUnfit(scalar): result += "\u{FFFD}"
            case _: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0xFFFE...0xFFFF: true
        case _: false
        }
    }
}
