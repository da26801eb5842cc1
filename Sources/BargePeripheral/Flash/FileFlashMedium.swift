/// A flash in a file: a header that tells its geometry, then its bytes.
///
/// What was written survives the process, `kill -9` included: nothing is kept back in memory. Only
/// against a failure of the computer itself does it take ``sync()``. The file is locked while it is
/// open, so that no second process works on the same device.
public final class FileFlashMedium: FlashMedium {
    /// The geometry that the file's header tells.
    public let geometry: FlashGeometry
    private let file: OpenFile

    /// Bytes before the flash's own.
    static let headerSize = 64
    private static let magic = Array("BARGEFLS".utf8)
    private static let version: UInt16 = 1

    private init(geometry: FlashGeometry, file: OpenFile) {
        self.geometry = geometry
        self.file = file
    }

    /// Makes the file of an erased flash. A process killed meanwhile leaves no half-made file of
    /// that name.
    ///
    /// Two processes that make the same device at once are for the caller to keep apart.
    /// - Throws: ``FlashFileError/exists(path:)`` where something of that name is,
    ///   ``FlashFileError/system(path:_:)``.
    public static func create(
        atPath path: String, geometry: FlashGeometry
    ) throws(FlashFileError) -> FileFlashMedium {
        guard (try? System.status(path)) == nil else { throw .exists(path: path) }
        do throws(SystemError) {
            let draft = path + ".new"
            let medium = FileFlashMedium(geometry: geometry, file: try System.open(draft, .create))
            try medium.writeAll()
            try System.sync(medium.file)
            try System.lock(medium.file)
            try System.rename(draft, to: path)
            return medium
        } catch {
            throw .system(path: path, error)
        }
    }

    /// Opens the file of a flash.
    /// - Throws: ``FlashFileError``.
    public static func open(atPath path: String) throws(FlashFileError) -> FileFlashMedium {
        var header = [UInt8](repeating: 0, count: headerSize)
        let found: (file: OpenFile, headerCount: Int, size: Int)
        do throws(SystemError) {
            let file = try System.open(path, .update)
            try System.lock(file)
            let count = try header.fillBytes { (buffer) throws(SystemError) in
                try System.read(file, at: 0, into: buffer)
            }
            found = (file, count, try System.status(file).size)
        } catch {
            throw error.isLocked ? .inUse(path: path) : .system(path: path, error)
        }
        let geometry = try geometry(of: header[..<found.headerCount], fileSize: found.size, path)
        return FileFlashMedium(geometry: geometry, file: found.file)
    }

    /// Waits until the bytes are on the disk.
    public func sync() throws(FlashError) {
        try translating { () throws(SystemError) in try System.sync(file) }
    }

    /// Bytes of the flash.
    public var size: Int { geometry.size }

    /// Copies the bytes from `address` on until `buffer` is full.
    public func read(
        at address: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FlashError) {
        precondition(address >= 0 && buffer.count <= size - address)
        let count = try translating { () throws(SystemError) in
            try System.read(file, at: Self.headerSize + address, into: buffer)
        }
        // The file had its full size when it was opened: somebody has cut it since.
        guard count == buffer.count else { throw .failed(.read, address: address + count) }
    }

    /// Replaces the bytes from `address` on.
    public func write(_ bytes: UnsafeRawBufferPointer, at address: Int) throws(FlashError) {
        precondition(address >= 0 && bytes.count <= size - address)
        try translating { () throws(SystemError) in
            try System.write(file, bytes, at: Self.headerSize + address)
        }
    }

    /// Replaces the bytes of `range` by one value.
    public func fill(_ range: Range<Int>, with value: UInt8) throws(FlashError) {
        precondition(range.lowerBound >= 0 && range.upperBound <= size)
        try translating { () throws(SystemError) in try writeFill(range, with: value) }
    }

    /// Whether the bytes from `address` on equal `bytes`.
    public func matches(
        _ bytes: UnsafeRawBufferPointer, at address: Int
    ) throws(FlashError) -> Bool {
        var held = [UInt8](repeating: 0, count: bytes.count)
        return try held.fillBytes { (buffer) throws(FlashError) in
            try read(at: address, into: buffer)
            return equalBytes(UnsafeRawBufferPointer(buffer), bytes)
        }
    }

    private func translating<Value>(
        _ work: () throws(SystemError) -> Value
    ) throws(FlashError) -> Value {
        do throws(SystemError) {
            return try work()
        } catch {
            throw .medium(error)
        }
    }

    private func writeFill(_ range: Range<Int>, with value: UInt8) throws(SystemError) {
        let chunk = [UInt8](repeating: value, count: min(range.count, 64 * 1024))
        for start in stride(from: range.lowerBound, to: range.upperBound, by: max(chunk.count, 1)) {
            let count = min(chunk.count, range.upperBound - start)
            try chunk.withBytes { (buffer) throws(SystemError) in
                try System.write(
                    file, UnsafeRawBufferPointer(rebasing: buffer[..<count]),
                    at: Self.headerSize + start)
            }
        }
    }
}

// MARK: The header

extension FileFlashMedium {
    private func writeAll() throws(SystemError) {
        var writer = RecordWriter()
        writer.write(Self.magic)
        writer.write(Self.version)
        writer.write(UInt16(geometry.programUnit))
        writer.write(UInt32(geometry.size))
        writer.write(UInt32(geometry.sectorSize))
        writer.write(UInt32(geometry.erasedValue))
        writer.write(UInt32(geometry.eraseSectorMicroseconds))
        writer.write(UInt32(geometry.programUnitMicroseconds))
        writer.write(UInt32(geometry.readBytesPerMicrosecond))
        writer.write([UInt8](repeating: 0, count: Self.headerSize - 4 - writer.bytes.count))
        writer.seal()
        try writer.bytes.withBytes { (buffer) throws(SystemError) in
            try System.write(file, buffer, at: 0)
        }
        try writeFill(0..<geometry.size, with: geometry.erasedValue)
    }

    /// What a header tells. The version is looked at before the CRC-32, which a newer one may keep
    /// elsewhere.
    private static func geometry(
        of header: ArraySlice<UInt8>, fileSize: Int, _ path: String
    ) throws(FlashFileError) -> FlashGeometry {
        guard header.starts(with: magic) else { throw .notAFlash(path: path) }
        guard header.count == headerSize else { throw .damaged(path: path) }
        var reader = RecordReader(header.dropFirst(magic.count))
        let version = reader.read(UInt16.self)
        guard version <= Self.version else {
            throw .newer(path: path, version: Int(version))
        }
        guard RecordReader(sealed: header) != nil else { throw .damaged(path: path) }
        let unit = Int(reader.read(UInt16.self))
        let figures = (0..<6).map { _ in Int(reader.read(UInt32.self)) }
        guard let erasedValue = UInt8(exactly: figures[2]),
            let geometry = try? FlashGeometry(
                size: figures[0], sectorSize: figures[1], programUnit: unit,
                erasedValue: erasedValue, eraseSectorMicroseconds: figures[3],
                programUnitMicroseconds: figures[4], readBytesPerMicrosecond: figures[5]),
            fileSize == headerSize + geometry.size
        else { throw .damaged(path: path) }
        return geometry
    }
}

/// Why the file of a flash cannot be used.
public enum FlashFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Something of that name is there already.
    case exists(path: String)
    /// The file is none of ours.
    case notAFlash(path: String)
    /// The header's checksum, its figures or the file's size are wrong.
    case damaged(path: String)
    /// A later version of this program made the file.
    case newer(path: String, version: Int)
    /// Another process works on it.
    case inUse(path: String)
    /// The system refused.
    case system(path: String, SystemError)

    /// What happened, why, and what to do.
    public var description: String {
        switch self {
        case .exists(let path):
            "Cannot make the flash file \(path): there is one already. Choose another name."
        case .notAFlash(let path):
            "Cannot use \(path) as a flash: it does not begin like one. Check the path."
        case .damaged(let path):
            "Cannot use the flash file \(path): it is damaged (checksum or size). Make the device "
                + "anew."
        case .newer(let path, let version):
            "Cannot use the flash file \(path): it has format version \(version), made by a later "
                + "version of this program. Use that one."
        case .inUse(let path):
            "Cannot use the flash file \(path): another process works on it. Wait for that to end."
        case .system(let path, let error):
            "Cannot use the flash file \(path): \(error). Check the path and its permissions."
        }
    }
}
