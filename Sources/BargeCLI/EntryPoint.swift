@main
enum EntryPoint {
    static func main() async {
        do throws(Failure) {
            switch try ArgumentParser(root: BargeCommand.declaration).parse(
                Array(CommandLine.arguments.dropFirst()))
            {
            case .run(let a): print(a.path)
            case .help(let p): print(HelpText(root: BargeCommand.declaration, columns: 80).lines(for: p)!.joined(separator: "\n"))
            case .version: print("barge 0.1")
            }
        } catch {
            for line in error.lines(style: .plain) { print(line) }
        }
    }
}
