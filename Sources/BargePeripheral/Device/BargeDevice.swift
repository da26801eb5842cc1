import BargeCoding
import BargeProtocol
public import Bluetooth

/// The device half of Barge on a computer: it publishes the service, takes channels and GATT pipes,
/// and runs one session on each. Used by `barge serve`, by the simulator, and by tests.
///
/// A flash operation is carried out at once on the model, but its time passes: until then nothing
/// more is taken from any pipe, and its answers wait (`busyUntil`).
///
/// ```
///  poweredOn ──▶ advertising ──connected──▶ sessions ──RESET, power lost──▶ off ──▶ poweredOn
/// ```
public final class BargeDevice<Flash: FlashMedium, Files: FileMedium>: PeripheralApplication {
    /// What it says of itself.
    public let profile: DeviceProfile
    /// What it holds.
    public let storage: DeviceStorage<Flash, Files>
    /// Another number after each reset; the owner keeps it for a device that outlasts a process.
    public internal(set) var bootID: UInt32
    /// What the last boot in this process did; nil where there was none, or no image could start.
    public private(set) var lastBoot: BootReport?
    /// True from the moment that a reset is certain to the end of the boot after it. A device whose
    /// process ends meanwhile boots when it is next switched on.
    public var isResetting: Bool { isOff || pendingReset != nil }
    /// Called after each event, outside all transfers: an owner saves here what must outlast it.
    public var afterEvent: (() -> Void)?

    typealias Pipe = DevicePipe<Flash, Files>
    var pipes: [Pipe.Carrier: Pipe] = [:]
    var busyUntil = LinkInstant.zero
    var busyReport: PendingBusyReport<Pipe.Carrier>?
    var pendingReset: PendingReset?
    /// When the stack was asked for ``PeripheralEvent/woke``; nil where it is not on its way.
    var plannedWake: LinkInstant?
    /// True where the firmware runs already when the stack comes up: another process started it.
    private var isAttached: Bool
    private var isOff: Bool

    /// A device.
    /// - Parameter isAttached: its firmware runs already, so that the first power-up is none.
    public init(
        profile: DeviceProfile, storage: DeviceStorage<Flash, Files>, bootID: UInt32,
        isAttached: Bool = false
    ) {
        self.profile = profile
        self.storage = storage
        self.bootID = bootID
        self.isAttached = isAttached
        isOff = !isAttached
    }

    // MARK: PeripheralApplication

    /// Takes one event from the stack.
    public func handle(_ event: PeripheralEvent, on stack: inout some PeripheralStack) {
        switch event {
        case .poweredOn: powerOn(&stack)
        case .connected: break
        case .disconnected(let connection): dropPipes { $0.connection == connection }
        case .channelOpened(let channel, let connection):
            open(.channel(channel, connection), &stack)
        case .channelReadable(let channel), .channelWritable(let channel):
            pump(&stack) { $0.isChannel(channel) }
        case .channelClosed(let channel): dropPipes { $0.isChannel(channel) }
        case .valueWritten(let value, let characteristic, let connection):
            guard characteristic == BluetoothUUID(.upload) else { break }
            take(value, on: connection, &stack)
        case .notificationsChanged(let isOn, _, let connection):
            if !isOn { dropPipes { $0 == .attributes(connection) } }
        case .notificationQueueReady(let connection):
            pump(&stack) { $0 == .attributes(connection) }
        case .woke: wake(&stack)
        }
        afterEvent?()
    }

    /// The PSM's value (BTP-002).
    public func value(of characteristic: BluetoothUUID, for connection: ConnectionID)
        -> Result<[UInt8], ATTError>
    {
        guard characteristic == PSM.characteristic, let psm = profile.psm else {
            return .failure(.readNotPermitted)
        }
        return .success([UInt8(psm.rawValue & 0xFF), UInt8(psm.rawValue >> 8)])
    }

    // MARK: Power

    private func powerOn(_ stack: inout some PeripheralStack) {
        plannedWake = nil
        pipes.removeAll()
        busyReport = nil
        pendingReset = nil
        if isAttached {
            isAttached = false
        } else {
            bootID &+= 1
            boot(at: stack.now)
        }
        isOff = false
        busyUntil = stack.now.advanced(microseconds: storage.takeElapsed())
        publish(on: &stack)
    }

    /// A device whose firmware cannot be started still answers: it takes a new one.
    private func boot(at now: LinkInstant) {
        storage.slots?.flash.powerOn()
        do {
            lastBoot = try storage.slots?.boot()
            if let lastBoot { noteBoot(lastBoot, at: now) }
        } catch {
            lastBoot = nil
            // The power failed in the middle of the boot, and is back: a cut strikes once.
            if error.kind == .powerLost { return boot(at: now) }
            // Nothing runs: IMAGES says so, and WRITE goes on to work or to refuse by itself.
            note("no image could be started: \(error)", at: now)
        }
    }

    private func publish(on stack: inout some PeripheralStack) {
        var characteristics = [
            GATTCharacteristicDeclaration(
                uuid: BluetoothUUID(.upload), properties: [.writeWithoutResponse, .write],
                security: profile.security),
            GATTCharacteristicDeclaration(
                uuid: BluetoothUUID(.download), properties: .notify, security: profile.security),
        ]
        if let psm = profile.psm {
            characteristics.insert(
                GATTCharacteristicDeclaration(
                    uuid: PSM.characteristic, properties: .read, security: .none), at: 0)
            stack.listen(
                on: psm, receiveMTU: profile.receiveMTU,
                receiveBufferBytes: profile.receiveBufferBytes, security: profile.security)
        }
        let service = BluetoothUUID(.service)
        stack.publish(GATTServiceDeclaration(uuid: service, characteristics: characteristics))
        do throws(BluetoothError) {
            try stack.advertise(profile.advertisement)
        } catch {
            // Nobody finds it then; whoever knows its address connects all the same.
            note("it is not advertised: \(error)", at: stack.now)
        }
    }

    /// The power is gone in the middle of something.
    func losePower(_ stack: inout some PeripheralStack) {
        pipes.removeAll()
        isOff = true
        stack.resetDevice(offMicroseconds: profile.resetMicroseconds)
    }

    // MARK: Pipes

    private var hello: Hello {
        profile.hello(
            geometry: storage.geometry, hasFiles: storage.files != nil, bootID: bootID)
    }

    private func open(_ carrier: Pipe.Carrier, _ stack: inout some PeripheralStack) {
        note("a session begins on a channel", at: stack.now)
        let pipe = Pipe(carrier: carrier, hello: hello)
        pipe.enqueue(pipe.session.greeting, tag: 0, isBusy: false)
        pipes[carrier] = pipe
        pump(pipe, &stack)
    }

    private func take(
        _ value: [UInt8], on connection: ConnectionID, _ stack: inout some PeripheralStack
    ) {
        let carrier = Pipe.Carrier.attributes(connection)
        var pipe = pipes[carrier] ?? Pipe(carrier: carrier, hello: hello)
        switch pipe.take(value: value) {
        case .opened:
            note("a session begins on GATT", at: stack.now)
            // A session of an earlier OPEN is gone with all that was in it (BTP-020).
            let fresh = Pipe(carrier: carrier, hello: hello)
            fresh.attributePipe = pipe.attributePipe
            fresh.enqueue(fresh.session.greeting, tag: 0, isBusy: false)
            pipe = fresh
            pipes[carrier] = pipe
        case .broken:
            pipe.transfer = .none
            pipe.isClosing = true
            pipe.outgoing.removeAll()
            pipe.afterBusy.removeAll()
        case .none, .data, .writable: break
        }
        if pipes[carrier] != nil {
            pump(pipe, &stack)
        } else {
            // A pipe that was never opened has an answer too: BROKEN to PROBE (BTP-026).
            pipe.flush(to: &stack)
        }
    }

    private func dropPipes(where matches: (Pipe.Carrier) -> Bool) {
        pipes = pipes.filter { !matches($0.key) }
    }

    private func pump(
        _ stack: inout some PeripheralStack, where matches: (Pipe.Carrier) -> Bool
    ) {
        for (carrier, pipe) in pipes where matches(carrier) { pump(pipe, &stack) }
    }

    private func wake(_ stack: inout some PeripheralStack) {
        plannedWake = nil
        if let pendingReset, stack.now >= pendingReset.instant {
            stack.disconnect(pendingReset.connection)
            losePower(&stack)
            return
        }
        for pipe in pipes.values.sorted(by: { $0.carrier < $1.carrier }) { pump(pipe, &stack) }
        scheduleWake(&stack, now: stack.now)
    }
}

/// A reset that waits until its answer is out (BTP-093).
struct PendingReset {
    let connection: ConnectionID
    let instant: LinkInstant
}

extension DevicePipe.Carrier: Comparable {
    func isChannel(_ channel: ChannelID) -> Bool {
        if case .channel(channel, _) = self { return true }
        return false
    }

    /// An order that is the same in every run.
    static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    private var order: UInt64 {
        switch self {
        case .channel(let channel, let connection):
            UInt64(connection.rawValue) << 33 | 1 << 32 | UInt64(channel.rawValue)
        case .attributes(let connection): UInt64(connection.rawValue) << 33
        }
    }
}
