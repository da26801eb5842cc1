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

    let index: Int
    let configuration: DeviceConfiguration
    var application: any PeripheralApplication
    var isBonded = false

    var isPowered = false
    /// Counts power-ons, so that what was planned before is known as void.
    var generation = 0
    var unreachableUntilMicroseconds: UInt64 = 0
    var cut: Cut?

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

    var peer: PeerID { configuration.peer }

    init(
        index: Int, configuration: DeviceConfiguration, application: any PeripheralApplication,
        seed: UInt64
    ) {
        self.index = index
        self.configuration = configuration
        self.application = application
        advertisingDelay = RandomStream(
            seed: seed, purpose: .advertisingDelay, number: UInt64(index))
    }

    /// All that a reset takes away.
    func losePower() {
        isPowered = false
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
