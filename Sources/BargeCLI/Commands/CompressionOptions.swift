/// Whether blocks are deflated.
enum CompressionChoice: String, CaseIterable, Sendable {
    case auto, none
}

/// Options of every command that sends.
enum CompressionOptions {
    static let compression = Option(
        "compression", ValueKind.choice(CompressionChoice.self), default: "auto",
        "auto: deflate each block that gets smaller by it; none: send all as it is")
    static let level = Option(
        "level", ValueKind.integer(1...9), default: "9",
        "How hard to look for repetitions: 1 is fast, 9 is small")

    @Sendable static func rule(_ arguments: ParsedArguments) -> Failure? {
        guard arguments[compression] == .none, arguments.isGiven(level) else { return nil }
        return UsageFailure.contradiction(
            "--compression none", "--level", why: "what is not compressed has no level")
    }
}
