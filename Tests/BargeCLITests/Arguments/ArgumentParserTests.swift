import Testing

@testable import BargeCLI

/// A small program that has one of everything.
private enum Sample {
    enum Color: String, CaseIterable, Sendable { case red, green }

    static let verbose = Option(countedFlag: "verbose", short: "v", "Talk")
    static let loud = Option(flag: "loud", short: "l", "Shout")
    static let count = Option("count", ValueKind.integer(1...9), "How many")
    static let color = Option("color", ValueKind.choice(Color.self), default: "red", "The color")
    static let must = Option(required: "must", ValueKind.text("TEXT"), "The text")
    static let from = Argument("FROM", ValueKind.path(takesStandardStream: true), "The source")
    static let to = Argument(optional: "TO", ValueKind.text("TO"), "The target")
    static let names = Argument(repeated: "NAME", ValueKind.text("NAME"), "Names")

    static let root = CommandDeclaration(
        name: "tool", abstract: "A tool",
        optionGroups: [OptionGroup(title: "Global", options: [verbose.declaration])],
        subcommands: [
            CommandDeclaration(
                name: "copy", abstract: "Copy",
                arguments: [from.declaration, to.declaration],
                optionGroups: [
                    OptionGroup(
                        title: "Options",
                        options: [loud.declaration, count.declaration, color.declaration])
                ]),
            CommandDeclaration(
                name: "set", abstract: "Sets",
                subcommands: [
                    CommandDeclaration(
                        name: "drop", abstract: "Drop", arguments: [names.declaration]),
                    CommandDeclaration(
                        name: "name", abstract: "Name",
                        optionGroups: [
                            OptionGroup(title: "Options", options: [must.declaration])
                        ]),
                ]),
        ])
}

private func parse(_ line: String) throws -> ParsedArguments {
    let words = line.split(separator: " ").map { String($0) }
    guard case .run(let arguments) = try ArgumentParser(root: Sample.root).parse(words) else {
        throw NotACommand()
    }
    return arguments
}

private struct NotACommand: Error {}

private func slip(in line: String) -> Failure? {
    do {
        _ = try parse(line)
        return nil
    } catch {
        return error as? Failure
    }
}

@Suite("The argument parser")
struct ArgumentParserTests {
    @Test(
        "Options stand before, between and behind arguments, with a space or an equals sign",
        arguments: [
            "copy --count 3 a b", "copy a --count 3 b", "copy a b --count 3", "copy --count=3 a b",
            "copy --count 7 a --count 3 b", "copy --count 0x3 -- a b",
        ])
    func optionPlaces(line: String) throws {
        let arguments = try parse(line)
        #expect(arguments.path == ["copy"])
        #expect(arguments[Sample.count] == 3)
        #expect(arguments[Sample.from] == "a")
        #expect(arguments[Sample.to] == "b")
    }

    @Test("An option that is missing reads as nothing, or as its default")
    func missingOptions() throws {
        let arguments = try parse("copy a")
        #expect(arguments[Sample.count] == nil)
        #expect(arguments[Sample.color] == .red)
        #expect(!arguments.isGiven(Sample.color))
        #expect(arguments[Sample.to] == nil)
        #expect(arguments[Sample.loud] == false)
        #expect(arguments[Sample.verbose] == 0)
    }

    @Test("Flags repeat and share a dash, before and behind the command")
    func flags() throws {
        let arguments = try parse("-v copy -vlv a --verbose")
        #expect(arguments[Sample.verbose] == 4)
        #expect(arguments[Sample.loud])
    }

    @Test("A dash alone is a value, of an argument as well as of an option")
    func dashAlone() throws {
        #expect(try parse("copy -")[Sample.from] == "-")
        #expect(try parse("set name --must -")[Sample.must] == "-")
    }

    @Test("Behind two dashes everything is an argument, even another two dashes")
    func endOfOptions() throws {
        let arguments = try parse("copy -- --count --")
        #expect(arguments[Sample.from] == "--count")
        #expect(arguments[Sample.to] == "--")
    }

    @Test("A value may contain an equals sign, and be empty only where its kind allows")
    func equalsInValue() throws {
        #expect(try parse("set name --must=a=b")[Sample.must] == "a=b")
        #expect(slip(in: "set name --must=")?.identifier == "bad-value")
    }

    @Test("Repeated arguments take all that is left")
    func repeatedArguments() throws {
        let arguments = try parse("set drop a b c")
        #expect(arguments.path == ["set", "drop"])
        #expect(arguments[Sample.names] == ["a", "b", "c"])
    }

    @Test(
        "Every slip has its own identifier and names its own word, with exit code 2",
        arguments: [
            ("", "missing-command", "tool"), ("set", "missing-command", "tool set"),
            ("cpoy a", "unknown-command", "cpoy"),
            ("copy a --cuont 3", "unknown-option", "--cuont"),
            ("copy -x a", "unknown-option", "-x"), ("copy a --count", "missing-value", "--count"),
            ("copy --count --loud a", "missing-value", "--count"),
            ("copy --count 10 a", "bad-value", "10"), ("copy --count -1 a", "bad-value", "-1"),
            ("copy --color gren a", "bad-value", "gren"),
            ("copy --loud=yes a", "unexpected-value", "--loud=yes"),
            ("copy", "missing-argument", "FROM"), ("set drop", "missing-argument", "NAME"),
            ("copy a b c", "too-many-arguments", "c"), ("set name", "missing-option", "--must"),
        ])
    func slips(line: String, identifier: String, word: String) throws {
        let failure = try #require(slip(in: line))
        #expect(failure.exitCode == .usage)
        #expect(failure.identifier == identifier)
        #expect(failure.what.contains(word))
        #expect(!failure.why.isEmpty && !failure.advice.isEmpty)
    }

    @Test(
        "What was most likely meant is suggested",
        arguments: [
            ("cpoy a", "did you mean 'tool copy'?"),
            ("copy --cuont 3 a", "did you mean '--count'?"),
            ("copy --color gren a", "did you mean 'green'?"),
            ("--loud copy a", "'tool copy --loud'"),
            ("set dorp", "did you mean 'tool set drop'?"),
        ])
    func suggestions(line: String, hint: String) throws {
        #expect(try #require(slip(in: line)).advice.contains(hint))
    }

    @Test("A word that resembles nothing gets no suggestion")
    func noSuggestion() throws {
        #expect(!(try #require(slip(in: "xylophone")).advice.contains("did you mean")))
    }

    @Test("The range that was missed is told")
    func range() throws {
        #expect(try #require(slip(in: "copy --count 10 a")).why.contains("from 1 to 9"))
    }

    @Test(
        "A question for help is answered for its command, whatever else is wrong",
        arguments: [
            ("--help", []), ("copy -h", ["copy"]), ("-h set drop", ["set", "drop"]),
            ("copy --nonsense --help", ["copy"]),
        ])
    func help(line: String, path: [String]) throws {
        let words = line.split(separator: " ").map { String($0) }
        guard case .help(let found) = try ArgumentParser(root: Sample.root).parse(words) else {
            Issue.record("not taken for a question: \(line)")
            return
        }
        #expect(found == path)
    }

    @Test("Behind two dashes there is no question for help")
    func literalHelp() throws {
        #expect(try parse("copy -- --help")[Sample.from] == "--help")
    }
}

@Suite("Suggestions")
struct SuggestionTests {
    @Test("The start of one candidate alone is enough")
    func prefixes() {
        #expect(nearest(to: "comple", among: ["completions", "scan"]) == "completions")
        #expect(nearest(to: "in", among: ["information", "inspection"]) == nil)
    }
}
