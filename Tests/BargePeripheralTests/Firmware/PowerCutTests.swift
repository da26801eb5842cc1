import BargePeripheral
import Testing

@Suite("Power cuts during an update")
struct PowerCutTests {
    typealias Proof = UpdateProof<OpenSSLDigester>

    static let shapes = [1, 4, 8, 16].flatMap { unit in
        [UInt8(0xFF), 0x00].flatMap { erased in
            [64, 128].map { block in
                Proof.Shape(programUnit: unit, erasedValue: erased, blockSize: block)
            }
        }
    }

    @Test("A cut at any byte, with any damage, leaves a device that starts, tells the truth and finishes",
        arguments: shapes)
    func everyByte(shape: Proof.Shape) throws {
        var runs = 0
        var proof = try Proof(shape)
        for step in proof.steps() {
            var next = proof
            let before = next.slots.flash.counters.wornBytes
            try next.take(step)
            let worn = next.slots.flash.counters.wornBytes - before
            for byte in 0..<worn {
                for damage in PowerCut.Damage.allCases {
                    var cut = proof
                    cut.slots.flash.cutPower(
                        PowerCut(afterBytes: byte, damage: damage, seed: UInt64(byte)))
                    #expect(throws: StorageError.self) { try cut.take(step) }
                    let broken = try cut.recoverAndFinish()
                    #expect(broken == nil, "\(step), byte \(byte), \(damage)")
                    runs += 1
                }
            }
            proof = next
        }
        print(shape.testDescription, runs)
    }
}
