/// The 32 bytes at the start of every MCUboot image (`struct image_header` in MCUboot's `image.h`).
public struct MCUbootHeader: Sendable, Equatable {
    /// The magic number of an image (`IMAGE_MAGIC`).
    public static let magic: UInt32 = 0x96f3_b83d
    /// The magic number of the obsolete first version (`IMAGE_MAGIC_V1`).
    public static let obsoleteMagic: UInt32 = 0x96f3_b83c
    /// The length of the header's fields, in bytes; `headerSize` is at least that.
    public static let fieldByteCount = 32

    /// The byte order of the header and of the TLVs.
    public let byteOrder: ByteOrder
    /// Where the image is copied to before it runs; zero for an image that runs in place.
    public let loadAddress: UInt32
    /// The distance from the start of the image to its body, in bytes.
    public let headerSize: UInt16
    /// The length of the protected TLV area with its own four bytes of information; zero for none.
    public let protectedTLVSize: UInt16
    /// The length of the body, in bytes.
    public let imageSize: UInt32
    /// What kind of image this is.
    public let flags: MCUbootFlags
    /// The version that the image carries.
    public let version: MCUbootVersion

    /// The number of bytes that hash and signature cover: header, body and protected TLVs.
    public var hashedByteCount: Int {
        bodyEndOffset + Int(protectedTLVSize)
    }

    /// The offset of the first byte behind the body.
    public var bodyEndOffset: Int { Int(headerSize) + Int(imageSize) }

    /// Reads the header of a payload that starts with the magic number in either byte order.
    init(_ payload: [UInt8]) throws(ImageError) {
        guard let order = Self.byteOrder(of: ByteReader(payload)) else {
            throw .mcuboot(.noMagic)
        }
        let reader = ByteReader(payload, order: order)
        guard
            let loadAddress = reader.integer32(at: 4),
            let headerSize = reader.integer16(at: 8),
            let protectedTLVSize = reader.integer16(at: 10),
            let imageSize = reader.integer32(at: 12),
            let flags = reader.integer32(at: 16),
            let version = MCUbootVersion(reader, at: 20),
            payload.count >= Self.fieldByteCount
        else { throw .mcuboot(.headerCutShort(byteCount: payload.count)) }
        guard headerSize >= Self.fieldByteCount else {
            throw .mcuboot(.headerTooSmall(headerSize: headerSize))
        }
        self.byteOrder = order
        self.loadAddress = loadAddress
        self.headerSize = headerSize
        self.protectedTLVSize = protectedTLVSize
        self.imageSize = imageSize
        self.flags = MCUbootFlags(rawValue: flags)
        self.version = version
    }

    /// The byte order in which a file starts with the magic number, `nil` if in neither.
    static func byteOrder(of reader: ByteReader) -> ByteOrder? {
        switch reader.integer32(at: 0) {
        case magic: .little
        case magic.byteSwapped: .big
        default: nil
        }
    }
}

/// An MCUboot version: `major.minor.revision+build` (`struct image_version`).
public struct MCUbootVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The first number.
    public let major: UInt8
    /// The second number.
    public let minor: UInt8
    /// The third number.
    public let revision: UInt16
    /// The build number, behind the plus sign.
    public let build: UInt32

    /// A version out of its four numbers.
    public init(major: UInt8, minor: UInt8, revision: UInt16, build: UInt32 = 0) {
        self.major = major
        self.minor = minor
        self.revision = revision
        self.build = build
    }

    init?(_ reader: ByteReader, at offset: Int) {
        guard let numbers = reader.slice(at: offset, count: 2),
            let revision = reader.integer16(at: offset + 2),
            let build = reader.integer32(at: offset + 4)
        else { return nil }
        self.init(
            major: numbers[numbers.startIndex], minor: numbers[numbers.startIndex + 1],
            revision: revision, build: build)
    }

    /// The form that `imgtool` prints and takes: `1.2.3+4`.
    public var description: String { "\(major).\(minor).\(revision)+\(build)" }

    /// Compares number by number, the build number last.
    public static func < (left: MCUbootVersion, right: MCUbootVersion) -> Bool {
        (left.major, left.minor, left.revision, left.build)
            < (right.major, right.minor, right.revision, right.build)
    }
}
