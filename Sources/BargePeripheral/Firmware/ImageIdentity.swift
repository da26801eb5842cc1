/// What names an image: how long it is and what its bytes hash to. Versions and formats are not the
/// storage's business.
public struct ImageIdentity: Hashable, Sendable {
    /// Bytes of the image.
    public let length: Int
    /// SHA-256 of the image.
    public let sha256: ContentDigest

    /// The identity of an image of `length` bytes.
    public init(length: Int, sha256: ContentDigest) {
        self.length = length
        self.sha256 = sha256
    }
}

extension RecordWriter {
    /// Eight bytes of length would be wasted: no flash here is larger than 256 MiB. Zero stands for
    /// no image.
    mutating func write(_ image: ImageIdentity?) {
        write(UInt32(image?.length ?? 0))
        write(image?.sha256)
    }
}

extension RecordReader {
    mutating func readImage() -> ImageIdentity? {
        let length = Int(read(UInt32.self))
        guard let sha256 = readDigest(), length > 0 else { return nil }
        return ImageIdentity(length: length, sha256: sha256)
    }
}
