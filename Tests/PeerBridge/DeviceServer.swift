import BargeCoding
import BargePeripheral
import BargeProtocol
import Bluetooth

/// Our device behind a Unix socket, with its flash and its files in memory.
struct DeviceServer {
    /// What the device is.
    struct Settings: Sendable {
        var profile: DeviceProfile
        /// The ATT MTU of its links; nil: a channel is open on each.
        var mtu: Int?
        var slotBytes = 128 * 1024
        var eraseSectorMicroseconds = 0
        var fileCapacityBytes = 1024 * 1024
        /// No slots at all where false.
        var takesFirmware = true
        /// No files at all where false.
        var holdsFiles = true

        /// The device's time passes at once while it waits for its own flash: for slow ones.
        var leaps = false

        init() {
            profile = DeviceProfile(serial: "BRIDGE-1", localName: "bridge")
            profile.resetMicroseconds = 0
        }
    }

    typealias Device = BargeDevice<MemoryFlashMedium, MemoryFileMedium>

    private let listener: Int32
    private var stack: SocketStack
    private var device: Device
    private let leaps: Bool
    private var lastNumber: UInt32 = 0

    /// What runs on the device at first: bytes that the other side can compute.
    static var factoryImage: [UInt8] { (0..<5000).map { UInt8(truncatingIfNeeded: $0 % 251) } }

    init(_ settings: Settings, listener: Int32) throws {
        self.listener = listener
        leaps = settings.leaps
        stack = SocketStack(mtu: settings.mtu)
        device = try Self.makeDevice(settings)
    }

    private static func makeDevice(_ settings: Settings) throws -> Device {
        var slots: FirmwareSlots<MemoryFlashMedium, OpenSSLDigester>?
        if settings.takesFirmware {
            let size = FirmwareLayout.flashSize(slotSize: settings.slotBytes, sectorSize: 4096)
            let geometry = try FlashGeometry(
                size: size, programUnit: 4,
                eraseSectorMicroseconds: settings.eraseSectorMicroseconds,
                programUnitMicroseconds: 0)
            let flash = try FlashModel(
                geometry: geometry, medium: MemoryFlashMedium(size: size, filledWith: 0xFF))
            let layout = try FirmwareLayout(geometry: geometry, slotSize: settings.slotBytes)
            var made = FirmwareSlots<MemoryFlashMedium, OpenSSLDigester>(
                flash: flash, layout: layout)
            try made.provision(factoryImage)
            slots = made
        }
        let files = settings.holdsFiles ? try makeFiles(settings) : nil
        let storage = DeviceStorage<MemoryFlashMedium, MemoryFileMedium>(slots: slots, files: files)
        return Device(profile: settings.profile, storage: storage, bootID: 7)
    }

    private static func makeFiles(
        _ settings: Settings
    ) throws -> FileStore<MemoryFileMedium, OpenSSLDigester> {
        var limits = FileStoreLimits()
        limits.capacityBytes = settings.fileCapacityBytes
        return FileStore(medium: MemoryFileMedium(), limits: limits)
    }

    /// Serves until `stop` can be read.
    mutating func run(until stop: Int32) {
        device.handle(.poweredOn, on: &stack)
        while true {
            if leaps { stack.leap() }
            wait(for: stop)
            if UnixSocket.wait([(stop, true, false)], milliseconds: 0) { return }
            // What has ended is seen first: a host that comes back finds no older self at work.
            for (number, end) in stack.links.sorted(by: { $0.key < $1.key }) {
                serve(number, end)
            }
            takeConnections()
            if stack.takeWake() { device.handle(.woke, on: &stack) }
            while stack.takeReset() { device.handle(.poweredOn, on: &stack) }
        }
    }

    private func wait(for stop: Int32) {
        var interests = [(listener, true, false), (stop, true, false)]
        for end in stack.links.values {
            interests.append((end.descriptor, end.hasRoomToRead, end.hasUnsent))
        }
        let left = stack.wakeInstant.map { Int($0.microseconds(since: stack.now) / 1000) + 1 }
        UnixSocket.wait(
            interests.map { (descriptor: $0.0, read: $0.1, write: $0.2) }, milliseconds: left)
    }

    private mutating func takeConnections() {
        while let descriptor = UnixSocket.accept(listener) {
            lastNumber += 1
            let connection = ConnectionID(lastNumber)
            stack.links[lastNumber] = SocketEnd(
                descriptor: descriptor, carriesValues: stack.mtu != nil)
            device.handle(.connected(connection), on: &stack)
            if stack.mtu == nil {
                device.handle(
                    .channelOpened(ChannelID(lastNumber), on: connection), on: &stack)
            } else {
                let download = BluetoothUUID(bridged: .download)
                device.handle(
                    .notificationsChanged(true, characteristic: download, connection: connection),
                    on: &stack)
            }
        }
    }

    private mutating func serve(_ number: UInt32, _ end: SocketEnd) {
        let (connection, channel) = (ConnectionID(number), ChannelID(number))
        end.flush()
        if end.hasRoom, stack.refused.remove(number) != nil {
            let event: PeripheralEvent =
                end.carriesValues
                ? .notificationQueueReady(connection) : .channelWritable(channel)
            device.handle(event, on: &stack)
        }
        end.fill()
        if end.carriesValues {
            let upload = BluetoothUUID(bridged: .upload)
            while stack.links[number] != nil, let value = end.takeValue() {
                let event = PeripheralEvent.valueWritten(
                    value, characteristic: upload, connection: connection)
                device.handle(event, on: &stack)
                end.fill()
            }
        } else if end.hasArrived {
            device.handle(.channelReadable(channel), on: &stack)
        }
        guard end.isOver else { return }
        if stack.links[number] != nil { stack.drop(number) }
        if !end.carriesValues { device.handle(.channelClosed(channel), on: &stack) }
        device.handle(.disconnected(connection), on: &stack)
    }
}
