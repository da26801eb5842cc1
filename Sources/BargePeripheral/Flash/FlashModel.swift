/// A flash chip that is strict, not kind.
///
/// - A program unit is programmed once between two erases of its sector: a second time is refused
///   even where the bits would allow it, and so is a unit whose erase was cut short, even where it
///   reads as erased (chips with an error-correcting code behave so).
/// - Nothing keeps time: what operations would have taken adds up in ``elapsedMicroseconds``.
/// - ``cutPower(_:)`` plans a power failure at any byte; ``fail(_:atCall:persistently:)`` plans
///   failing operations.
///
/// A value when its medium is one: a copy of a model over ``MemoryFlashMedium`` is a snapshot of
/// the chip.
public struct FlashModel<Medium: FlashMedium>: Sendable {
    /// The shape and the pace of the chip.
    public let geometry: FlashGeometry
    /// What holds the bytes.
    public private(set) var medium: Medium
    /// What was done so far.
    public private(set) var counters = FlashCounters()
    /// Whether the chip has power. Without it every operation throws ``FlashError/powerLost``.
    public private(set) var isPowered = true

    /// Units that were programmed, or whose erase was cut short, since they were last erased whole.
    private var spentUnits: UnitSet
    private var cut: PowerCut?
    private var failures = PlannedFailures<FlashOperation>()

    /// A chip over a medium that holds something already.
    ///
    /// Which units are spent is read off the bytes: a unit that does not read as erased is.
    /// - Throws: what the medium throws while it is read.
    /// - Precondition: the medium is as large as the geometry says.
    public init(geometry: FlashGeometry, medium: Medium) throws(FlashError) {
        precondition(geometry.size == medium.size, "the medium has another size than the geometry")
        self.geometry = geometry
        self.medium = medium
        spentUnits = try Self.spentUnits(of: medium, geometry)
    }

    /// What all operations so far would have taken on the chip, in microseconds.
    public var elapsedMicroseconds: Int { counters.microseconds(on: geometry) }

    /// Copies the bytes from `address` on until `buffer` is full.
    public mutating func read(
        at address: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FlashError) {
        try admit(.read, address, buffer.count)
        try medium.read(at: address, into: buffer)
    }

    /// The bytes of `range`.
    public mutating func read(_ range: Range<Int>) throws(FlashError) -> [UInt8] {
        try admit(.read, range.lowerBound, range.count)
        var bytes = [UInt8](repeating: 0, count: range.count)
        try bytes.fillBytes { (buffer) throws(FlashError) in
            try medium.read(at: range.lowerBound, into: buffer)
        }
        return bytes
    }

    /// Whether the flash reads as `bytes` from `address` on: the read-back after programming.
    public mutating func matches(
        _ bytes: UnsafeRawBufferPointer, at address: Int
    ) throws(FlashError) -> Bool {
        try admit(.read, address, bytes.count)
        return try medium.matches(bytes, at: address)
    }

    /// Erases one sector.
    public mutating func erase(sector: Int) throws(FlashError) {
        let start = sector * geometry.sectorSize
        try admit(.erase, start, geometry.sectorSize)
        let range = start..<start + geometry.sectorSize
        if let cut = spend(geometry.sectorSize) {
            try tearErase(of: range, cut)
            throw .powerLost
        }
        try medium.fill(range, with: geometry.erasedValue)
        spentUnits.remove(units(of: range))
    }

    /// Programs whole units that are erased.
    /// - Throws: ``FlashError/unaligned(address:count:)`` and ``FlashError/notErased(address:)``
    ///   before anything is programmed.
    public mutating func program(
        _ bytes: UnsafeRawBufferPointer, at address: Int
    ) throws(FlashError) {
        try admit(.program, address, bytes.count)
        let range = address..<address + bytes.count
        if let cut = spend(bytes.count) {
            try tearProgram(bytes, at: address, cut)
            throw .powerLost
        }
        try medium.write(bytes, at: address)
        spentUnits.insert(units(of: range))
    }
}

// MARK: Faults

extension FlashModel {
    /// Plans a power failure; a cut that was planned before is forgotten. `nil` forgets it only.
    public mutating func cutPower(_ cut: PowerCut?) {
        self.cut = cut
    }

    /// Takes the power away at once, between two operations.
    public mutating func losePower() {
        isPowered = false
        cut = nil
    }

    /// Gives the chip its power back. A cut that has not struck yet stays planned.
    public mutating func powerOn() {
        isPowered = true
    }

    /// Plans that an operation fails: the call with the given number, counted from 0 from now on,
    /// once or for ever.
    ///
    /// A failing erase or program changes no byte but leaves the place in need of an erase.
    public mutating func fail(
        _ operation: FlashOperation, atCall call: Int, persistently: Bool = false
    ) {
        failures.add(operation, atCall: call, persistently: persistently)
    }

    /// Forgets all planned failures.
    public mutating func clearFailures() {
        failures.removeAll()
    }

    /// Refuses misuse first, then lets a planned failure strike, then counts.
    private mutating func admit(
        _ operation: FlashOperation, _ address: Int, _ count: Int
    ) throws(FlashError) {
        guard isPowered else { throw .powerLost }
        guard address >= 0, count >= 0, address <= geometry.size, count <= geometry.size - address
        else { throw .outOfRange(address: address, count: count) }
        let range = address..<address + count
        if operation == .program {
            guard
                address.isMultiple(of: geometry.programUnit),
                count.isMultiple(of: geometry.programUnit)
            else { throw .unaligned(address: address, count: count) }
            if let unit = spentUnits.first(in: units(of: range)) {
                throw .notErased(address: unit * geometry.programUnit)
            }
        }
        if failures.strike(operation) {
            if operation != .read { spentUnits.insert(units(of: range)) }
            throw .failed(operation, address: address)
        }
        counters.count(operation, bytes: count)
    }

    /// Uses up `count` bytes of what is left before the planned cut, and hands the cut over if it
    /// strikes.
    private mutating func spend(_ count: Int) -> PowerCut? {
        guard let due = cut else { return nil }
        guard count > due.afterBytes else {
            cut?.afterBytes -= count
            return nil
        }
        losePower()
        return due
    }

    private func units(of range: Range<Int>) -> Range<Int> {
        let unit = geometry.programUnit
        return range.lowerBound / unit..<(range.upperBound + unit - 1) / unit
    }
}

// MARK: What a cut leaves behind

extension FlashModel {
    private mutating func tearErase(of range: Range<Int>, _ cut: PowerCut) throws(FlashError) {
        if cut.damage == .cleanPrefix, cut.afterBytes == 0 { return }
        let torn = try torn(range, cut) { $0.tearErase(&$1, erasedValue: geometry.erasedValue) }
        try write(torn, at: range.lowerBound)
        spentUnits.insert(units(of: range))
    }

    private mutating func tearProgram(
        _ bytes: UnsafeRawBufferPointer, at address: Int, _ cut: PowerCut
    ) throws(FlashError) {
        let unit = geometry.programUnit
        let isBetweenUnits = cut.afterBytes.isMultiple(of: unit)
        let touched =
            cut.damage == .cleanPrefix && isBetweenUnits
            ? cut.afterBytes : min(bytes.count, cut.afterBytes / unit * unit + unit)
        let range = address..<address + touched
        let intended = UnsafeRawBufferPointer(rebasing: bytes[..<touched])
        let torn = try torn(range, cut) { $0.tearProgram(&$1, intended) }
        try write(torn, at: address)
        spentUnits.insert(units(of: range))
    }

    private func torn(
        _ range: Range<Int>, _ cut: PowerCut, by tear: (inout FlashDamage, inout [UInt8]) -> Void
    ) throws(FlashError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        try bytes.fillBytes { (buffer) throws(FlashError) in
            try medium.read(at: range.lowerBound, into: buffer)
        }
        var damage = FlashDamage(cut, programUnit: geometry.programUnit)
        tear(&damage, &bytes)
        return bytes
    }

    private mutating func write(_ bytes: [UInt8], at address: Int) throws(FlashError) {
        try bytes.withBytes { (buffer) throws(FlashError) in
            try medium.write(buffer, at: address)
        }
    }

    private static func spentUnits(
        of medium: Medium, _ geometry: FlashGeometry
    ) throws(FlashError) -> UnitSet {
        let unit = geometry.programUnit
        let chunkSize = min(geometry.size, geometry.sectorSize)
        let erased = [UInt8](repeating: geometry.erasedValue, count: chunkSize)
        var chunk = erased
        var spent = UnitSet(count: geometry.size / unit)
        for start in stride(from: 0, to: geometry.size, by: chunkSize) {
            try chunk.fillBytes { (buffer) throws(FlashError) in
                try medium.read(at: start, into: buffer)
            }
            if chunk == erased { continue }
            for offset in stride(from: 0, to: chunkSize, by: unit)
            where chunk[offset..<offset + unit].contains(where: { $0 != geometry.erasedValue }) {
                let index = (start + offset) / unit
                spent.insert(index..<index + 1)
            }
        }
        return spent
    }
}
