import Testing

@testable import BargeCLI

@Suite("Help, as the real program prints it")
struct HelpTests {
    @Test("The help of the program is this")
    func rootHelp() throws {
        let answer = try Binary.barge("--help")
        #expect(answer.exitCode == 0)
        #expect(answer.errors.isEmpty)
        #expect(answer.output == Self.rootSnapshot)
    }

    private static let rootSnapshot = """
        Move firmware and files over Bluetooth LE channels.

        Usage: barge [OPTION...] COMMAND

        Every transfer is checked end to end and can be resumed: running the same
        command again is always safe, and what is done is not done twice.

        Commands:
          scan         List the devices that advertise nearby, and the simulated ones
          info         Show what a device is, runs and can do
          flash        Install firmware on a device and see it run
          push         Copy a file to a device
          pull         Copy a file from a device
          ls           List the files and logs on a device
          rm           Remove files from a device
          resume       Go on with the transfers that were cut short
          pair         Pair with a device, so that later links need nobody
          forget       Drop the keys of a device, its alias and where it was
          image        Look into firmware files
          sim          Make, list and remove simulated devices
          completions  Print the completion script for a shell
          man          Print the manual page in the format of man(7)
          help         Explain a command or a topic

        Options of every command:
          --json           Write one JSON object a line to standard output ('barge help
                           json')
          -v, --verbose    Say on standard error what happens underneath; -vv: every
                           frame as well
          -q, --quiet      Leave out news and progress; answers, warnings and errors
                           stay
          --log FILE       Append to FILE, with times, what happens underneath, every
                           frame of it
          --state-dir DIR  Keep simulated devices and unfinished transfers in DIR
                           (default $XDG_STATE_HOME/barge, else ~/.local/state/barge)
          --no-color       Never color the output; the variable NO_COLOR does the same
          --version        Print the version and stop
          -h, --help       Print the help of a command and stop

        Examples:
          Flash a simulated device; this needs no Bluetooth:
            barge flash firmware.bin sim:demo
          Fetch a log from it:
            barge pull sim:demo device.log

        'barge COMMAND --help' explains a command and gives examples.
        'barge help TOPIC' explains one of: exit-codes, json, devices, reports.

        """

    @Test("Every command explains itself, with all its options and an example, in 80 columns")
    func everyCommand() throws {
        let root = BargeCommand.declaration
        for leaf in root.leaves {
            let lines = try #require(HelpText(root: root, columns: 80).lines(for: leaf.path))
            let text = lines.joined(separator: "\n")
            for option in leaf.command.options + root.options {
                #expect(text.contains("--" + option.name), "\(leaf.path)")
            }
            #expect(text.contains("Example"), "\(leaf.path)")
            let long = lines.filter { $0.count > 80 && !$0.hasPrefix("    barge") }
            #expect(long.isEmpty, "\(leaf.path): \(long)")
        }
    }

    @Test("Asking with the option and asking with the command give the same")
    func helpCommand() throws {
        let option = try Binary.barge("sim", "create", "--help")
        let command = try Binary.barge("help", "sim", "create")
        #expect(option.output.contains("barge sim create [OPTION...] NAME"))
        #expect(option.output == command.output)
        #expect(option.exitCode == 0 && command.exitCode == 0)
    }

    @Test("The exit codes are listed with their numbers and sentences")
    func exitCodes() throws {
        let answer = try Binary.barge("help", "exit-codes")
        for code in ExitCode.allCases {
            #expect(answer.output.contains("  \(code.rawValue) "))
            #expect(answer.output.contains(code.meaning.prefix(40)))
        }
    }

    @Test("The JSON topic names every event and every field")
    func jsonTopic() throws {
        let answer = try Binary.barge("help", "json")
        for event in EventWords.all {
            #expect(answer.lines.contains(event.name))
            for field in event.fields {
                #expect(answer.lines.contains { $0.hasPrefix("  \(field.name) ") }, "\(event.name)")
            }
        }
    }

    @Test("The topic of devices tells every way to name one, and how it is remembered and paired")
    func deviceTopic() throws {
        let answer = try Binary.barge("help", "devices")
        let text = answer.lines.joined(separator: " ")
        for words in [
            "alias", "serial", "address", "advertises", "sim:demo", "--remember", "--known",
            "barge forget", "barge pair", "--passkey", "--yes",
        ] { #expect(text.contains(words), "\(words)") }
        #expect(answer.lines.allSatisfy { $0.count <= 80 })
    }

    @Test("The topic of reports names every member of both objects")
    func reportTopic() throws {
        let answer = try Binary.barge("help", "reports")
        for field in FleetReport.fields {
            #expect(answer.lines.contains { $0.hasPrefix("  \(field.description.name) ") })
        }
        for field in FleetReport.deviceFields {
            #expect(answer.lines.contains { $0.hasPrefix("    \(field.description.name) ") })
        }
        #expect(answer.lines.allSatisfy { $0.count <= 80 })
    }

    @Test("An unknown topic is a slip, with a suggestion")
    func unknownTopic() throws {
        let answer = try Binary.barge("help", "exitcodes")
        #expect(answer.exitCode == 2)
        #expect(answer.errors.contains("did you mean 'barge help exit-codes'?"))
    }

    @Test("The version is one line")
    func version() throws {
        let answer = try Binary.barge("--version")
        #expect(answer.exitCode == 0)
        #expect(answer.output == "barge \(Version.text)\n")
    }

    @Test("Text is broken at spaces, and long words stay whole")
    func wrapping() {
        #expect(TextLayout.wrap("aa bb cc", columns: 5) == ["aa bb", "cc"])
        #expect(TextLayout.wrap("a verylongword b", columns: 5) == ["a", "verylongword", "b"])
        #expect(TextLayout.wrap("", columns: 5) == [])
    }

    @Test("A table lines up its columns, numbers to the right")
    func tables() {
        let lines = TextLayout.table([["a", "10", "x"], ["bbb", "9", "y"]], numeric: [1])
        #expect(lines == ["a    10  x", "bbb   9  y"])
    }
}
