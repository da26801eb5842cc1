/// A company's data in an advertisement (Core Specification Supplement 11, Part A, 1.4).
public struct ManufacturerData: Hashable, Sendable {
    /// The company, by its number in the SIG's list: 0x0059 is Nordic.
    public var company: UInt16
    /// The bytes behind it.
    public var bytes: [UInt8]

    /// A company's bytes.
    public init(company: UInt16, bytes: [UInt8] = []) {
        self.company = company
        self.bytes = bytes
    }
}
