import BargeProtocol
public import Bluetooth

/// What a device says of itself.
public struct DeviceInformation: Hashable, Sendable {
    /// The same for its life.
    public let serial: String
    /// What it is.
    public let model: String
    /// What it runs on its side of the protocol.
    public let software: String
    /// Another number after each reset.
    public let bootID: UInt32
    /// Raw bytes of a block in this session.
    public let blockBytes: Int
    /// Raw bytes that may be on the way to it.
    public let receiveWindowBytes: UInt32
    /// The window that it inflates with; nil where it takes stored blocks only.
    public let inflateWindowBits: UInt8?
    /// The window that it deflates with; nil where it sends stored blocks only.
    public let deflateWindowBits: UInt8?
    /// It takes firmware.
    public let takesFirmware: Bool
    /// It holds files.
    public let holdsFiles: Bool
    /// The largest image in bytes; nil where it takes no firmware.
    public let slotBytes: UInt32?
    /// What one erase of its flash clears.
    public let sectorBytes: UInt32?
    /// Its slots.
    public let slots: [FirmwareSlotInformation]
    /// What is known of the link.
    public let link: LinkParameters
    /// What carried the question.
    public let route: Route
    /// Why that was not a CoC.
    public let routeReason: String?
    /// What the link could carry in bytes per second; nil where too little is known.
    public let ceilingBytesPerSecond: Double?
}

/// One firmware slot of a device.
public struct FirmwareSlotInformation: Hashable, Sendable {
    /// Which slot.
    public let index: Int
    /// How many bytes its image has; 0 where there is none.
    public let length: UInt64
    /// How much of an image that is being written is durable.
    public let durable: UInt64
    /// The image's SHA-256, 32 bytes.
    public let sha256: [UInt8]
    /// Its image runs.
    public let isRunning: Bool
    /// Its image stays after a reset.
    public let isConfirmed: Bool
    /// Its image is started once at the next reset.
    public let isPendingTest: Bool
    /// Its image was read back and agreed with its digest.
    public let isVerified: Bool
    /// It is being written.
    public let isPartial: Bool

    init(_ slot: ImageSlot) {
        index = Int(slot.index)
        length = slot.length
        durable = slot.durable
        sha256 = slot.digest.bytes
        isRunning = slot.flags.contains(.running)
        isConfirmed = slot.flags.contains(.confirmed)
        isPendingTest = slot.flags.contains(.pendingTest)
        isVerified = slot.flags.contains(.verified)
        isPartial = slot.flags.contains(.partial)
    }
}

/// One file on a device.
public struct RemoteFile: Hashable, Sendable {
    /// Its name, without what a terminal would act on.
    public let name: String
    /// Its size in bytes.
    public let size: UInt64
    /// Seconds since 1970; nil where the device does not know.
    public let modifiedSeconds: UInt64?
}

extension BargeHost {
    /// Asks a device what it is and what it runs.
    public func information(
        of device: DeviceReference, events: @escaping (TransferEvent) -> Void = { _ in }
    ) async throws(BargeError) -> DeviceInformation {
        let log = TransferLog(begin: central.now, emit: events)
        return try await persist(device, log: log) { (session) throws(BargeError) in
            var slots: [FirmwareSlotInformation] = []
            if session.hello.features.contains(.firmware),
                case .imageStates(let states) = try await session.driver.request(
                    .images, while: "asking for the images")
            {
                slots = states.all.map(FirmwareSlotInformation.init)
            }
            return DeviceInformation(session, slots: slots)
        }
    }

    /// The files on a device, in the order of their names' bytes.
    public func files(
        on device: DeviceReference, events: @escaping (TransferEvent) -> Void = { _ in }
    ) async throws(BargeError) -> [RemoteFile] {
        let log = TransferLog(begin: central.now, emit: events)
        return try await persist(device, log: log) { (session) throws(BargeError) in
            var files: [RemoteFile] = []
            var last = Name()
            while files.count < Self.maximumFiles {
                let page = try await page(after: last, session.driver)
                files += page.entries.map(RemoteFile.init)
                guard page.hasMore, let name = page.entries.last?.name else { return files }
                last = name
            }
            throw BargeError(
                .refused, "too-many-files", what: "Gave up listing the files",
                why: "the device names more than \(Self.maximumFiles)",
                advice: "Check the device's storage")
        }
    }

    /// One LIST: its names rise, and there is one at least where there are more (BTP-081).
    private func page(
        after last: Name, _ driver: HostDriver
    ) async throws(BargeError) -> (entries: [FileEntry], hasMore: Bool) {
        driver.begin(.list(after: last))
        var entries: [FileEntry] = []
        while true {
            let answer = try await driver.nextAnswer(while: "listing the files")
            if case .entry(let entry) = answer { entries.append(entry) }
            if case .listed(let hasMore) = answer { return (entries, hasMore) }
        }
    }

    /// Removes a file from a device.
    public func remove(
        _ name: String, on device: DeviceReference,
        events: @escaping (TransferEvent) -> Void = { _ in }
    ) async throws(BargeError) {
        let object = ObjectReference(kind: .file, name: try Self.fileName(name))
        let log = TransferLog(begin: central.now, emit: events)
        try await persist(device, log: log) { (session) throws(BargeError) in
            _ = try await session.driver.request(.remove(object), while: "removing \(name)")
        }
    }

    /// More names than this are not taken from any device.
    private static var maximumFiles: Int { 100_000 }
}

extension RemoteFile {
    init(_ entry: FileEntry) {
        name = entry.name.printable
        size = entry.size
        modifiedSeconds = entry.modifiedSeconds == 0 ? nil : entry.modifiedSeconds
    }
}

extension DeviceInformation {
    init(
        _ session: OpenSession<some CentralConnection>, slots: [FirmwareSlotInformation]
    ) {
        let hello = session.hello
        serial = hello.serial.printable
        model = hello.model.printable
        software = hello.software.printable
        bootID = hello.bootID
        blockBytes = session.driver.session.terms?.blockBytes ?? Int(hello.blockBytes)
        receiveWindowBytes = hello.receiveWindowBytes
        inflateWindowBits = hello.inflateWindowBits
        deflateWindowBits = hello.deflateWindowBits
        takesFirmware = hello.features.contains(.firmware)
        holdsFiles = hello.features.contains(.files)
        slotBytes = hello.geometry?.slotBytes
        sectorBytes = hello.geometry?.sectorBytes
        self.slots = slots
        link = session.driver.parameters
        route = session.route.route
        routeReason = session.route.reason
        ceilingBytesPerSecond = session.driver.ceilingBytesPerSecond
    }
}
