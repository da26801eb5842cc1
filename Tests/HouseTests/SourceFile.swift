import Foundation

/// A file of the project: its path from the package's folder, and its text.
struct SourceFile {
    let path: String
    let text: String

    /// The text cut at line feeds, empty lines included.
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The same text with comments and the contents of string literals blanked out.
    var code: String { CodeMask.codeOnly(text) }

    /// The lines of `code`.
    var codeLines: [Substring] { code.split(separator: "\n", omittingEmptySubsequences: false) }
}

extension House {
    /// The Swift files below the given folders, sorted by path.
    static func swiftFiles(in folders: String...) throws -> [SourceFile] {
        try paths(in: folders).filter { $0.hasSuffix(".swift") }.map(read)
    }

    /// Every file below the given folders, and the given files themselves; hidden files inside
    /// folders are left out.
    static func paths(in places: [String]) throws -> [String] {
        var found: [String] = []
        for place in places {
            let url = root.appending(path: place)
            guard let children = FileManager.default.enumerator(atPath: url.path()) else {
                continue
            }
            for case let child as String in children {
                let isHidden = child.split(separator: "/").contains { $0.hasPrefix(".") }
                let kind = children.fileAttributes?[.type] as? FileAttributeType
                if !isHidden, kind == .typeRegular { found.append("\(place)/\(child)") }
            }
        }
        return found.sorted()
    }

    /// Reads one file as UTF-8.
    static func read(_ path: String) throws -> SourceFile {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        return SourceFile(path: path, text: text)
    }
}
