/// The checks on what people run: scripts, and the commands that README names.
enum Scripts {
    /// What is wrong with a file of `scripts`: one that starts with `#!` is for running, and one
    /// that is not stops at the first failure.
    static func findings(in file: SourceFile, isExecutable: Bool) -> [Finding] {
        let interpreter = file.lines.first.flatMap { $0.hasPrefix("#!") ? $0 : nil }
        func finding(_ message: String) -> [Finding] {
            [Finding(path: file.path, line: 1, message: message)]
        }
        switch (interpreter, isExecutable) {
        case (nil, false):
            return []
        case (nil, true):
            return finding("executable, but its first line names no interpreter")
        case (_?, false):
            return finding("a script that cannot be run: chmod +x")
        case (let line?, true):
            let isStrict = file.lines.contains("set -euo pipefail")
            guard line.hasSuffix("sh"), !isStrict else { return [] }
            return finding("a shell script goes on after a failure without: set -euo pipefail")
        }
    }

    /// The scripts that a text tells people to run: `scripts/demo`, `.ci/run`.
    static func commands(in text: String) -> Set<String> {
        Set(
            text.matches(of: #/scripts\/[A-Za-z0-9][A-Za-z0-9_.-]*[A-Za-z0-9]|\.ci\/run/#).map {
                String($0.output)
            })
    }
}
