/// `barge man`: the manual page.
enum ManualCommand {
    static let declaration = CommandDeclaration(
        name: "man",
        abstract: "Print the manual page in the format of man(7)",
        examples: [
            CommandExample(purpose: "Read it", line: "barge man | man -l -"),
            CommandExample(
                purpose: "Install it", line: "barge man > /usr/local/share/man/man1/barge.1"),
        ])

    static func run(_: ParsedArguments, _ console: Console) -> ExitCode {
        console.lines(ManualPage(root: BargeCommand.declaration).lines)
        return .done
    }
}
