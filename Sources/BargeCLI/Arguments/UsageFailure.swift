/// The sentences for every way in which a command line can be wrong.
///
/// `caller` is the command as the user wrote it: `barge flash`.
enum UsageFailure {
    static func unknownCommand(_ word: String, caller: String, known: [String]) -> Failure {
        let hint = nearest(to: word, among: known).map { "did you mean '\(caller) \($0)'? " } ?? ""
        return usage(
            "unknown-command", what: "unknown command '\(word)'",
            why: "'\(caller)' knows \(list(known))",
            advice: "\(hint)'\(caller) --help' says what each one does")
    }

    static func missingCommand(caller: String, known: [String]) -> Failure {
        usage(
            "missing-command", what: "'\(caller)' needs a command",
            why: "it does nothing by itself; it knows \(list(known))",
            advice: "'\(caller) --help' says what each one does")
    }

    /// - Parameter owners: commands further down that do have the option.
    /// - Parameter name: the whole word, where it may have been meant as a name: `-dash.bin`.
    static func unknownOption(
        _ option: String, caller: String, known: [String], owners: [String], name: String?
    ) -> Failure {
        var hint = ""
        if let owner = owners.first {
            hint = "options of a command stand behind it: '\(owner) \(option)'; "
        } else if let near = nearest(to: option, among: known) {
            hint = "did you mean '\(near)'? "
        } else if let name {
            hint = "if '\(name)' is a name, write '-- \(name)'; "
        }
        return usage(
            "unknown-option", what: "unknown option '\(option)'",
            why: "'\(caller)' has no option of that name",
            advice: "\(hint)'\(caller) --help' lists its options")
    }

    static func missingValue(_ option: OptionDeclaration, next: String?, caller: String) -> Failure
    {
        let expectation = option.value?.expectation ?? "a value"
        let behind = next.map { "'\($0)' behind it is an option" } ?? "nothing follows it"
        let literally = next.map { ", or '--\(option.name)=\($0)' if you mean it literally" } ?? ""
        return usage(
            "missing-value", what: "'--\(option.name)' has no value",
            why: "it takes \(expectation), and \(behind)",
            advice: "write '--\(option.name) \(option.value?.placeholder ?? "VALUE")'\(literally)")
    }

    static func unexpectedValue(_ option: OptionDeclaration, _ value: String) -> Failure {
        usage(
            "unexpected-value", what: "'--\(option.name)=\(value)' has a value",
            why: "'--\(option.name)' is a flag and takes none",
            advice: "write '--\(option.name)' to turn it on, or leave it out")
    }

    /// - Parameter name: `--level` or `IMAGE`.
    static func badValue(
        _ text: String, name: String, kind: ValueDescription, caller: String
    ) -> Failure {
        var hint = ""
        if case .words(let words) = kind.completion, let near = nearest(to: text, among: words) {
            hint = "did you mean '\(near)'? "
        }
        return usage(
            "bad-value",
            what: kind.isSecret
                ? "what is given to \(name) does not fit" : "'\(text)' does not fit \(name)",
            why: "\(name) takes \(kind.expectation)",
            advice: "\(hint)'\(caller) --help' says what it is for")
    }

    static func missingArgument(_ argument: ArgumentDeclaration, usage line: String) -> Failure {
        usage(
            "missing-argument", what: "\(argument.name) is missing",
            why: "\(argument.name) is \(decapitalized(argument.help))",
            advice: "write '\(line)'")
    }

    static func missingOption(_ option: OptionDeclaration, usage line: String) -> Failure {
        usage(
            "missing-option", what: "'--\(option.name)' is missing",
            why: "its use: \(decapitalized(option.help))",
            advice: "write '\(line)'")
    }

    static func tooManyArguments(_ extra: String, usage line: String) -> Failure {
        usage(
            "too-many-arguments", what: "'\(extra)' is one argument too many",
            why: "nothing takes it", advice: "write '\(line)'; quote a name that has spaces")
    }

    /// A device stands where something else belongs.
    static func swapped(_ device: String, with name: String, usage line: String) -> Failure {
        usage(
            "swapped-arguments", what: "'\(device)' stands in the place of \(name)",
            why: "it is a simulated device", advice: "write '\(line)'")
    }

    /// Options that exclude each other.
    static func contradiction(_ first: String, _ second: String, why: String) -> Failure {
        usage(
            "contradiction", what: "'\(first)' and '\(second)' contradict each other", why: why,
            advice: "leave one of them out")
    }

    /// An option that says nothing by itself.
    static func without(_ needed: String, option: String) -> Failure {
        usage(
            "missing-option", what: "'\(option)' stands without '\(needed)'",
            why: "it narrows down what '\(needed)' finds",
            advice: "add '\(needed)', or leave '\(option)' out")
    }

    /// Neither a device nor a way to find some.
    static let missingDevice = usage(
        "missing-argument", what: "DEVICE is missing",
        why: "without '--all' the devices are named on the line",
        advice: "name one or more, or write '--all' ('barge help devices')")

    /// An argument that is not text: the operating system hands over bytes, and not all are UTF-8.
    static func notText(_ repaired: String, position: Int) -> Failure {
        usage(
            "not-utf-8", what: "argument \(position) is not UTF-8: '\(repaired)'",
            why: "names that are not UTF-8 cannot be told apart safely, here or on a device",
            advice: "rename the file, or reach it through a link whose name is UTF-8")
    }

    static func usage(_ identifier: String, what: String, why: String, advice: String) -> Failure {
        Failure(.usage, identifier, what: what, why: why, advice: advice)
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    private static func decapitalized(_ text: String) -> String {
        text.prefix(1).lowercased() + text.dropFirst()
    }
}
