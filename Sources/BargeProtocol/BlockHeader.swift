/// What a BLOCK frame says before its bytes (BTP-050 to BTP-052).
public struct BlockHeader: Equatable, Sendable {
    /// How its bytes travel.
    public let coding: Coding
    /// Where it belongs.
    public let offset: UInt64
    /// How many bytes it stands for.
    public let rawBytes: Int
    /// How many bytes it travels in.
    public let codedBytes: Int

    /// How a block's bytes travel.
    public enum Coding: Sendable {
        /// As they are.
        case stored
        /// Deflated with the bytes before them as history.
        case deflated
    }

    /// A block's header.
    public init(coding: Coding, offset: UInt64, rawBytes: Int, codedBytes: Int) {
        self.coding = coding
        self.offset = offset
        self.rawBytes = rawBytes
        self.codedBytes = codedBytes
    }

    /// Where the next block begins.
    public var end: UInt64 { offset + UInt64(widening: rawBytes) }
}

extension BlockHeader {
    /// True where as many bytes came as its coding allows (BTP-045, BTP-050, BTP-052).
    func hasSoundLength(deflates: Bool) -> Bool {
        switch coding {
        case .stored: codedBytes == rawBytes
        case .deflated: deflates && codedBytes > 0 && codedBytes < rawBytes
        }
    }
}
