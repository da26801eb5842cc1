import BargePeripheral
import Testing

@Suite("Power cuts during an update")
struct PowerCutTests {
    /// Every program unit with both erased values, and blocks of half a sector and of a whole one.
    static let allShapes = [1, 4, 8, 16].flatMap { unit in
        [UInt8(0xFF), 0x00].flatMap { erased in
            [64, 128].map { block in
                UpdateShape(programUnit: unit, erasedValue: erased, blockSize: block)
            }
        }
    }

    /// Half of them, such that each two choices meet: what fits into seconds without optimization.
    static let shapes = allShapes.filter { shape in
        let choices = [
            shape.programUnit == 4 || shape.programUnit == 16, shape.erasedValue == 0x00,
            shape.blockSize == 128,
        ]
        return choices.count { $0 }.isMultiple(of: 2)
    }

    @Test(
        "A cut at any byte, with any damage, leaves a device that starts, is honest and finishes",
        arguments: shapes)
    func everyByte(shape: UpdateShape) throws {
        let (runs, broken) = try Self.cutEverywhere(UpdateProof<ProductWriter>(shape))
        #expect(broken.isEmpty, "\(broken)")
        // An update wears at least each byte of its sectors once by the erase and once by the
        // program.
        #expect(runs > 4 * 2 * shape.imageLength)
    }

    @Test(
        "A cut while recovering from a cut breaks no promise either",
        arguments: [
            UpdateShape(programUnit: 4, blockSize: 64),
            UpdateShape(programUnit: 16, erasedValue: 0x00, blockSize: 32),
        ])
    func cutsInPairs(shape: UpdateShape) throws {
        var random = TestGenerator(seed: 11)
        let proof = try UpdateProof<ProductWriter>(shape)
        var whole = proof
        for step in proof.steps { try whole.take(step) }
        let total = whole.wornBytes - proof.wornBytes
        for _ in 0..<1500 {
            var device = proof
            for cut in 0..<4 {
                // The first cut strikes in the update, the others wherever the way on has come to.
                let cut = PowerCut(
                    afterBytes: Int.random(in: 0..<(cut == 0 ? total : total / 3), using: &random),
                    damage: PowerCut.Damage.allCases.randomElement(using: &random) ?? .garbageUnit,
                    seed: random.next())
                device.slots.flash.cutPower(cut)
                do throws(StorageError) {
                    let broken = try device.recoverAndFinish()
                    #expect(broken == nil, "\(cut)")
                    break
                } catch {
                    #expect(error.kind == .powerLost, "\(cut): \(error)")
                }
            }
            device.slots.flash.cutPower(nil)
            let broken = device.promiseBrokenOnTheWayOn()
            #expect(broken == nil)
        }
    }

    @Test(
        "A cut while one upload gives way to another leaves the old one or a fresh start",
        arguments: PowerCut.Damage.allCases)
    func changeOfMind(damage: PowerCut.Damage) throws {
        var proof = try UpdateProof<ProductWriter>(UpdateShape(blockSize: 64))
        for step in proof.steps.prefix(4) { try proof.take(step) }
        let other = ImageIdentity(of: pattern(200, seed: 9))
        var undisturbed = proof
        #expect(try undisturbed.slots.beginImage(other) == .upload(from: 0))
        for byte in 0..<undisturbed.wornBytes - proof.wornBytes {
            var device = proof
            device.slots.flash.cutPower(PowerCut(afterBytes: byte, damage: damage, seed: 2))
            #expect(throws: StorageError.self) { try device.slots.beginImage(other) }
            device.slots.flash.powerOn()
            try device.slots.boot()
            let partial = try #require(try device.slots.slots()[1].partial)
            if partial.image == other {
                #expect(partial.durableOffset == 0)
            } else {
                #expect(partial.image == proof.newIdentity)
                let held = try device.slots.read(.inactive, 0..<partial.durableOffset)
                #expect(held == Array(proof.newImage[..<192]))
            }
        }
    }

    /// Cuts each step of an update at each byte with each damage, until enough has broken; answers
    /// the number of runs and what broke.
    static func cutEverywhere<Writer>(
        _ start: UpdateProof<Writer>, untilBroken limit: Int = 5
    ) throws -> (runs: Int, broken: [String]) {
        var runs = 0
        var broken: [String] = []
        var proof = start
        for step in start.steps {
            let next = try proof.after(step)
            for byte in 0..<next.wornBytes - proof.wornBytes {
                for damage in PowerCut.Damage.allCases where broken.count < limit {
                    let cut = PowerCut(afterBytes: byte, damage: damage, seed: UInt64(byte))
                    if let promise = proof.brokenPromise(cutting: step, at: cut) {
                        broken.append("\(step), byte \(byte), \(damage): \(promise)")
                    }
                    runs += 1
                }
            }
            proof = next
        }
        return (runs, broken)
    }
}

/// A generator that repeats itself for equal seeds: xorshift64* (Vigna, "An experimental
/// exploration of Marsaglia's xorshift generators", 2016).
struct TestGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        precondition(seed != 0)
        state = seed
    }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
