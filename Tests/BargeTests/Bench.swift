import Barge
import BargePeripheral
import Bluetooth
import BluetoothSimulation

typealias MemoryDevice = BargeDevice<MemoryFlashMedium, MemoryFileMedium>

/// A simulated device in memory on a radio of its own, and a host that can reach it.
struct Bench {
    static let peer = PeerID("sim:bench")
    let radio: SimulatedRadio
    let factoryImage: [UInt8]

    struct Settings {
        var configuration = DeviceConfiguration(peer: Bench.peer)
        var profile = DeviceProfile(serial: "BENCH-1", localName: "bench")
        var slotBytes = 1024 * 1024
        var seed: UInt64 = 1
    }

    init(_ settings: Settings = Settings()) throws {
        let factoryImage = Noise(seed: 99).bytes(5000)
        self.factoryImage = factoryImage
        let size = FirmwareLayout.flashSize(slotSize: settings.slotBytes, sectorSize: 4096)
        let geometry = try FlashGeometry(
            size: size, programUnit: 4, eraseSectorMicroseconds: 8000, programUnitMicroseconds: 6)
        let flash = try FlashModel(
            geometry: geometry, medium: MemoryFlashMedium(size: size, filledWith: 0xFF))
        var slots = FirmwareSlots<MemoryFlashMedium, OpenSSLDigester>(
            flash: flash,
            layout: try FirmwareLayout(geometry: geometry, slotSize: settings.slotBytes))
        try slots.provision(factoryImage)
        let storage = DeviceStorage<MemoryFlashMedium, MemoryFileMedium>(
            slots: slots, files: FileStore(medium: MemoryFileMedium()))
        let device = MemoryDevice(profile: settings.profile, storage: storage, bootID: 7)
        let world = SimulatedWorld(seed: settings.seed)
        world.addDevice(settings.configuration, application: device)
        radio = SimulatedRadio(world: world)
    }

    var host: BargeHost<SimulatedCentral> { BargeHost(central: radio.central) }
    var device: DeviceReference { .peer(Self.peer) }
}

/// Bytes that do not deflate, from a seed.
struct Noise {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    func bytes(_ count: Int) -> [UInt8] {
        var state = state
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }
}
