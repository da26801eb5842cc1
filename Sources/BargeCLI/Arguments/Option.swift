/// An option or a flag as help, completions, manual page and parser see it.
struct OptionDeclaration: Sendable {
    /// The long name, without its dashes.
    let name: String
    /// The letter behind a single dash. Only flags have one.
    let short: Character?
    /// What the option takes; `nil` for a flag.
    let value: ValueDescription?
    /// Whether the command does nothing without it.
    var isRequired = false
    /// The value that stands where none is given, as a user would write it.
    let defaultText: String?
    /// A sentence without a full stop.
    let help: String

    /// Every way to write its name: `-v`, `--verbose`.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--" + name] }
}

/// An option of a known type: a body reads it with `arguments[option]`.
struct Option<Value: Sendable>: Sendable {
    let declaration: OptionDeclaration
    /// From the texts of all its occurrences, which the parser has checked, to the value.
    let read: @Sendable ([String]) -> Value
}

extension Option {
    /// An option that may be missing.
    init<Given: Sendable>(
        _ name: String, _ kind: ValueKind<Given>, _ help: String
    ) where Value == Given? {
        declaration = OptionDeclaration(
            name: name, short: nil, value: kind.description, defaultText: nil, help: help)
        read = { $0.last.flatMap(kind.parse) }
    }

    /// An option that must be given.
    init(required name: String, _ kind: ValueKind<Value>, _ help: String) {
        declaration = OptionDeclaration(
            name: name, short: nil, value: kind.description, isRequired: true, defaultText: nil,
            help: help)
        read = { texts in
            guard let value = texts.last.flatMap(kind.parse) else {
                preconditionFailure("the parser let a command through without its --\(name)")
            }
            return value
        }
    }

    /// An option that always has a value.
    init(_ name: String, _ kind: ValueKind<Value>, default text: String, _ help: String) {
        guard let fallback = kind.parse(text) else {
            preconditionFailure("--\(name) does not take its own default \(text)")
        }
        declaration = OptionDeclaration(
            name: name, short: nil, value: kind.description, defaultText: text, help: help)
        read = { $0.last.flatMap(kind.parse) ?? fallback }
    }
}

extension Option where Value == Bool {
    /// A flag, true where it is given.
    init(flag name: String, short: Character? = nil, _ help: String) {
        declaration = OptionDeclaration(
            name: name, short: short, value: nil, defaultText: nil, help: help)
        read = { !$0.isEmpty }
    }
}

extension Option where Value == Int {
    /// A flag that counts how often it is given.
    init(countedFlag name: String, short: Character? = nil, _ help: String) {
        declaration = OptionDeclaration(
            name: name, short: short, value: nil, defaultText: nil, help: help)
        read = { $0.count }
    }
}
