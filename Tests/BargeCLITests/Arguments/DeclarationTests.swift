import Testing

@testable import BargeCLI

@Suite("The declarations of barge")
struct DeclarationTests {
    private let root = BargeCommand.declaration

    @Test("Every command of the first issue exists")
    func commands() {
        let names = root.leaves.map { $0.path.joined(separator: " ") }
        let expected = [
            "scan", "info", "flash", "push", "pull", "ls", "rm", "resume", "image inspect",
            "image verify", "sim create", "sim list", "sim rm", "sim reboot", "sim unpair", "pair",
            "forget",
            "completions", "man", "help",
        ]
        #expect(Set(names) == Set(expected))
    }

    @Test("Every command that is declared has a body")
    func bodies() {
        for leaf in root.leaves {
            #expect(CommandTable.standard.body(for: leaf.path) != nil, "\(leaf.path)")
        }
    }

    @Test("Every command has an example that its own parser accepts")
    func examples() throws {
        for leaf in root.leaves {
            #expect(!leaf.command.examples.isEmpty, "\(leaf.path)")
            for example in leaf.command.examples {
                let words = bargeWords(of: example.line)
                guard case .run(let parsed) = try ArgumentParser(root: root).parse(words) else {
                    Issue.record("not a command: \(example.line)")
                    continue
                }
                #expect(parsed.path == leaf.path, "\(example.line)")
            }
        }
    }

    /// The words behind `barge`, up to a pipe, a redirection or a closing parenthesis.
    private func bargeWords(of line: String) -> [String] {
        let call = line.split(separator: "barge ", maxSplits: 1).last ?? ""
        let end = call.firstIndex { "|>)".contains($0) } ?? call.endIndex
        return call[..<end].split(separator: " ").map { String($0.filter { $0 != "'" }) }
    }

    @Test("Names of options are unique in each command, and short letters too")
    func uniqueOptions() {
        for leaf in root.leaves {
            let spellings = (leaf.command.options + root.options).flatMap(\.spellings)
            #expect(Set(spellings).count == spellings.count, "\(leaf.path)")
        }
    }

    @Test("Optional arguments stand behind required ones, and repeated ones last")
    func argumentOrder() {
        for leaf in root.leaves {
            let forms = [leaf.command, leaf.command.inOtherForm].compactMap { $0 }
            for arguments in forms.map(\.arguments) {
                let isRequired = arguments.map(\.isRequired)
                #expect(!isRequired.drop { $0 }.contains(true), "\(leaf.path)")
                #expect(!arguments.dropLast().map(\.isRepeated).contains(true), "\(leaf.path)")
            }
        }
    }

    @Test("Help and abstracts are phrases: a capital first, no full stop at the end")
    func phrases() {
        let texts = root.leaves.flatMap { leaf in
            [leaf.command.abstract] + leaf.command.arguments.map(\.help)
                + leaf.command.examples.map(\.purpose)
        }
        for text in texts {
            #expect(text.first?.isUppercase == true && text.last != ".", "\(text)")
        }
    }

    @Test(
        "Options that exclude each other are refused",
        arguments: [
            "flash a sim:demo --psm 0x80 --transport gatt", "ls sim:demo --quiet --verbose",
            "push a sim:demo --compression none --level 3", "pull sim:demo a - --json",
            "flash a sim:demo --no-confirm --no-reboot",
            "info sim:demo --psm-characteristic 2A06 --transport gatt",
        ])
    func contradictions(line: String) throws {
        let words = line.split(separator: " ").map { String($0) }
        let failure = #expect(throws: Failure.self) { try ArgumentParser(root: root).parse(words) }
        #expect(failure?.identifier == "contradiction")
    }

    @Test("Link settings carry the defaults of the issue: encrypted, ten seconds, five minutes")
    func linkDefaults() throws {
        let parser = ArgumentParser(root: root)
        guard case .run(let arguments) = try parser.parse(["info", "sim:demo"]) else {
            Issue.record("not a command")
            return
        }
        let link = LinkSettings(arguments)
        #expect(link.security == .encrypted)
        #expect(link.transport == .auto)
        #expect(link.psm == nil)
        #expect(link.stepTimeout == .seconds(10))
        #expect(link.giveUpAfter == .seconds(300))
        #expect(arguments.device == "sim:demo")
    }

    @Test("Exit codes are those of the contract")
    func exitCodes() {
        let numbers = ExitCode.allCases.map(\.rawValue)
        #expect(numbers == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130, 141])
    }
}
