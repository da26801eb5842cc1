import Testing

@testable import BargeCLI

@Suite("Completions")
struct CompletionTests {
    private let engine = CompletionEngine(
        root: BargeCommand.declaration,
        devices: { directory in
            directory == nil ? ["sim:demo", "sim:old", "Pump 7"] : ["sim:elsewhere"]
        })

    private func candidates(_ words: String...) -> [String] {
        engine.answer(words).map { String($0.prefix { $0 != "\t" }) }
    }

    @Test("Commands, subcommands and topics complete")
    func commands() {
        #expect(candidates("fla") == ["flash"])
        #expect(candidates("--json", "fla") == ["flash"])
        #expect(candidates("sim", "") == ["create", "list", "rm", "reboot", "unpair"])
        #expect(candidates("help", "exit") == ["exit-codes"])
        #expect(candidates("help", "sim", "cr") == ["create"])
        #expect(candidates("nonsense", "fla") == ["flash"])
    }

    @Test("Options complete with those of every command, and their values")
    func options() {
        #expect(candidates("flash", "--no-") == ["--no-confirm", "--no-reboot", "--no-color"])
        #expect(candidates("flash", "--transport", "") == ["auto", "coc", "gatt"])
        #expect(candidates("flash", "--transport=c") == ["--transport=coc"])
        #expect(candidates("completions", "") == ["bash", "zsh", "fish"])
        #expect(candidates("flash", "--key", "") == [CompletionEngine.files])
        #expect(candidates("flash", "--psm", "") == [])
        #expect(candidates("flash", "--", "--no") == [CompletionEngine.files])
    }

    @Test("Arguments complete by their kind, each in its place")
    func arguments() {
        #expect(candidates("flash", "") == [CompletionEngine.files])
        #expect(candidates("flash", "--level", "3", "fw.bin", "si") == ["sim:demo", "sim:old"])
        #expect(
            candidates("flash", "fw.bin", "sim:demo", "") == ["sim:demo", "sim:old", "Pump 7"])
        #expect(candidates("info", "Pu") == ["Pump 7"])
        #expect(candidates("sim", "rm", "") == ["sim:demo", "sim:old"])
        #expect(candidates("push", "fw.bin", "sim:demo", "") == [])
        #expect(candidates("--state-dir", "/x", "info", "") == ["sim:elsewhere"])
    }

    @Test("Arguments complete by the form that the options before them ask for")
    func forms() {
        #expect(candidates("pull", "sim:demo", "a.log", "") == [CompletionEngine.files])
        #expect(candidates("pull", "--into", "") == [CompletionEngine.files])
        for option in [["--into", "logs"], ["--into=logs"]] {
            let answer = engine.answer(["pull"] + option + ["a.log", "sim:demo", ""])
            #expect(answer == ["sim:demo", "sim:old", "Pump 7"])
        }
    }

    @Test("The script for bash is sound, and completes in bash")
    func bash() throws {
        let check = try Binary.bash("barge completions bash | bash -n")
        #expect(check.exitCode == 0 && check.errors.isEmpty)
        let answers = [
            "fla": ["flash"], "flash --transp": ["--transport"],
            "ls --transport = g": ["gatt"], "info sim : de": ["demo"], "info s": ["sim:demo"],
        ]
        for (words, expected) in answers {
            let answer = try Binary.bash(
                """
                source <(barge completions bash)
                COMP_WORDS=(barge \(words))
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _barge
                printf '%s\\n' "${COMPREPLY[@]}"
                """)
            #expect(answer.lines == expected, "\(words): \(answer.errors)")
        }
    }

    @Test("In bash, an alias with a space completes as one word")
    func bashSpaces() throws {
        let state = try StateFolder()
        let made = try state.barge("scan", "--name", "demo", "--remember", "Pump 7")
        #expect(made.exitCode == 0, "\(made.errors)")
        let answer = try Binary.bash(
            """
            source <(barge completions bash)
            COMP_WORDS=(barge --state-dir \(state.path) info Pu)
            COMP_CWORD=4
            _barge
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
        #expect(answer.lines == [#"Pump\ 7"#], "\(answer.errors)")
    }

    @Test("In bash, paths complete by bash itself")
    func bashFiles() throws {
        let answer = try Binary.bash(
            """
            source <(barge completions bash)
            COMP_WORDS=(barge flash /bin/bas)
            COMP_CWORD=2
            _barge
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
        #expect(answer.lines.contains("/bin/bash"))
    }

    @Test("In bash, an alias completes as well")
    func bashAlias() throws {
        let answer = try Binary.bash(
            """
            source <(barge completions bash)
            alias barge="$(command -v barge)"
            PATH=/nowhere
            COMP_WORDS=(barge fla)
            COMP_CWORD=1
            _barge
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
        #expect(answer.lines == ["flash"], "\(answer.errors)")
    }

    @Test("The script for zsh is sound", .enabled(if: Binary.find("zsh") != nil))
    func zsh() throws {
        let answer = try Binary.bash("zsh -n <(barge completions zsh)")
        #expect(answer.exitCode == 0 && answer.errors.isEmpty)
    }

    @Test("The script for fish completes in fish", .enabled(if: Binary.find("fish") != nil))
    func fish() throws {
        let answer = try Binary.bash(
            """
            fish --no-config -c 'barge completions fish | source
            complete -C "barge fla"; complete -C "barge ls --security=f"
            complete -C "barge info s"'
            """)
        let candidates = answer.lines.map { String($0.prefix { $0 != "\t" }) }
        #expect(candidates == ["flash", "--security=fips", "sim:demo"], "\(answer.errors)")
    }
}
