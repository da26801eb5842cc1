import BargePeripheral
import Testing

@Suite("Flash operations that fail during an update")
struct FlashFailureTests {
    typealias Proof = UpdateProof<ProductWriter>

    static let shape = UpdateShape(programUnit: 8, blockSize: 64)

    @Test(
        "Any one call that fails once is answered with an error, and repeating the step goes on",
        arguments: FlashOperation.allCases)
    func once(operation: FlashOperation) throws {
        try forEachCall(of: operation) { device, step, call in
            device.slots.flash.fail(operation, atCall: call)
            let failed = Self.fails(step, &device)
            device.slots.flash.clearFailures()
            guard failed || step == .reset else {
                Issue.record("\(step): \(operation) call \(call) failed unseen")
                return
            }
            // A trial that could not be recorded waits for the next boot.
            guard failed || device.slots.running == .a else { return }
            if case .write(let range) = step {
                try device.take(.begin)
                let durable = try device.slots.readableLength(of: .inactive)
                if durable == range.upperBound { return }
                #expect(durable == range.lowerBound)
            }
            try device.take(step)
        }
    }

    @Test(
        "Calls that fail for ever end in an error, and after the repair a reset leads back to work",
        arguments: FlashOperation.allCases)
    func forEver(operation: FlashOperation) throws {
        try forEachCall(of: operation) { device, step, call in
            device.slots.flash.fail(operation, atCall: call, persistently: true)
            _ = Self.fails(step, &device)
            _ = Self.fails(step, &device)
            device.slots.flash.clearFailures()
            let broken = device.promiseBrokenOnTheWayOn()
            #expect(broken == nil, "\(step), \(operation) call \(call)")
        }
    }

    @Test("A power cut after a failed call breaks no promise", arguments: FlashOperation.allCases)
    func failureThenCut(operation: FlashOperation) throws {
        try forEachCall(of: operation) { device, step, call in
            guard case .write = step else { return }
            device.slots.flash.fail(operation, atCall: call)
            guard Self.fails(step, &device) else { return }
            for byte in stride(from: 0, to: 700, by: 7) {
                for damage in PowerCut.Damage.allCases {
                    var victim = device
                    victim.slots.flash.cutPower(
                        PowerCut(afterBytes: byte, damage: damage, seed: UInt64(call)))
                    _ = Self.fails(step, &victim)
                    victim.slots.flash.cutPower(nil)
                    let broken = victim.promiseBrokenOnTheWayOn()
                    #expect(broken == nil, "\(step), \(operation) call \(call), byte \(byte)")
                }
            }
        }
    }

    @Test("A boot that cannot record the trial runs the permanent image and tries later")
    func trialPostponed() throws {
        var proof = try Proof(Self.shape)
        for step in proof.steps.prefix(while: { $0 != .reset }) { try proof.take(step) }
        proof.slots.flash.fail(.program, atCall: 0)
        #expect(try proof.slots.boot().reason == .trialPostponed)
        #expect(proof.slots.running == .a)
        #expect(try proof.slots.boot().reason == .trial)
    }

    /// Calls a body with a fresh copy of the device for each step of an update and each call of an
    /// operation in it.
    private func forEachCall(
        of operation: FlashOperation, _ body: (inout Proof, UpdateStep, Int) throws -> Void
    ) throws {
        var proof = try Proof(Self.shape)
        for step in proof.steps {
            let next = try proof.after(step)
            for call in 0..<next.calls(of: operation) - proof.calls(of: operation) {
                var device = proof
                try body(&device, step, call)
                let end = device.promiseBrokenOnTheWayOn()
                #expect(end == nil, "\(step), \(operation) call \(call)")
            }
            proof = next
        }
    }

    /// Takes a step that may fail; answers whether it did.
    private static func fails(_ step: UpdateStep, _ device: inout Proof) -> Bool {
        do throws(StorageError) {
            try device.take(step)
            return false
        } catch {
            return true
        }
    }
}

extension UpdateProof {
    fileprivate func calls(of operation: FlashOperation) -> Int {
        switch operation {
        case .read: slots.flash.counters.readCalls
        case .erase: slots.flash.counters.eraseCalls
        case .program: slots.flash.counters.programCalls
        }
    }
}
