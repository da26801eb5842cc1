#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder of its own, gone with everything in it when nobody holds it any more.
final class TemporaryFolder {
    let root: String

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/barge-benchmark.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BrokenMeasurement("cannot make a folder in \(parent)")
        }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(folder: root) }

    /// What cannot be removed stays, and hurts nobody.
    private static func remove(folder path: String) {
        guard let stream = opendir(path) else { return }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            if unlink("\(path)/\(name)") != 0 { remove(folder: "\(path)/\(name)") }
        }
        closedir(stream)
        rmdir(path)
    }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// A file of zeros that takes no room on the disk.
    func sparseFile(_ name: String, bytes: Int) throws -> String {
        let path = path(name)
        let descriptor = open(path, O_CREAT | O_RDWR | O_EXCL, 0o600)
        defer { close(descriptor) }
        guard descriptor >= 0, ftruncate(descriptor, off_t(bytes)) == 0 else {
            throw BrokenMeasurement("cannot make a file of \(bytes) bytes in \(root)")
        }
        return path
    }
}

extension TemporaryFolder {
    /// A file of these bytes.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = try sparseFile(name, bytes: 0)
        let descriptor = open(path, O_WRONLY)
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
            }
            guard count > 0 else { throw BrokenMeasurement("cannot write \(path)") }
            written += count
        }
        return path
    }
}
