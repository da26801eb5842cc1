import Bluetooth

/// One simulated device: its application, and what its stack knows.
final class Device {
    /// Where the application takes channels.
    struct Listener {
        let receiveMTU: Int
        let receiveBufferBytes: Int
        let security: SecurityLevel
    }

    /// The packet at which a link to it dies.
    struct Cut {
        var dataPacketsLeft: Int
        let notice: LossNotice
    }

    /// What happens after so many packets.
    struct PacketFault {
        var dataPacketsLeft: Int
        let fault: Fault
    }

    let index: Int
    let configuration: DeviceConfiguration
    var application: any PeripheralApplication
    /// Its keys of the central: they outlast a reset.
    var bond: SimulatedBond?
    /// The digits that it shows.
    var displayed: Passkey?

    var isPowered = false
    /// Counts power-ons, so that what was planned before is known as void.
    var generation = 0
    var unreachableUntilMicroseconds: UInt64 = 0
    var cut: Cut?
    var packetFaults: [PacketFault] = []
    var staleNameUntilMicroseconds: UInt64 = 0
    var reboots: RandomStream
    var strength: RandomStream

    var advertisement: Advertisement?
    var isAdvertisingPlanned = false
    var advertisingGeneration = 0
    var advertisingDelay: RandomStream
    var wakeGeneration = 0
    /// When the application wants to be woken.
    var wakeInstant: LinkInstant?
    /// When it is looked at next whether that has come.
    var plannedWakeInstant: LinkInstant?

    var attributes = AttributeTable()
    var listeners: [UInt16: Listener] = [:]
    /// The links that it believes in.
    var links: [Link] = []

    /// By what it is heard and connected to; its owner calls it by its configuration's name.
    private(set) var peer: PeerID
    private var addressNumber: UInt32

    init(
        index: Int, configuration: DeviceConfiguration, application: any PeripheralApplication,
        seed: UInt64
    ) {
        self.index = index
        self.configuration = configuration
        addressNumber = configuration.addressNumber
        peer = configuration.firstAddress
        self.application = application
        advertisingDelay = RandomStream(
            seed: seed, purpose: .advertisingDelay, number: UInt64(index))
        reboots = RandomStream(seed: seed, purpose: .reboots, number: UInt64(index))
        strength = RandomStream(seed: seed, purpose: .signalStrength, number: UInt64(index))
    }

    func changeAddress() {
        guard configuration.changesAddress else { return }
        addressNumber &+= 1
        peer = configuration.address(addressNumber)
    }

    /// What it says at a moment: its application's words, and what its configuration puts to them.
    func advertisement(at instant: LinkInstant) -> Advertisement? {
        guard var said = advertisement else { return nil }
        said.peer = peer
        if let name = configuration.staleName, instant.microseconds < staleNameUntilMicroseconds {
            said.localName = name
        }
        if let data = configuration.manufacturerData { said.manufacturerData = data }
        said.serviceData.merge(configuration.serviceData) { _, added in added }
        said.rssiDBm = configuration.rssiDBm
        let spread = configuration.rssiSpreadDB
        if spread > 0 {
            said.rssiDBm =
                configuration.rssiDBm - spread
                + Int(strength.next(below: UInt64(2 * spread + 1)))
        }
        return said
    }

    /// All that a reset takes away.
    func losePower() {
        isPowered = false
        displayed = nil
        generation += 1
        advertisingGeneration += 1
        isAdvertisingPlanned = false
        wakeGeneration += 1
        wakeInstant = nil
        plannedWakeInstant = nil
        advertisement = nil
        attributes = AttributeTable()
        listeners = [:]
        links = []
    }
}

/// How the ends of a link learn that it was cut.
public enum LossNotice: Hashable, Sendable {
    /// Each by itself, when it has heard nothing for the supervision timeout.
    case supervisionTimeout
    /// Both at once.
    case immediately
}
