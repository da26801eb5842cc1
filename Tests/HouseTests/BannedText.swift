/// What product code does not say, and what it says in its place.
struct BannedText {
    /// Where a rule holds.
    enum Scope {
        case product
        case productExcept(target: String)
        case targets(Set<String>)

        func contains(_ target: String) -> Bool {
            switch self {
            case .product: true
            case .productExcept(let exception): target != exception
            case .targets(let targets): targets.contains(target)
            }
        }
    }

    let text: String
    let scope: Scope
    let instead: String
    /// Comments count too.
    var inComments = false
    /// A line that also says this is fine.
    var unless: String?

    static let rules: [BannedText] = [
        BannedText(text: "try!", scope: .product, instead: "handle the error or pass it on"),
        BannedText(text: "as!", scope: .product, instead: "as? with a typed error, or an enum"),
        BannedText(
            text: "fatalError(", scope: .product,
            instead: "a typed error for what others do, precondition for what we do"),
        BannedText(
            text: "print(", scope: .productExcept(target: "BargeCLI"),
            instead: "a value or an event that the caller can print"),
        BannedText(
            text: "FIXME", scope: .product, instead: "the fix, or an issue", inComments: true),
        BannedText(
            text: "TODO", scope: .product, instead: "the work, or an issue", inComments: true),
        BannedText(text: "Date()", scope: .targets(timeless), instead: handedIn),
        BannedText(text: "Date.now", scope: .targets(timeless), instead: handedIn),
        BannedText(text: "ContinuousClock", scope: .targets(sansIO), instead: handedIn),
        BannedText(text: "SuspendingClock", scope: .targets(sansIO), instead: handedIn),
        BannedText(text: ".random(", scope: .targets(timeless), instead: seeded, unless: "using:"),
        BannedText(
            text: ".randomElement(", scope: .targets(timeless), instead: seeded, unless: "using:"),
        BannedText(
            text: ".shuffled(", scope: .targets(timeless), instead: seeded, unless: "using:"),
        BannedText(text: "SystemRandomNumberGenerator", scope: .targets(timeless), instead: seeded),
    ]

    /// The lines of one product file that break a rule.
    static func findings(in file: SourceFile) -> [Finding] {
        guard let target = House.target(of: file.path) else { return [] }
        let codeLines = file.codeLines
        let lines = file.lines
        return rules.filter { $0.scope.contains(target) }.flatMap { rule in
            (rule.inComments ? lines : codeLines).enumerated().compactMap { index, line in
                guard rule.isBroken(by: line) else { return nil }
                return Finding(
                    path: file.path, line: index + 1,
                    message: "\(rule.text) has no place in \(target): write \(rule.instead)")
            }
        }
    }

    /// Pure machines: they do not even know a clock's type.
    private static let sansIO: Set<String> = ["BargeProtocol", "Bluetooth"]
    /// Where equal inputs give equal outputs.
    private static let timeless = sansIO.union(["BluetoothSimulation"])
    private static let handedIn = "the time that the caller hands in"
    private static let seeded = "the seeded generator that the caller hands in"

    private func isBroken(by line: Substring) -> Bool {
        if let unless, line.contains(unless) { return false }
        return line.ranges(of: text).contains { range in
            text.hasPrefix(".") || !continuesName(line[..<range.lowerBound])
        }
    }

    /// Whether the banned text is only the tail of a longer name: `blueprint(`, `sink.print(`.
    private func continuesName(_ before: Substring) -> Bool {
        guard let last = before.last else { return false }
        return last.isLetter || last.isNumber || last == "_" || last == "."
    }
}
