import BargePeripheral
import BargeProtocol
import Bluetooth

/// A device in memory, its scripted stack, and a host that is nothing but frames.
final class DeviceRig {
    static let connection = ConnectionID(1)
    static let channel = ChannelID(1)
    static let factoryImage = [UInt8](repeating: 0x5A, count: 300)

    let device: BargeDevice<MemoryFlashMedium, MemoryFileMedium>
    var stack = ScriptedStack()
    /// Whether time passes by itself up to the wake-ups that the device asks for.
    var runsClock = true
    private var parser = FrameParser()

    init(
        profile: DeviceProfile = DeviceProfile(serial: "RIG", localName: "rig"),
        eraseMicroseconds: Int = 0
    ) throws {
        let geometry = try FlashGeometry(
            size: FirmwareLayout.flashSize(slotSize: 16_384, sectorSize: 1024),
            sectorSize: 1024, programUnit: 4, eraseSectorMicroseconds: eraseMicroseconds,
            programUnitMicroseconds: 0)
        let flash = try FlashModel(
            geometry: geometry, medium: MemoryFlashMedium(size: geometry.size, filledWith: 0xFF))
        var slots = FirmwareSlots<MemoryFlashMedium, OpenSSLDigester>(
            flash: flash, layout: try FirmwareLayout(geometry: geometry, slotSize: 16_384))
        try slots.provision(Self.factoryImage)
        device = BargeDevice(
            profile: profile,
            storage: DeviceStorage(slots: slots, files: FileStore(medium: MemoryFileMedium())),
            bootID: 0)
        device.handle(.poweredOn, on: &stack)
        stack.now = LinkInstant(microseconds: 10_000_000)
    }

    /// Connects a channel and exchanges HELLOs; the host takes blocks of 256 bytes.
    func openSession() throws {
        device.handle(.connected(Self.connection), on: &stack)
        device.handle(.channelOpened(Self.channel, on: Self.connection), on: &stack)
        var hello = Hello()
        hello.inflateWindowBits = 12
        hello.deflateWindowBits = 12
        send(.hello(hello), tag: 0)
        parser.maximumBodyBytes = 65_535
        _ = try answers()
    }

    /// The device is back after a reset; a new session begins.
    func powerOn() throws {
        stack.resets = []
        stack.wakeAt = nil
        device.handle(.poweredOn, on: &stack)
        stack.now = stack.now.advanced(microseconds: 10_000_000)
        stack.outgoing = []
        parser = FrameParser()
        try openSession()
    }

    func send(_ message: Message, tag: UInt8, payload: [UInt8] = []) {
        message.encode(tag: tag, payload: payload.span.bytes, into: &stack.incoming)
        device.handle(.channelReadable(Self.channel), on: &stack)
        passTime()
    }

    /// Lets time pass as long as the device asks to be woken.
    func passTime() {
        while runsClock, stack.resets.isEmpty, let instant = stack.wakeAt {
            stack.wakeAt = nil
            stack.now = max(stack.now, instant)
            device.handle(.woke, on: &stack)
        }
    }

    /// Sends a request and returns the frames that came for it.
    func ask(_ message: Message, tag: UInt8) throws -> [Message] {
        send(message, tag: tag)
        return try answers()
    }

    /// The frames that the device has sent since the last call, blocks without their bytes.
    func answers() throws -> [Message] {
        var messages: [Message] = []
        while true {
            let stream = stack.outgoing
            guard case .frame(let layout) = try parser.next(in: stream.span.bytes) else { break }
            let body = Array(stack.outgoing[layout.body])
            stack.outgoing.removeFirst(layout.totalBytes)
            if let message = try Message.decode(type: layout.type, body: body.span.bytes) {
                messages.append(message)
            }
        }
        return messages
    }

    /// Writes a whole object in stored blocks of 256 bytes and commits it.
    func write(_ bytes: [UInt8], as object: ObjectReference, tag: UInt8) throws -> [Message] {
        let request = WriteRequest(
            object: object, length: UInt64(bytes.count), digest: Self.digest(bytes), restart: false)
        var messages = try ask(.write(request), tag: tag)
        for start in stride(from: 0, to: bytes.count, by: 256) {
            let block = Array(bytes[start..<min(start + 256, bytes.count)])
            let header = BlockHeader(
                coding: .stored, offset: UInt64(start), rawBytes: block.count,
                codedBytes: block.count)
            send(.block(header), tag: tag, payload: block)
        }
        messages += try answers()
        return try messages + ask(.commit, tag: tag)
    }

    static func digest(_ bytes: [UInt8]) -> Digest {
        var run = OpenSSLDigester()
        bytes.withUnsafeBytes { run.update($0) }
        let bytes = run.finish().bytes
        return Digest(bytes.span.bytes) ?? Digest()
    }

    static func file(_ name: String) -> ObjectReference {
        let bytes = Array(name.utf8)
        return ObjectReference(kind: .file, name: Name(bytes.span.bytes) ?? Name())
    }
}
