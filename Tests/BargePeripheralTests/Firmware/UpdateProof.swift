import BargePeripheral
import Testing

/// The whole life of an update, as steps that can be cut anywhere, and the promises that must hold after each cut.
///
/// A value throughout: a copy of it is a snapshot of the device, so a proof runs the steps once and cuts copies.
struct UpdateProof<Digester: SHA256Digester> {
    typealias Slots = FirmwareSlots<MemoryFlashMedium, Digester>

    /// One call of the storage, or a reset.
    enum Step: Hashable {
        case begin
        case write(Range<Int>)
        case finish
        case mark
        case reset
        case confirm
    }

    /// What the device's flash looks like and how the image is cut into blocks.
    struct Shape: Hashable, Sendable, CustomTestStringConvertible {
        var sectorSize = 128
        var programUnit = 4
        var erasedValue: UInt8 = 0xFF
        var slotSectors = 3
        var blockSize = 128
        var imageLength = 380

        var testDescription: String {
            "unit \(programUnit), erased \(erasedValue), block \(blockSize) of \(imageLength)"
        }
    }

    let shape: Shape
    let oldImage: [UInt8]
    let newImage: [UInt8]
    let identity: ImageIdentity
    let oldIdentity: ImageIdentity
    var slots: Slots
    /// The highest durable offset that the storage has reported.
    var reportedOffset = 0

    /// A device that runs `oldImage`, confirmed, with the new image's older half-brother in its other slot's flash.
    init(_ shape: Shape) throws {
        self.shape = shape
        let geometry = try FlashGeometry(
            size: FirmwareLayout.flashSize(
                slotSize: shape.slotSectors * shape.sectorSize, sectorSize: shape.sectorSize),
            sectorSize: shape.sectorSize, programUnit: shape.programUnit,
            erasedValue: shape.erasedValue)
        oldImage = pattern(shape.imageLength - 4, seed: 3)
        newImage = pattern(shape.imageLength, seed: 5)
        identity = ImageIdentity(length: newImage.count, sha256: digest(newImage, Digester.self))
        oldIdentity = ImageIdentity(length: oldImage.count, sha256: digest(oldImage, Digester.self))
        // A used flash: nothing reads as erased before it is erased.
        let flash = try FlashModel(
            geometry: geometry, medium: MemoryFlashMedium(bytes: pattern(geometry.size, seed: 7)))
        let layout = try FirmwareLayout(
            geometry: geometry, slotSize: shape.slotSectors * shape.sectorSize)
        slots = Slots(flash: flash, layout: layout)
        try slots.provision(oldImage)
        try slots.boot()
    }

    /// The steps of an undisturbed update from a durable offset on.
    func steps(from offset: Int = 0) -> [Step] {
        let borders = stride(from: offset, to: newImage.count, by: shape.blockSize)
        let writes = borders.map { Step.write($0..<min($0 + shape.blockSize, newImage.count)) }
        return [.begin] + writes + [.finish, .mark, .reset, .confirm]
    }

    /// Takes one step.
    mutating func take(_ step: Step) throws(StorageError) {
        switch step {
        case .begin:
            _ = try slots.beginImage(identity)
        case .write(let range):
            reportedOffset = try slots.write(Array(newImage[range]), at: range.lowerBound)
        case .finish:
            try slots.finishImage()
        case .mark:
            try slots.markForTest(identity.sha256)
        case .reset:
            try slots.boot()
        case .confirm:
            try slots.confirm()
        }
    }

    /// The device after an undisturbed step.
    func after(_ step: Step) throws(StorageError) -> Self {
        var next = self
        try next.take(step)
        return next
    }

    /// Bytes erased or programmed so far: where cuts can strike.
    var wornBytes: Int { slots.flash.counters.wornBytes }

    /// Cuts the power within a step, goes on, and answers the first promise that is broken.
    func brokenPromise(cutting step: Step, at cut: PowerCut) -> String? {
        var victim = self
        victim.slots.flash.cutPower(cut)
        do throws(StorageError) {
            try victim.take(step)
            return "the cut did not strike"
        } catch {
            if error.kind != .powerLost { return "\(error)" }
        }
        do throws(StorageError) {
            return try victim.recoverAndFinish()
        } catch {
            return "\(error)"
        }
    }

    /// Switches a device on after a cut and goes on with the update to its end, checking every promise on the way.
    /// Answers the first that is broken.
    mutating func recoverAndFinish() throws(StorageError) -> String? {
        slots.flash.powerOn()
        if let broken = try boot() { return broken }
        if slots.running == .b { return try finishTrial() }
        switch try slots.beginImage(identity) {
        case .running:
            return "the old slot claims to run the new image"
        case .complete:
            break
        case .upload(let offset):
            if let broken = try checkOffset(offset) { return broken }
            for step in steps(from: offset).dropFirst() where step != .reset && step != .confirm {
                if step == .mark { break }
                try take(step)
            }
        }
        try slots.markForTest(identity.sha256)
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
        let expected = report.slot == .a ? oldIdentity : identity
        let bytes = report.slot == .a ? oldImage : newImage
        guard report.image == expected else { return "slot \(report.slot) runs another image" }
        guard try slots.read(.running, 0..<report.image.length) == bytes else {
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

/// Bytes that differ from place to place and from seed to seed.
func pattern(_ count: Int, seed: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 131 &+ ($0 >> 7) &* 17) ^ (seed &* 29)) }
}

/// The digest of `bytes`.
func digest<Digester: SHA256Digester>(
    _ bytes: [UInt8], _: Digester.Type = OpenSSLDigester.self
) -> ContentDigest {
    var digester = Digester()
    bytes.withUnsafeBytes { digester.update($0) }
    return digester.finish()
}
