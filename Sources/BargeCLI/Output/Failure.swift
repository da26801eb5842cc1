/// Why a command did not do what it was asked, in the three sentences that a person needs.
struct Failure: Error, Equatable, Sendable {
    /// What the shell is told.
    let exitCode: ExitCode
    /// A stable identifier for scripts, in lower case with hyphens: `unknown-option`.
    let identifier: String
    /// What failed, without a full stop.
    let what: String
    /// Why it failed, without a full stop.
    let why: String
    /// What to do next, without a full stop.
    let advice: String

    init(_ exitCode: ExitCode, _ identifier: String, what: String, why: String, advice: String) {
        self.exitCode = exitCode
        self.identifier = identifier
        self.what = what
        self.why = why
        self.advice = advice
    }

    /// The failure with the device's name in the commands that its advice has: the library knows no
    /// command line, and writes DEVICE.
    func naming(_ device: String?) -> Failure {
        guard let device, advice.contains("DEVICE") else { return self }
        let isPlain = device.allSatisfy { $0.isLetter || $0.isNumber || "-_.:".contains($0) }
        let word = isPlain ? device : "'\(device)'"
        return Failure(
            exitCode, identifier, what: what, why: why,
            advice: advice.replacing("DEVICE", with: word))
    }

    /// The three lines that standard error gets.
    func lines(style: TerminalStyle) -> [String] {
        [
            style.red("error:") + " " + what.printable,
            style.bold("  why:") + " " + why.printable,
            style.bold("  try:") + " " + advice.printable,
        ]
    }
}
