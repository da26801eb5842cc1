import BargeCoding
import BargeProtocol
import Bluetooth

/// Reads one file of the device into its part, in one session: from what is held to READ_END.
struct Download {
    let object: ObjectReference
    let name: String
    let target: DownloadTarget
    let log: TransferLog

    private var action: String { "fetching \(name)" }

    /// Fetches what is missing; the digest of all of it agrees with the device's (BTP-073).
    func run(_ driver: HostDriver) async throws(BargeError) {
        for _ in 0...Upload.maximumRestarts {
            do throws(BargeError) {
                guard try await open(driver) else { continue }
                guard let end = try await receiveBlocks(driver) else { continue }
                guard
                    try BargeError.local({ () throws(LocalFileError) in try target.digest() })
                        != end.digest
                else { return }
                try BargeError.local { () throws(LocalFileError) in try target.restart() }
            } catch {
                guard error.recovery == .restart, driver.session.isIdle else { throw error }
                try BargeError.local { () throws(LocalFileError) in try target.restart() }
            }
        }
        throw BargeError(
            .verification, "download-digest-mismatch", what: "Gave up \(action)",
            why: "what arrived does not inflate, or does not have the digest that the device says, "
                + "several times over",
            advice: "Run the same command again when the file does not change, or check the "
                + "device's storage")
    }

    /// Opens the file where the part ends; false where the part is not its beginning, and is now
    /// empty (BTP-071).
    private func open(_ driver: HostDriver) async throws(BargeError) -> Bool {
        let request = ReadRequest(
            object: object, offset: target.heldBytes, length: ProtocolLimits.wholeLength)
        driver.begin(.read(request))
        guard
            case .readReady(let ready) = try await driver.nextAnswer(while: action, busy: log.busy)
        else { preconditionFailure("the session lets no other answer through") }
        let ours = try BargeError.local { () throws(LocalFileError) in
            try target.prefixCheck(upTo: ready.offset)
        }
        guard ours == ready.prefixCheck else {
            try await driver.cancelRequest()
            try BargeError.local { () throws(LocalFileError) in try target.restart() }
            return false
        }
        log.started(
            TransferStart(
                totalBytes: ready.size, resumedFrom: ready.offset,
                blockBytes: driver.session.terms?.blockBytes ?? 0,
                windowBits: driver.session.terms?.receivingWindowBits), driver: driver)
        return true
    }

    /// Takes blocks up to READ_END; nil where one did not inflate: then the request is given up, to
    /// be read again from what is held (BTP-057).
    private func receiveBlocks(_ driver: HostDriver) async throws(BargeError) -> ReadEnd? {
        let unframer = try primedUnframer(driver)
        var framed = FramedBytes()
        while true {
            switch try await driver.nextStep(while: action) {
            case .store(let header):
                guard let raw = unframe(header, driver.body, unframer) else {
                    try await driver.cancelRequest()
                    return nil
                }
                framed.add(end: header.end, coded: Message.block(header).frameBytes)
                try BargeError.local { () throws(LocalFileError) in
                    try target.append(raw.span.bytes)
                }
                log.rise(to: header.end)
                if driver.stored(upTo: header.end) {
                    let coded = framed.coded(upTo: header.end)
                    log.reached(header.end, codedBytes: coded, driver: driver)
                }
            case .answered(.readEnd(let end)): return end
            case .busy(let report): log.busy(report)
            case .none, .greeted, .answered, .durable, .failed, .finished, .violated: continue
            }
        }
    }

    /// The block's raw bytes; nil where it does not inflate to what its header says.
    private func unframe(
        _ header: BlockHeader, _ body: [UInt8], _ unframer: BlockUnframer
    ) -> [UInt8]? {
        do throws(BlockInflater.BadBlock) {
            return try body.span.bytes.withUnsafeBytes { (bytes) throws(BlockInflater.BadBlock) in
                let coded = UnsafeRawBufferPointer(
                    rebasing: bytes[(bytes.count - header.codedBytes)...])
                return try unframer.unframe(header, coded: coded)
            }
        } catch {
            return nil
        }
    }

    /// Blocks continue the raw bytes before them: the part holds those.
    private func primedUnframer(_ driver: HostDriver) throws(BargeError) -> BlockUnframer {
        guard let windowBits = driver.session.terms?.receivingWindowBits else {
            return BlockUnframer(windowBits: nil)
        }
        let unframer = BlockUnframer(windowBits: windowBits)
        let history = try BargeError.local { () throws(LocalFileError) in
            try target.lastBytes(atMost: 1 << Int(windowBits))
        }
        history.withUnsafeBytes { unframer.restart(history: $0) }
        return unframer
    }
}
