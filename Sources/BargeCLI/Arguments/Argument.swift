/// A positional argument as help, completions, manual page and parser see it.
struct ArgumentDeclaration: Sendable {
    enum Count: Sendable { case one, zeroOrOne, oneOrMore, zeroOrMore }

    /// The name in capitals: `IMAGE`.
    let name: String
    let value: ValueDescription
    let count: Count
    /// A sentence without a full stop.
    let help: String

    /// How the argument is written in a synopsis.
    var synopsis: String {
        switch count {
        case .one: name
        case .zeroOrOne: "[\(name)]"
        case .oneOrMore: "\(name)..."
        case .zeroOrMore: "[\(name)...]"
        }
    }

    var isRequired: Bool {
        switch count {
        case .one, .oneOrMore: true
        case .zeroOrOne, .zeroOrMore: false
        }
    }

    var isRepeated: Bool {
        switch count {
        case .oneOrMore, .zeroOrMore: true
        case .one, .zeroOrOne: false
        }
    }
}

/// An argument of a known type: a body reads it with `arguments[argument]`.
struct Argument<Value: Sendable>: Sendable {
    let declaration: ArgumentDeclaration
    /// From its texts, which the parser has checked and counted, to the value.
    let read: @Sendable ([String]) -> Value
}

extension Argument {
    /// An argument that must be given.
    init(_ name: String, _ kind: ValueKind<Value>, _ help: String) {
        declaration = ArgumentDeclaration(
            name: name, value: kind.description, count: .one, help: help)
        read = { texts in
            guard let value = texts.first.flatMap(kind.parse) else {
                preconditionFailure("the parser let a command through without its \(name)")
            }
            return value
        }
    }

    /// An argument that may be missing; all that follow it must be of this sort.
    init<Given: Sendable>(
        optional name: String, _ kind: ValueKind<Given>, _ help: String
    ) where Value == Given? {
        declaration = ArgumentDeclaration(
            name: name, value: kind.description, count: .zeroOrOne, help: help)
        read = { $0.first.flatMap(kind.parse) }
    }

    /// The last argument of a command, given once or more.
    init<Given: Sendable>(
        repeated name: String, _ kind: ValueKind<Given>, isRequired: Bool = true, _ help: String
    ) where Value == [Given] {
        declaration = ArgumentDeclaration(
            name: name, value: kind.description,
            count: isRequired ? .oneOrMore : .zeroOrMore, help: help)
        read = { $0.compactMap(kind.parse) }
    }
}
