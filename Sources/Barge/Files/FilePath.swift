import BargeCoding

/// Paths as text: what the system does not need to be asked for.
enum FilePath {
    /// The longest name in a folder, in bytes (NAME_MAX of the usual file systems).
    static let longestNameBytes = 255

    /// The name behind the last slash: `a/b/` and `b` both have `b`.
    static func lastComponent(_ path: String) -> String {
        path.utf8.split(separator: slash).last.map { String(Substring($0)) } ?? path
    }

    /// The folder that holds the last component: `.` where there is no slash.
    static func folder(of path: String) -> String {
        var rest = path.utf8[...]
        while rest.count > 1, rest.last == slash { rest.removeLast() }
        guard let cut = rest.lastIndex(of: slash) else { return "." }
        let folder = rest[..<cut]
        return folder.isEmpty ? "/" : String(Substring(folder))
    }

    /// `name` beside what `path` leads to.
    static func sibling(of path: String, _ name: String) -> String {
        path.utf8.contains(slash) ? join(folder(of: path), name) : name
    }

    /// Whether only a folder can be meant.
    static func endsInSlash(_ path: String) -> Bool { path.utf8.last == slash }

    /// `name` in `folder`.
    static func join(_ folder: String, _ name: String) -> String {
        endsInSlash(folder) ? folder + name : "\(folder)/\(name)"
    }

    /// Whether it starts at the root.
    static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

    /// `path` from the root on; nothing in it is resolved.
    static func absolute(_ path: String) throws(LocalFileError) -> String {
        if isAbsolute(path) { return path }
        let here = try LocalFileError.when("cannot tell the current folder", path: path) {
            () throws(SystemError) in try System.currentFolder()
        }
        return join(here, path)
    }

    /// `name` with `suffix`, shortened where both together are too long for a file system. What
    /// was cut off is stood for by a hash, so that two long names stay apart.
    static func name(_ name: String, suffix: String, room: Int) -> String {
        guard name.utf8.count + room > longestNameBytes else { return name + suffix }
        let mark = "~" + hash(name)
        var kept = name.unicodeScalars[...]
        while kept.reduce(0, { $0 + UTF8.width($1) }) + mark.utf8.count + room > longestNameBytes {
            kept.removeLast()
        }
        return String(kept) + mark + suffix
    }

    /// Slashes are looked for as bytes, as the system does: a combining mark behind a slash makes
    /// another character of it for Swift, and still a slash for the system.
    private static let slash = UInt8(ascii: "/")

    /// Sixteen hexadecimal digits of the SHA-256 of a text.
    static func hash(_ text: String) -> String {
        String(Hexadecimal.text(SHA256.digest(of: Array(text.utf8))).prefix(16))
    }
}
