import BargeProtocol
import Bluetooth

/// How far an update has come, and the next step of it in a session.
///
/// ```
///  WRITE … COMMITTED, or there already
///     ▼
///  IMAGES ─▶ runs, confirmed ─▶ finished
///     ├────▶ runs, unconfirmed ─▶ CONFIRM ─▶ finished
///     └────▶ verified in a slot ─▶ TEST ─▶ RESET ─▶ (reset) ─▶ IMAGES …, three times at most
/// ```
/// WRITE comes first because its answer tells all that counts before the bytes move: it saves a
/// round trip. After a reset IMAGES comes first: what runs is the question then.
struct FlashCourse {
    let image: UploadSource
    let digest: Digest
    let flashing: FlashOptions
    let compressionLevel: Int32?
    let log: TransferLog

    private var phase: Phase = .begun
    /// How often RESET was sent since the image was last seen to run.
    private var trialsUnseen = 0

    /// What was done to the device so far, over all its sessions.
    private enum Phase: Equatable {
        /// Nothing.
        case begun
        /// The image is there: it was sent, or marked for its test.
        case delivered
        /// RESET was sent to the device as it was then.
        case reset(DeviceIdentity)
    }

    init(
        image: UploadSource, digest: Digest, flashing: FlashOptions, compressionLevel: Int32?,
        log: TransferLog
    ) {
        self.image = image
        self.digest = digest
        self.flashing = flashing
        self.compressionLevel = compressionLevel
        self.log = log
    }

    /// What a session ended with.
    enum Outcome {
        /// All is done.
        case finished(TransferSummary.Result)
        /// The device resets, and should be back after so many µs.
        case resetting(microseconds: UInt64)
    }

    /// Does all that can be done in one session.
    mutating func advance(
        _ session: OpenSession<some CentralConnection>
    ) async throws(BargeError) -> Outcome {
        guard session.hello.features.contains(.firmware) else {
            throw BargeError(ErrorMessage(.notSupported), while: "the image")
        }
        let driver = session.driver
        if phase == .begun, try await upload(driver) { phase = .delivered }
        let slots = try await states(.images, driver)
        let isBack = hasReset(session.hello)
        if let running = slots.slot(where: { $0.flags.contains(.running) && $0.digest == digest }),
            isBack || !flashing.force
        {
            // It ran, and told so: whatever becomes of the link now, the image is a good one.
            trialsUnseen = 0
            return try await confirm(running, driver)
        }
        // A device that reset by itself before CONFIRM gave a good image up: it looks the same from
        // here as a bad one, until that has failed a few times.
        guard !isBack || trialsUnseen < Self.mostTrialsUnseen else {
            throw BargeError(
                .verification, "image-reverted", what: "The device does not run the new image",
                why: "it came back from each of \(trialsUnseen) resets with another one",
                advice:
                    "Check that the image is built for this device, and that nothing else resets "
                    + "it; the old one still works")
        }
        try await send(slots, driver)
        guard flashing.resets else { return .finished(.copied) }
        return try await reset(session)
    }

    /// True where the device has reset since RESET was sent (BTP-093).
    private func hasReset(_ hello: Hello) -> Bool {
        guard case .reset(let before) = phase else { return false }
        return before.bootID != hello.bootID
    }

    /// How often an image is tried that nobody has yet seen run.
    private static var mostTrialsUnseen: Int { 4 }

    private mutating func send(
        _ slots: ImageSlots, _ driver: HostDriver
    ) async throws(BargeError) {
        let isThere = slots.slot(where: { $0.flags.contains(.verified) && $0.digest == digest })
        if isThere == nil { _ = try await upload(driver) }
        if phase == .begun { phase = .delivered }
        _ = try await states(.test(digest), driver)
    }

    /// Sends what the device does not have; false where it had everything.
    private func upload(_ driver: HostDriver) async throws(BargeError) -> Bool {
        let object = ObjectReference(kind: .firmware, number: flashing.imageNumber)
        let upload = Upload(
            source: image, object: object, digest: digest,
            compressionLevel: compressionLevel, startsOver: flashing.force, log: log)
        return try await upload.run(driver)
    }

    private mutating func reset(
        _ session: OpenSession<some CentralConnection>
    ) async throws(BargeError) -> Outcome {
        let identity = DeviceIdentity(session.hello)
        phase = .reset(identity)
        trialsUnseen += 1
        guard
            case .resetting(let milliseconds) = try await session.driver.request(
                .reset, while: "resetting the device")
        else { preconditionFailure("the session lets no other answer through") }
        return .resetting(microseconds: UInt64(milliseconds) * 1000)
    }

    private func confirm(
        _ running: ImageSlot, _ driver: HostDriver
    ) async throws(BargeError) -> Outcome {
        let result: TransferSummary.Result = phase == .begun ? .alreadyInstalled : .installed
        guard flashing.confirms, !running.flags.contains(.confirmed) else {
            return .finished(result)
        }
        let slots = try await states(.confirm(digest), driver)
        guard
            slots.slot(where: {
                $0.digest == digest && $0.flags.contains([.running, .confirmed])
            }) != nil
        else {
            throw BargeError(
                .verification, "not-confirmed", what: "The image was not confirmed",
                why: "the device does not say that it stays",
                advice: "Run the same command again")
        }
        return .finished(.installed)
    }

    private func states(
        _ request: Message, _ driver: HostDriver
    ) async throws(BargeError) -> ImageSlots {
        guard
            case .imageStates(let slots) = try await driver.request(
                request, while: "asking for the images")
        else { preconditionFailure("the session lets no other answer through") }
        return slots
    }
}

extension ImageSlots {
    /// The slots in order.
    var all: [ImageSlot] { (0..<count).map { self[$0] } }

    /// The first slot for which `holds` is true.
    func slot(where holds: (ImageSlot) -> Bool) -> ImageSlot? { all.first(where: holds) }
}
