/// The check that every target imports only what its arrows lead to.
enum ImportArrows {
    /// The module that a line of code imports: `public import struct Glibc.timespec` is `Glibc`.
    static func importedModule(_ line: Substring) -> String? {
        var words = line.split(whereSeparator: \.isWhitespace)[...]
        while let word = words.first, word.hasPrefix("@") || accessLevels.contains(String(word)) {
            words = words.dropFirst()
        }
        guard words.popFirst() == "import" else { return nil }
        if let kind = words.first, kinds.contains(String(kind)) { words = words.dropFirst() }
        return words.first?.split(separator: ".").first.map(String.init)
    }

    /// The imports of one product file that no arrow allows.
    static func findings(in file: SourceFile) -> [Finding] {
        guard let target = House.target(of: file.path) else { return [] }
        guard let room = House.rooms[target] else {
            return [
                Finding(
                    path: file.path, line: 1,
                    message: "\(target) is no room of the house: draw it in the design first")
            ]
        }
        return file.codeLines.enumerated().compactMap { index, line in
            guard let module = importedModule(line),
                let reason = objection(to: module, in: room, target: target, path: file.path)
            else { return nil }
            return Finding(path: file.path, line: index + 1, message: reason)
        }
    }

    private static let accessLevels: Set<String> = [
        "public", "package", "internal", "fileprivate", "private",
    ]
    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]

    private static func objection(
        to module: String, in room: House.Room, target: String, path: String
    ) -> String? {
        if room.ours.contains(module) || room.system.contains(module) { return nil }
        if module == "Foundation" || module == "FoundationEssentials" {
            if House.filesThatNeedFoundation[path] != nil { return nil }
            return "\(target) imports \(module): use the standard library and the C library, or "
                + "give the reason in House.filesThatNeedFoundation"
        }
        let allowed = room.ours.union(room.system).sorted().joined(separator: ", ")
        return "\(target) imports \(module), but its arrows lead only to: "
            + (allowed.isEmpty ? "nothing" : allowed)
    }
}

/// The check that files of the Linux backend are empty elsewhere: SwiftPM compiles every target of
/// the root package on every system, whatever the conditions on its edges.
enum LinuxGuard {
    /// A finding if the first line of code is anything but `#if os(Linux)`.
    static func findings(in file: SourceFile) -> [Finding] {
        guard House.target(of: file.path) == "BluetoothLinux" else { return [] }
        let first = file.codeLines.enumerated().first { !$0.element.allSatisfy(\.isWhitespace) }
        guard let (index, line) = first, !line.hasPrefix("#if os(Linux)") else { return [] }
        return [
            Finding(
                path: file.path, line: index + 1,
                message: "a file of BluetoothLinux starts with #if os(Linux), for Macs")
        ]
    }
}
