import Testing

@testable import BargeCLI

@Suite("The manual page")
struct ManualPageTests {
    private let lines = ManualPage(root: BargeCommand.declaration).lines

    @Test("It has the sections that readers look for, in their order")
    func sections() {
        let titles = lines.filter { $0.hasPrefix(".SH ") }.map { String($0.dropFirst(4)) }
        let expected = [
            "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "LINK OPTIONS", "MANY DEVICES",
            "OPTIONS OF EVERY COMMAND", "EXIT STATUS", "JSON OUTPUT", "DEVICES", "REPORTS",
            "ENVIRONMENT",
            "EXAMPLES",
        ]
        #expect(titles == expected)
    }

    @Test("Every command and every option is in it")
    func completeness() {
        let text = lines.joined(separator: "\n")
        for leaf in BargeCommand.declaration.leaves {
            #expect(text.contains(".SS barge " + leaf.path.joined(separator: " ")))
            for option in leaf.command.options {
                #expect(text.contains("\\-\\-" + option.name.replacing("-", with: "\\-")))
            }
        }
    }

    @Test("No line of text can be taken for a request")
    func requests() {
        let known = ["TH", "SH", "SS", "PP", "TP", "B", "RS", "RE", "nf", "fi", "br"]
        for line in lines where line.hasPrefix(".") {
            let request = line.dropFirst().prefix { $0 != " " }
            #expect(known.contains(String(request)), "\(line)")
        }
        #expect(!lines.contains { $0.hasPrefix("'") })
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    }

    @Test("groff sets it without a warning", .enabled(if: Binary.find("groff") != nil))
    func groff() throws {
        let answer = try Binary.bash("barge man | groff -man -ww -Tutf8 -P -cbou")
        #expect(answer.errors.isEmpty)
        #expect(answer.output.contains("barge flash [OPTION...] IMAGE [DEVICE...]"))
        #expect(answer.output.contains("barge pull [OPTION...] --into DIR NAME [DEVICE...]"))
        #expect(answer.output.contains("--security none|encrypted|authenticated|fips"))
    }
}
