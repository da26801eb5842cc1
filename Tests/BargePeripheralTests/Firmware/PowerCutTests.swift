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

    @Test(
        "A cut at any byte, with any damage, leaves a device that starts, tells the truth and finishes",
        arguments: shapes)
    func everyByte(shape: Proof.Shape) throws {
        var proof = try Proof(shape)
        for step in proof.steps() {
            let next = try proof.after(step)
            for byte in 0..<next.wornBytes - proof.wornBytes {
                for damage in PowerCut.Damage.allCases {
                    let cut = PowerCut(afterBytes: byte, damage: damage, seed: UInt64(byte))
                    if let broken = proof.brokenPromise(cutting: step, at: cut) {
                        Issue.record("\(step), byte \(byte), \(damage): \(broken)")
                    }
                }
            }
            proof = next
        }
        #expect(try proof.slots.slots()[1].isConfirmed, "the undisturbed update ended")
    }
}
