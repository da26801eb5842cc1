/// The names around a file that is being received.
struct PartNames: Hashable, Sendable {
    /// The file when it is whole.
    let target: String
    /// The part that has come.
    let part: String
    /// What the part is a part of.
    let journal: String

    init(target: String) {
        self.target = target
        part = Self.path(target, ".part")
        journal = Self.path(target, ".part.journal")
    }

    /// Where a part goes that does not belong here: `.part.old`, `.part.old-2` and so on.
    func older(_ number: Int) -> String {
        Self.path(target, number == 1 ? ".part.old" : ".part.old-\(number)")
    }

    private static func path(_ target: String, _ suffix: String) -> String {
        let name = FilePath.lastComponent(target)
        return FilePath.sibling(
            of: target, FilePath.name(name, suffix: suffix, room: longestSuffixBytes))
    }

    /// Room for the longest suffix that any of them takes: all are shortened alike.
    private static let longestSuffixBytes = ".part.journal\(AtomicFile.temporarySuffix)".utf8.count
}
