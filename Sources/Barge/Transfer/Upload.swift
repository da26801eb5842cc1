import BargeCoding
import BargeProtocol
import Bluetooth

/// Writes one object to the device in one session: from the device's offset to COMMITTED.
struct Upload {
    let source: UploadSource
    let object: ObjectReference
    let digest: Digest
    let compressionLevel: Int32?
    /// Give up what the device holds of it, even all of it, and begin at 0.
    var startsOver = false
    let log: TransferLog

    /// How often a prefix that does not agree, or a digest, lets a transfer start over.
    static var maximumRestarts: Int { 2 }

    private var action: String {
        object.kind == .firmware ? "sending the image" : "sending \(source.name)"
    }

    /// Sends what the device does not have; false where it had everything.
    func run(_ driver: HostDriver) async throws(BargeError) -> Bool {
        var restart = startsOver
        for _ in 0...Self.maximumRestarts {
            let ready = try await openWrite(driver, restart: restart)
            guard !ready.isComplete else { return false }
            if ready.offset > 0, try !holdsOurs(ready) {
                try await driver.cancelRequest()
                restart = true
                continue
            }
            do {
                try await send(driver, from: ready.offset)
                return true
            } catch {
                guard error.recovery == .restart || error.recovery == .resume,
                    driver.session.isIdle
                else { throw error }
                try unchanged()
                restart = error.recovery == .restart
            }
        }
        throw BargeError(
            .verification, "device-storage-unreliable", what: "Gave up \(action)",
            why: "the device's storage did not hold what was sent, several times over",
            advice: "Check the device's flash or memory card")
    }

    private func openWrite(
        _ driver: HostDriver, restart: Bool
    ) async throws(BargeError) -> WriteReady {
        let request = WriteRequest(
            object: object, length: source.length, digest: digest, restart: restart)
        driver.begin(.write(request))
        let answer = try await driver.nextAnswer(while: action, busy: log.busy)
        guard case .writeReady(let ready) = answer else {
            preconditionFailure("the session lets no other answer through")
        }
        return ready
    }

    /// True where what the device holds is the beginning of our object (BTP-061).
    private func holdsOurs(_ ready: WriteReady) throws(BargeError) -> Bool {
        do {
            return try source.prefixCheck(upTo: ready.offset) == ready.prefixCheck
        } catch {
            throw BargeError(error)
        }
    }

    private func send(_ driver: HostDriver, from offset: UInt64) async throws(BargeError) {
        guard let terms = driver.session.terms else { preconditionFailure("no session") }
        let windowBits = compressionLevel == nil ? nil : terms.sendingWindowBits
        let framer = BlockFramer(windowBits: windowBits, level: compressionLevel ?? 1)
        if let windowBits { try prime(framer, before: offset, windowBits: windowBits) }
        log.started(
            TransferStart(
                totalBytes: source.length, resumedFrom: offset, blockBytes: terms.blockBytes,
                windowBits: windowBits), driver: driver)
        try await sendBlocks(driver, framer)
        try unchanged()
        driver.commit()
        log.tell(.busy(.verifying, done: 0, total: source.length))
        _ = try await driver.nextAnswer(while: action, busy: log.busy)
    }

    private func sendBlocks(_ driver: HostDriver, _ framer: BlockFramer) async throws(BargeError) {
        var block: [UInt8] = []
        var planned = driver.nextBlock()
        var framed = FramedBytes()
        while !driver.session.canCommit {
            switch try await driver.turn(wantsRoom: planned != nil, while: action) {
            case .room:
                guard let plan = planned else { continue }
                try read(plan, into: &block)
                driver.sendBlock(plan) { output, tag in
                    let before = output.count
                    block.withUnsafeBytes {
                        framer.frame($0, offset: plan.offset, tag: tag, into: &output)
                    }
                    framed.add(
                        end: plan.offset + UInt64(plan.rawBytes), coded: output.count - before)
                }
                planned = driver.nextBlock()
            case .step(.durable(let offset)):
                log.reached(offset, codedBytes: framed.coded(upTo: offset), driver: driver)
                if planned == nil { planned = driver.nextBlock() }
            case .step(.busy(let report)): log.busy(report)
            case .step(.failed(let error)): throw BargeError(error, while: action)
            case .step: continue
            }
        }
    }

    private func prime(
        _ framer: BlockFramer, before offset: UInt64, windowBits: UInt8
    ) throws(BargeError) {
        let start = offset - min(offset, 1 << UInt64(windowBits))
        guard start < offset else { return }
        var history: [UInt8] = []
        try read(BlockPlan(offset: start, rawBytes: Int(offset - start)), into: &history)
        history.withUnsafeBytes { framer.restart(history: $0) }
    }

    private func read(_ plan: BlockPlan, into block: inout [UInt8]) throws(BargeError) {
        if block.count != plan.rawBytes { block = [UInt8](repeating: 0, count: plan.rawBytes) }
        do {
            var span = block.mutableSpan
            var bytes = span.mutableBytes
            try bytes.withUnsafeMutableBytes { (buffer) throws(LocalFileError) in
                try source.read(at: plan.offset, into: buffer)
            }
        } catch {
            throw BargeError(error)
        }
    }

    private func unchanged() throws(BargeError) {
        do {
            try source.verifyUnchanged()
        } catch {
            throw BargeError(error)
        }
    }
}

/// What blocks took on the pipe, so that it can be told for those that have arrived.
struct FramedBytes {
    private var total: UInt64 = 0
    /// For each block that is under way: where it ends, and what all up to it took.
    private var marks: [(end: UInt64, coded: UInt64)] = []
    private var arrived: UInt64 = 0

    mutating func add(end: UInt64, coded: Int) {
        total += UInt64(coded)
        marks.append((end, total))
    }

    /// Bytes in frames for everything up to `offset`, which does not fall.
    mutating func coded(upTo offset: UInt64) -> UInt64 {
        let passed = marks.prefix { $0.end <= offset }
        arrived = passed.last?.coded ?? arrived
        marks.removeFirst(passed.count)
        return arrived
    }
}
