/// How text may be dressed on the terminal that it goes to.
struct TerminalStyle: Equatable, Sendable {
    /// Whether ECMA-48 color sequences are understood and wanted.
    var usesColor: Bool
    /// Whether characters outside ASCII show up as themselves.
    var usesUnicode: Bool

    /// ASCII without color: files, pipes and tests.
    static let plain = TerminalStyle(usesColor: false, usesUnicode: false)

    func red(_ text: String) -> String { dressed(text, "1;31") }
    func green(_ text: String) -> String { dressed(text, "32") }
    func bold(_ text: String) -> String { dressed(text, "1") }

    private func dressed(_ text: String, _ attributes: String) -> String {
        usesColor ? "\u{1B}[\(attributes)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// The text with everything that could steer a terminal made visible as `\u{..}`.
    ///
    /// Names come from devices and files, which nobody has checked: an escape sequence or a
    /// bidirectional override in one of them must not reach the terminal as such.
    var printable: String {
        guard unicodeScalars.contains(where: \.steersTerminal) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.steersTerminal {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var steersTerminal: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
            .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation,
            .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation,
            .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .spaceSeparator,
            .privateUse, .unassigned:
            false
        @unknown default: true
        }
    }
}
