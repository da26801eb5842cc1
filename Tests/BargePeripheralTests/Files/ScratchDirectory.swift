import Foundation

/// Lends a directory that is gone afterwards, with all that is in it.
func withScratchDirectory(_ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory
        .appending(path: "barge-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    try body(directory.path)
}

/// The bytes of a file.
func readFile(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
}

/// Replaces a file's bytes.
func writeFile(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
}

/// The names of the entries of a directory.
func entryNames(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path)
}
