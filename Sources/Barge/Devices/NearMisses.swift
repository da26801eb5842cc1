/// The names that come nearest to one that there is not.
public struct NearMisses: Equatable, Sendable {
    /// The text or pattern that matched nothing.
    public let wanted: String
    /// The nearest first, at most ``most``; perhaps none.
    public let names: [String]

    /// The most names that help rather than bury.
    public static let most = 5
    /// Longer names are compared by their beginning: an advertiser's name is from outside, and the
    /// time for a comparison grows with both lengths.
    static let longestCompared = 64

    /// Finds in `names` those that `wanted` most likely meant: a few letters apart, or one
    /// containing the other. Case does not count; of a pattern with `*` and `?` the longest piece
    /// between them does.
    public init(of wanted: String, among names: [String]) {
        self.wanted = wanted
        let pieces = wanted.split { $0 == "*" || $0 == "?" }
        let word = Self.compared(pieces.max { $0.count < $1.count }.map(String.init) ?? "")
        var ranked: [(rank: Int, name: String)] = []
        for name in Set(names) where name != wanted {
            if let rank = Self.rank(of: Self.compared(name), for: word) {
                ranked.append((rank, name))
            }
        }
        ranked.sort { ($0.rank, $0.name) < ($1.rank, $1.name) }
        self.names = ranked.prefix(Self.most).map(\.name)
    }

    /// `no device is called 'bench-3'; near: bench-03, bench-30`
    public var sentence: String {
        let missing = "no device is called '\(wanted)'"
        return names.isEmpty ? missing : "\(missing); near: \(names.joined(separator: ", "))"
    }

    private static func compared(_ text: String) -> String {
        String(text.lowercased().prefix(longestCompared))
    }

    /// Lower is nearer; nil where nobody could have meant it. What contains the word comes behind
    /// what is a few letters away from it.
    private static func rank(of name: String, for word: String) -> Int? {
        guard !name.isEmpty, !word.isEmpty else { return nil }
        let slips = EditDistance.mostSlips(in: word)
        if abs(name.count - word.count) <= slips {
            let distance = EditDistance.between(word, name)
            if distance <= slips { return distance }
        }
        guard word.count > 1, name.count > 1, name.contains(word) || word.contains(name) else {
            return nil
        }
        return slips + 1 + abs(name.count - word.count)
    }
}
