import Foundation

/// The project's own documents, as they are in this checkout.
enum Documents {
    /// The text of a file of the module's documentation catalog.
    static func article(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let catalog = root.appending(path: "Sources/BargeProtocol/BargeProtocol.docc")
        return try String(contentsOf: catalog.appending(path: name), encoding: .utf8)
    }

    /// The text of a file, by its path from the project's root.
    static func file(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The fenced listings of one section (`## title`), each as its lines.
    static func listings(of title: String, in text: String) -> [[String]] {
        let parts = text.components(separatedBy: "\n## \(title)\n")
        guard parts.count == 2 else { return [] }
        let section = parts[1].components(separatedBy: "\n## ")[0]
        let pieces = section.components(separatedBy: "\n```")
        return stride(from: 1, to: pieces.count, by: 2).map { index in
            pieces[index].components(separatedBy: "\n").dropFirst().map { $0 }
        }
    }
}
