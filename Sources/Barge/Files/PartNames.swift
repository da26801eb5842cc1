/// The names around a file that is being received.
struct PartNames: Hashable, Sendable {
    /// The file when it is whole.
    let target: String
    /// The part that has come.
    let part: String
    /// What the part is a part of.
    let journal: String

    private let folder: String
    private let name: String

    init(target: String) {
        self.target = target
        folder = FilePath.folder(of: target)
        name = FilePath.lastComponent(target)
        part = Self.path(folder, name, ".part")
        journal = Self.path(folder, name, ".part.journal")
    }

    /// Where a part goes that does not belong here: `.part.old`, `.part.old-2` and so on.
    func older(_ number: Int) -> String {
        Self.path(folder, name, number == 1 ? ".part.old" : ".part.old-\(number)")
    }

    private static func path(_ folder: String, _ name: String, _ suffix: String) -> String {
        FilePath.join(folder, FilePath.name(name, suffix: suffix, room: longestSuffixBytes))
    }

    /// Room for the longest suffix that any of them takes: all are shortened alike.
    private static let longestSuffixBytes = ".part.journal\(AtomicFile.temporarySuffix)".utf8.count
}
