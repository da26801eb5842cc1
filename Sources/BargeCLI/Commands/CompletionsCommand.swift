/// `barge completions`: a script that teaches a shell the commands and options.
enum CompletionsCommand {
    static let shell = Argument(
        "SHELL", ValueKind.choice(CompletionShell.self),
        "The name of the shell: "
            + CompletionShell.allCases.map(\.rawValue).joined(separator: ", "))

    static let declaration = CommandDeclaration(
        name: "completions",
        abstract: "Print the completion script for a shell",
        arguments: [shell.declaration],
        examples: [
            CommandExample(
                purpose: "Have bash complete in this session",
                line: "source <(barge completions bash)"),
            CommandExample(
                purpose: "Have bash complete from now on",
                line: "barge completions bash > ~/.local/share/bash-completion/completions/barge"),
            CommandExample(
                purpose: "Have zsh complete from now on (in .zshrc, behind compinit)",
                line: "source <(barge completions zsh)"),
            CommandExample(
                purpose: "Have fish complete from now on",
                line: "barge completions fish > ~/.config/fish/completions/barge.fish"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) -> ExitCode {
        console.lines(arguments[shell].script)
        return .done
    }
}
