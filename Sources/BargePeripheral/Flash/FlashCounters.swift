/// How often a flash was worked, and with how many bytes.
public struct FlashCounters: Hashable, Sendable {
    /// Read calls.
    public private(set) var readCalls = 0
    /// Erased sectors.
    public private(set) var eraseCalls = 0
    /// Program calls.
    public private(set) var programCalls = 0
    /// Bytes read.
    public private(set) var readBytes = 0
    /// Bytes erased.
    public private(set) var erasedBytes = 0
    /// Bytes programmed, padding included.
    public private(set) var programmedBytes = 0

    /// Nothing done yet.
    public init() {}

    /// Bytes erased or programmed: the places where ``PowerCut/afterBytes`` can strike.
    public var wornBytes: Int { erasedBytes + programmedBytes }

    /// Counts an operation; one that a power cut ends counts whole.
    mutating func count(_ operation: FlashOperation, bytes: Int) {
        switch operation {
        case .read:
            readCalls += 1
            readBytes += bytes
        case .erase:
            eraseCalls += 1
            erasedBytes += bytes
        case .program:
            programCalls += 1
            programmedBytes += bytes
        }
    }

    func microseconds(on geometry: FlashGeometry) -> Int {
        erasedBytes / geometry.sectorSize * geometry.eraseSectorMicroseconds
            + programmedBytes / geometry.programUnit * geometry.programUnitMicroseconds
            + readBytes / geometry.readBytesPerMicrosecond
    }
}
