import BargePeripheral
import Testing

typealias MemorySlots = FirmwareSlots<MemoryFlashMedium, OpenSSLDigester>

/// How an update's bytes get into the slots: the real way, or one with a bug that the proof must
/// find.
protocol UpdateWriter: Sendable {
    static func write(
        _ bytes: [UInt8], at offset: Int, to slots: inout MemorySlots
    ) throws(StorageError) -> Int
}

/// The way that the product goes.
enum ProductWriter: UpdateWriter {
    static func write(
        _ bytes: [UInt8], at offset: Int, to slots: inout MemorySlots
    ) throws(StorageError) -> Int {
        try slots.write(bytes, at: offset)
    }
}

/// One call of the storage, or a reset.
enum UpdateStep: Hashable {
    case begin
    case write(Range<Int>)
    case finish
    case mark
    case reset
    case confirm
}

/// What a proof's flash looks like, and how its image is cut into blocks.
struct UpdateShape: Hashable, Sendable, CustomTestStringConvertible {
    var sectorSize = 128
    var programUnit = 4
    var erasedValue: UInt8 = 0xFF
    var slotSectors = 3
    var blockSize = 128
    var imageLength = 300

    var testDescription: String {
        "unit \(programUnit), erased \(erasedValue), block \(blockSize) of \(imageLength)"
    }
}

/// The whole life of an update, as steps that can be cut anywhere, and the promises that must hold
/// after each cut.
///
/// A value throughout: a copy of it is a snapshot of the device, so a proof runs the steps once and
/// cuts copies.
struct UpdateProof<Writer: UpdateWriter> {
    let shape: UpdateShape
    let oldImage: [UInt8]
    let newImage: [UInt8]
    let oldIdentity: ImageIdentity
    let newIdentity: ImageIdentity
    var slots: MemorySlots
    /// The highest durable offset that the storage has reported.
    var reportedOffset = 0

    /// A device that runs `oldImage`, confirmed, on a used flash: nothing reads as erased before it
    /// is erased.
    init(_ shape: UpdateShape) throws {
        self.shape = shape
        let slotSize = shape.slotSectors * shape.sectorSize
        let geometry = try FlashGeometry(
            size: FirmwareLayout.flashSize(slotSize: slotSize, sectorSize: shape.sectorSize),
            sectorSize: shape.sectorSize, programUnit: shape.programUnit,
            erasedValue: shape.erasedValue)
        oldImage = pattern(shape.imageLength - 4, seed: 3)
        newImage = pattern(shape.imageLength, seed: 5)
        oldIdentity = ImageIdentity(of: oldImage)
        newIdentity = ImageIdentity(of: newImage)
        slots = MemorySlots(
            flash: try FlashModel(
                geometry: geometry,
                medium: MemoryFlashMedium(bytes: pattern(geometry.size, seed: 7))),
            layout: try FirmwareLayout(geometry: geometry, slotSize: slotSize))
        try slots.provision(oldImage)
        try slots.boot()
    }

    /// Bytes erased or programmed so far: where cuts can strike.
    var wornBytes: Int { slots.flash.counters.wornBytes }

    /// The steps of an undisturbed update.
    var steps: [UpdateStep] { [.begin] + writes(from: 0) + [.finish, .mark, .reset, .confirm] }

    /// The blocks from a durable offset on.
    func writes(from offset: Int) -> [UpdateStep] {
        stride(from: offset, to: newImage.count, by: shape.blockSize).map {
            .write($0..<min($0 + shape.blockSize, newImage.count))
        }
    }

    /// Takes one step.
    mutating func take(_ step: UpdateStep) throws(StorageError) {
        switch step {
        case .begin:
            _ = try slots.beginImage(newIdentity)
        case .write(let range):
            let bytes = Array(newImage[range])
            reportedOffset = try Writer.write(bytes, at: range.lowerBound, to: &slots)
        case .finish:
            try slots.finishImage()
        case .mark:
            try slots.markForTest(newIdentity.sha256)
        case .reset:
            try slots.boot()
        case .confirm:
            try slots.confirm()
        }
    }

    /// The device after an undisturbed step.
    func after(_ step: UpdateStep) throws(StorageError) -> Self {
        var next = self
        try next.take(step)
        return next
    }
}

// MARK: The promises

extension UpdateProof {
    /// Cuts the power within a step, goes on to the end, and answers the first promise that is
    /// broken on the way.
    func brokenPromise(cutting step: UpdateStep, at cut: PowerCut) -> String? {
        var victim = self
        victim.slots.flash.cutPower(cut)
        do throws(StorageError) {
            try victim.take(step)
            return "the cut did not strike"
        } catch {
            if error.kind != .powerLost { return "\(error)" }
        }
        return victim.promiseBrokenOnTheWayOn()
    }

    /// Goes on with the update after a cut.
    mutating func promiseBrokenOnTheWayOn() -> String? {
        do throws(StorageError) {
            return try recoverAndFinish()
        } catch {
            return "\(error)"
        }
    }

    /// Switches the device on, resumes, and goes on until the new image is confirmed.
    mutating func recoverAndFinish() throws(StorageError) -> String? {
        slots.flash.powerOn()
        if let broken = try boot() { return broken }
        if slots.running == .b { return try finishTrial() }
        switch try slots.beginImage(newIdentity) {
        case .running:
            return "the old slot claims to run the new image"
        case .complete:
            break
        case .upload(let offset):
            if let broken = try checkOffset(offset) { return broken }
            for step in writes(from: offset) { try take(step) }
            try slots.finishImage()
        }
        try slots.markForTest(newIdentity.sha256)
        if let broken = try boot() { return broken }
        guard slots.running == .b else { return "the finished image did not start" }
        return try finishTrial()
    }

    private mutating func finishTrial() throws(StorageError) -> String? {
        try slots.confirm()
        if let broken = try boot() { return broken }
        return slots.running == .b ? nil : "the confirmed image did not stay"
    }

    private mutating func boot() throws(StorageError) -> String? {
        let report = try slots.boot()
        let (identity, bytes) =
            report.slot == .a ? (oldIdentity, oldImage) : (newIdentity, newImage)
        guard report.image == identity else { return "slot \(report.slot) runs another image" }
        guard try slots.read(.running, 0..<identity.length) == bytes else {
            return "slot \(report.slot) runs bytes that are not its image"
        }
        return nil
    }

    private mutating func checkOffset(_ offset: Int) throws(StorageError) -> String? {
        guard offset >= reportedOffset else {
            return "durable offset \(offset) after \(reportedOffset) was reported"
        }
        guard try slots.read(.inactive, 0..<offset) == Array(newImage[..<offset]) else {
            return "the bytes before the durable offset \(offset) are not the image's"
        }
        return nil
    }
}

// MARK: Material

/// Bytes that differ from place to place and from seed to seed.
func pattern(_ count: Int, seed: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 131 &+ ($0 >> 7) &* 17) ^ (seed &* 29)) }
}

/// The SHA-256 of `bytes`.
func digest(_ bytes: [UInt8]) -> ContentDigest {
    var digester = OpenSSLDigester()
    bytes.withUnsafeBytes { digester.update($0) }
    return digester.finish()
}

extension ImageIdentity {
    /// The identity of an image.
    init(of bytes: [UInt8]) {
        self.init(length: bytes.count, sha256: digest(bytes))
    }
}
