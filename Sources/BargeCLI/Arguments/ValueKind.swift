/// A kind of value on the command line: how it is written, and how its text becomes a `Value`.
struct ValueKind<Value: Sendable>: Sendable {
    let description: ValueDescription
    /// The value, or `nil` if the text is none of this kind.
    let parse: @Sendable (String) -> Value?

    init(
        placeholder: String, expectation: String, completion: Completion = .nothing,
        isSecret: Bool = false, parse: @escaping @Sendable (String) -> Value?
    ) {
        self.parse = parse
        description = ValueDescription(
            placeholder: placeholder, expectation: expectation, completion: completion,
            isSecret: isSecret, accepts: { parse($0) != nil })
    }
}

/// What help, completions, manual page and parser need to know of a kind; its type is erased.
struct ValueDescription: Sendable {
    /// How the value is written in a synopsis: `FILE`.
    let placeholder: String
    /// What fits, as the rest of "it takes …": `a whole number from 1 to 9`.
    let expectation: String
    /// What a shell may offer.
    let completion: Completion
    /// Whether it is nobody's business: messages and events do not repeat it.
    let isSecret: Bool
    /// Whether a text is of this kind.
    let accepts: @Sendable (String) -> Bool
}

/// Where a shell finds candidates for a value.
enum Completion: Equatable, Sendable {
    case nothing
    case files
    case devices
    /// The names of simulated devices alone.
    case simulatedDevices
    case words([String])
}
