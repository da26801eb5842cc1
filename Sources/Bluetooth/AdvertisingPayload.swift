/// An advertisement as it is on the air: AD structures (Core 5.4, Vol 3, Part C, 11) of the types
/// in Core Specification Supplement 11, Part A, in an advertising packet and the scan response to
/// it. What does not fit is refused, never cut.
public struct AdvertisingPayload: Hashable, Sendable {
    /// What is in each advertising packet; the flags come first.
    public private(set) var advertisingData: [UInt8]
    /// What is in the answer to whoever scans actively.
    public private(set) var scanResponseData: [UInt8]

    /// The longest data of either packet (Core 5.4, Vol 6, Part B, 2.3.1.1 and 2.3.2.2).
    public static let maximumBytes = 31
    /// The longest name that fits whatever else is advertised: a scan response of its own, less
    /// length and type.
    public static let maximumNameBytes = maximumBytes - structureHeaderBytes

    /// Lays an advertisement out. Services come first, so that they are in the packet that every
    /// scanner hears, and the name last; each goes into the first packet that leaves room for the
    /// rest.
    /// - Throws: ``BluetoothError/advertisementTooLong(bytes:limit:)``.
    public init(_ advertisement: Advertisement) throws(BluetoothError) {
        let structures = Self.structures(of: advertisement)
        for structure in structures where structure.count > Self.maximumBytes {
            throw .advertisementTooLong(bytes: structure.count, limit: Self.maximumBytes)
        }
        self.init()
        guard !place(structures[...]) else { return }
        let bytes = structures.reduce(Self.flags.count) { $0 + $1.count }
        guard bytes <= 2 * Self.maximumBytes else {
            throw .advertisementTooLong(bytes: bytes, limit: 2 * Self.maximumBytes)
        }
        // Short enough as a whole, it does not come apart into two packets: what is too long then
        // is the longest structure beside the others.
        let longest = structures.max { $0.count < $1.count } ?? []
        throw .advertisementTooLong(
            bytes: longest.count, limit: Self.room(for: longest, in: structures))
    }

    /// The most bytes that a structure may have so that all fit.
    private static func room(for longest: [UInt8], in structures: [[UInt8]]) -> Int {
        var others = structures
        if let place = others.firstIndex(of: longest) { others.remove(at: place) }
        for count in stride(from: longest.count - 1, to: 0, by: -1) {
            var trial = AdvertisingPayload()
            if trial.place((others + [Array(longest.prefix(count))])[...]) { return count }
        }
        return 0
    }

    /// Flags alone.
    private init() {
        (advertisingData, scanResponseData) = (Self.flags, [])
    }

    /// Tries both packets for each structure in turn. There are few: all together have 59 bytes.
    private mutating func place(_ structures: ArraySlice<[UInt8]>) -> Bool {
        guard let next = structures.first else { return true }
        let room = 2 * Self.maximumBytes - advertisingData.count - scanResponseData.count
        guard structures.reduce(0, { $0 + $1.count }) <= room else { return false }
        if advertisingData.count + next.count <= Self.maximumBytes {
            advertisingData += next
            if place(structures.dropFirst()) { return true }
            advertisingData.removeLast(next.count)
        }
        if scanResponseData.count + next.count <= Self.maximumBytes {
            scanResponseData += next
            if place(structures.dropFirst()) { return true }
            scanResponseData.removeLast(next.count)
        }
        return false
    }

    private static func structures(of advertisement: Advertisement) -> [[UInt8]] {
        var structures: [[UInt8]] = []
        func append(_ type: DataType, _ bytes: [UInt8]) {
            structures.append([UInt8(truncatingIfNeeded: bytes.count + 1), type.rawValue] + bytes)
        }
        let short = advertisement.serviceUUIDs.filter { $0.short != nil }
        let long = advertisement.serviceUUIDs.filter { $0.short == nil }
        if !short.isEmpty { append(.complete16BitServices, short.flatMap(\.bytesOnAir)) }
        if !long.isEmpty { append(.complete128BitServices, long.flatMap(\.bytesOnAir)) }
        let data = advertisement.serviceData.sorted {
            $0.key.bytesOnAir.lexicographicallyPrecedes($1.key.bytesOnAir)
        }
        for (service, bytes) in data {
            append(
                service.short == nil ? .serviceData128Bit : .serviceData16Bit,
                service.bytesOnAir + bytes)
        }
        if let data = advertisement.manufacturerData {
            let company = [UInt8(truncatingIfNeeded: data.company), UInt8(data.company >> 8)]
            append(.manufacturerData, company + data.bytes)
        }
        if let name = advertisement.localName { append(.completeName, Array(name.utf8)) }
        return structures
    }

    /// The assigned numbers of AD types (Assigned Numbers, 2.3).
    private enum DataType: UInt8 {
        case flags = 0x01
        case complete16BitServices = 0x03
        case complete128BitServices = 0x07
        case completeName = 0x09
        case serviceData16Bit = 0x16
        case serviceData128Bit = 0x21
        case manufacturerData = 0xFF
    }

    /// LE General Discoverable Mode, BR/EDR not supported (Supplement, Part A, 1.3). Flags are in
    /// the advertising packet alone.
    private static let flags: [UInt8] = [2, DataType.flags.rawValue, 0x06]
    /// Length and type.
    private static let structureHeaderBytes = 2
}
