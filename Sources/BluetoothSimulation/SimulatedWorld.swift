public import Bluetooth

/// A radio in memory with everything on it: one central, devices, links, and a clock of its own.
///
/// Nothing here waits, sleeps or starts a task. Calls plan events, and ``step()`` runs the next
/// one. Equal seeds and equal calls give equal worlds, event for event: ``traceHash`` tells.
///
/// Not for several threads at once; ``SimulatedRadio`` puts a lock around it.
public final class SimulatedWorld {
    /// The one number that all chance comes from.
    public let seed: UInt64
    /// The moment that the world has reached.
    public internal(set) var now = LinkInstant.zero
    /// The longest ATT MTU that the central's stack takes.
    public var centralATTMTU = ATT.maximumMTU
    /// The most links that the adapter holds, attempts counted; a further attempt is
    /// ``BluetoothError/connectionLimit``.
    public var maximumLinks = Int.max

    var queue = EventQueue()
    var changes = Changes()
    var trace = TraceHash()
    var devices = Registry<Device>()
    var devicesByPeer: [PeerID: Device] = [:]
    var links = Registry<Link>()
    /// The links that at least one side believes in.
    var liveLinks: [Link] = []
    var channels = Registry<Channel>()
    /// What went over links that are forgotten.
    var forgottenStatistics = LinkStatistics()
    var centralBonds: [PeerID: SimulatedBond] = [:]
    /// Bonds of devices that are not there.
    var deviceBondsToCome: [PeerID: SimulatedBond] = [:]
    var pairingCount: UInt64 = 0
    var isAdapterPowered = true
    var applicationEvents = FIFO<ApplicationEvent>(minimumCapacity: 64)
    var operations: [UInt64: OperationState] = [:]
    var nextOperation: UInt64 = 1
    var connecting: [ConnectionAttempt] = []
    var scans: [UInt64: Scan] = [:]
    /// Until when the central's radio is taken by a packet.
    var radioBusyUntilMicroseconds: UInt64 = 0
    var scheduledFaults = Registry<Fault>()
    var noiseUntilMicroseconds: UInt64 = 0

    /// An empty world.
    public init(seed: UInt64) { self.seed = seed }

    /// Puts a device into the world; its application gets its first event at the next step.
    /// - Precondition: no device of that name is there.
    public func addDevice(
        _ configuration: DeviceConfiguration, application: any PeripheralApplication
    ) {
        configuration.validate()
        precondition(devicesByPeer[configuration.peer] == nil, "two devices of one name")
        let device = Device(
            index: devices.nextNumber, configuration: configuration, application: application,
            seed: seed)
        device.bond = deviceBondsToCome.removeValue(forKey: configuration.peer)
        devices.append(device)
        note(device)
        plan(.powerOn(device: device.index, generation: device.generation), after: 0)
    }

    /// A device's application, for its owner to look at or to save.
    public func application(of peer: PeerID) -> (any PeripheralApplication)? {
        device(peer)?.application
    }

    /// A number that two worlds share only if the same things happened in both at the same times.
    public var traceHash: UInt64 { trace.value }

    /// What went over a link so far; nothing for one that is forgotten.
    public func statistics(of connection: ConnectionID) -> LinkStatistics {
        links[Int(connection.rawValue)]?.statistics ?? LinkStatistics()
    }

    // MARK: Time

    /// When the next event is due; nil where nothing is planned.
    public var nextEvent: LinkInstant? {
        if !applicationEvents.isEmpty { return now }
        return queue.earliestMicroseconds.map(LinkInstant.init(microseconds:))
    }

    /// Runs the next event and all that follows from it at once; false where nothing is planned.
    @discardableResult
    public func step() -> Bool {
        if let event = queue.pop() {
            now = LinkInstant(microseconds: max(event.microseconds, now.microseconds))
            run(event.occurrence)
        } else if applicationEvents.isEmpty {
            return false
        }
        callApplications()
        return true
    }

    /// Runs all events up to and including `instant`, and sets the clock to it.
    public func run(until instant: LinkInstant) {
        while let next = nextEvent, next <= instant { step() }
        now = max(now, instant)
    }

    /// Runs events until `condition` holds, and returns true then; false at the deadline.
    public func run(until deadline: LinkInstant, stopWhen condition: () -> Bool) -> Bool {
        while !condition() {
            guard let next = nextEvent, next <= deadline else {
                now = max(now, deadline)
                return false
            }
            step()
        }
        return true
    }

    func plan(_ occurrence: Occurrence, after delayMicroseconds: UInt64) {
        queue.push(occurrence, at: now.microseconds + delayMicroseconds)
    }

    /// What is planned for a link or a device that is forgotten does not happen.
    private func run(_ occurrence: Occurrence) {
        switch occurrence {
        case .anchor(let link): links[link].map(beginConnectionEvent)
        case .centralPacketEnded(let link): links[link].map(centralPacketEnded)
        case .peripheralPacketEnded(let link): links[link].map(peripheralPacketEnded)
        case .flush(let link): links[link].map(flush)
        case .supervision(let link, let side): links[link].map { supervise($0, side) }
        case .secured(let link): links[link].map(secured)
        case .advertisement(let device, let generation):
            devices[device].map { advertise($0, generation) }
        case .wake(let device, let generation): devices[device].map { wake($0, generation) }
        case .powerOn(let device, let generation): devices[device].map { powerOn($0, generation) }
        case .reachable(let device): devices[device].map(becomeReachable)
        case .reboot(let device, let generation): devices[device].map { reboot($0, generation) }
        case .fault(let number): strike(number)
        }
    }

    // MARK: Looking up

    /// A link by number. One that is forgotten was ended by its owner.
    func link(_ connection: ConnectionID) throws(BluetoothError) -> Link {
        guard let link = links[Int(connection.rawValue)] else { throw .linkLost(.localTerminated) }
        return link
    }

    func channel(_ channel: ChannelID) -> Channel? { channels[Int(channel.rawValue)] }
}
