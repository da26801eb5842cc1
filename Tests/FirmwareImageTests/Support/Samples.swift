import Foundation

/// The files in `images/`, which `scripts/build-images` writes.
enum Samples {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let directory = root.appending(path: "images")

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: directory.appending(path: name)))
    }

    static func key(_ name: String) throws -> [UInt8] {
        try bytes("keys/TEST-ONLY-\(name).pem")
    }

    /// The names of all images, the broken ones too, in a fixed order.
    static func names() throws -> [String] {
        let good = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let broken = try FileManager.default.contentsOfDirectory(
            atPath: directory.appending(path: "broken").path)
        let all = good.filter { $0.hasPrefix("sample-") } + broken.map { "broken/" + $0 }
        return all.sorted()
    }
}
