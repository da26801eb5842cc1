/// The manual page, in the macros of man(7), from the same declarations as the help.
struct ManualPage {
    let root: CommandDeclaration

    var lines: [String] {
        [".TH BARGE 1 \"\" \"barge \(Version.text)\" \"User Commands\""]
            + section("NAME", [roff(root.name + " - " + root.abstract.lowercasedStart)])
            + section("SYNOPSIS", synopses)
            + section("DESCRIPTION", paragraphs(root.discussion))
            + section("COMMANDS", root.leaves.flatMap { command($0.path, $0.command) })
            + sharedGroups.flatMap { group in
                section(group.title.uppercased(), group.options.flatMap(option))
            }
            + section("OPTIONS OF EVERY COMMAND", root.options.flatMap(option))
            + HelpTopic.allCases.flatMap { topic in
                section(topic.manualTitle, topicLines(topic))
            }
            + section("ENVIRONMENT", Self.environment.flatMap { tagged($0.0, $0.1) })
            + section("EXAMPLES", root.examples.flatMap(example))
    }

    private static let environment = [
        ("XDG_STATE_HOME", "The directory in which the state directory of barge is."),
        ("NO_COLOR", "Not empty: no colors."),
        ("COLUMNS", "The width of a terminal that does not tell its own."),
    ]

    private var synopses: [String] {
        root.leaves.flatMap { leaf -> [String] in
            let caller = ([root.name] + leaf.path).joined(separator: " ")
            return ([leaf.command] + [leaf.command.inOtherForm].compactMap { $0 }).flatMap {
                [".B " + roff(caller), roff($0.synopsis(caller: "").trimmedStart), ".br"]
            }
            .filter { !$0.isEmpty }
        }
    }

    /// Groups that several commands have, each one once.
    private var sharedGroups: [OptionGroup] {
        root.leaves.flatMap(\.command.optionGroups).reduce(into: []) { groups, group in
            if group.isShared, !groups.contains(where: { $0.title == group.title }) {
                groups.append(group)
            }
        }
    }

    private func command(_ path: [String], _ command: CommandDeclaration) -> [String] {
        let caller = ([root.name] + path).joined(separator: " ")
        var lines = [".SS " + roff(command.synopsis(caller: caller))]
        if let other = command.inOtherForm {
            lines += [".PP", ".B " + roff(other.synopsis(caller: caller))]
        }
        lines += paragraphs(command.abstract + ".\n\n" + command.discussion)
        lines += command.allArguments.flatMap { tagged($0.name, $0.help + ".") }
        for group in command.optionGroups {
            lines +=
                group.isShared
                ? [".PP", roff("It takes those under \(group.title.uppercased()) as well.")]
                : group.options.flatMap(option)
        }
        return lines + command.examples.flatMap(example)
    }

    private func option(_ option: OptionDeclaration) -> [String] {
        tagged(option.term, option.fullHelp + ".")
    }

    private func example(_ example: CommandExample) -> [String] {
        [".PP", roff(example.purpose) + ":"] + verbatim([example.line])
    }

    private func topicLines(_ topic: HelpTopic) -> [String] {
        switch topic {
        case .exitCodes: ExitCode.allCases.flatMap { tagged("\($0.rawValue)", $0.meaning) }
        case .devices: paragraphs(DeviceWords.explanation)
        case .reports:
            paragraphs(ReportWords.explanation)
                + ReportWords.fields.flatMap { tagged($0.name, $0.sentence) }
                + ReportWords.deviceFields.flatMap {
                    [".RS"] + tagged($0.name, $0.sentence) + [".RE"]
                }
        case .json: paragraphs(EventWords.explanation) + EventWords.all.flatMap(event)
        }
    }

    private func event(_ event: EventDescription) -> [String] {
        let fields = (event.fields + event.facts).flatMap {
            [".RS"] + tagged($0.name, $0.sentence) + [".RE"]
        }
        return tagged(event.name, event.meaning + ".") + fields
    }

    // MARK: Macros

    private func section(_ title: String, _ lines: [String]) -> [String] {
        [".SH " + title] + lines
    }

    private func tagged(_ tag: String, _ text: String) -> [String] {
        [".TP", ".B " + roff(tag), roff(text)]
    }

    private func verbatim(_ lines: [String]) -> [String] {
        [".RS 4", ".nf"] + lines.map(roff) + [".fi", ".RE"]
    }

    /// Paragraphs; lines that start with a space keep their form.
    private func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n\n").flatMap { paragraph -> [String] in
            let lines = paragraph.split(separator: "\n").map { String($0) }
            let isVerbatim = lines.allSatisfy { $0.hasPrefix(" ") }
            return [".PP"] + (isVerbatim ? verbatim(lines) : lines.map(roff))
        }
    }

    /// Text that roff takes literally: no escapes, no requests, no hyphens where minus is meant.
    private func roff(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            case _: result += "\\[u" + hexadecimal(scalar) + "]"
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }

    private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension HelpTopic {
    /// The title that readers of manual pages expect.
    fileprivate var manualTitle: String {
        switch self {
        case .exitCodes: "EXIT STATUS"
        case .json: "JSON OUTPUT"
        case .devices: "DEVICES"
        case .reports: "REPORTS"
        }
    }
}

extension String {
    fileprivate var lowercasedStart: String { prefix(1).lowercased() + dropFirst() }
    fileprivate var trimmedStart: String { String(drop { $0 == " " }) }
}
