import Barge
import BargePeripheral
import Bluetooth
import BluetoothSimulation

typealias MemoryDevice = BargeDevice<MemoryFlashMedium, MemoryFileMedium>

/// A device in memory on a simulated radio, and a host that can reach it.
struct Bench {
    static let peer = PeerID("sim:benchmark")
    let radio: SimulatedRadio
    let device = DeviceReference.peer(Self.peer)
    var host: BargeHost<SimulatedCentral>

    /// The carrier of a transfer, as a figure names it.
    enum Carrier: String, CaseIterable {
        case coc = "CoC"
        case gatt = "GATT"
    }

    /// - Parameters:
    ///   - watch: told of what goes over the channel.
    ///   - adjust: changes what the link and the device's stack are like.
    init(
        _ carrier: Carrier = .coc, profile: DeviceProfile? = nil, seed: UInt64 = 1,
        watch: StreamWatch? = nil, adjust: (inout DeviceConfiguration) -> Void = { _ in }
    ) throws {
        var profile = profile ?? DeviceProfile(serial: "BENCH-1", localName: "bench")
        if carrier == .gatt { profile.psm = nil }
        var configuration = DeviceConfiguration(peer: Self.peer)
        adjust(&configuration)
        let device = MemoryDevice(
            profile: profile,
            storage: DeviceStorage(
                slots: try Self.slots(), files: FileStore(medium: MemoryFileMedium())),
            bootID: 1)
        let world = SimulatedWorld(seed: seed)
        if let watch {
            world.addDevice(
                configuration, application: WatchedDevice(device: device, watch: watch))
        } else {
            world.addDevice(configuration, application: device)
        }
        radio = SimulatedRadio(world: world)
        host = BargeHost(central: radio.central)
    }

    /// Two slots of 1 MiB, with an image that runs.
    private static func slots() throws -> FirmwareSlots<MemoryFlashMedium, OpenSSLDigester> {
        let slotBytes = 1 << 20
        let size = FirmwareLayout.flashSize(slotSize: slotBytes, sectorSize: 4096)
        let geometry = try FlashGeometry(
            size: size, programUnit: 4, eraseSectorMicroseconds: 8000, programUnitMicroseconds: 6)
        let flash = try FlashModel(
            geometry: geometry, medium: MemoryFlashMedium(size: size, filledWith: 0xFF))
        var slots = FirmwareSlots<MemoryFlashMedium, OpenSSLDigester>(
            flash: flash, layout: try FirmwareLayout(geometry: geometry, slotSize: slotBytes))
        try slots.provision(Noise(seed: 99).bytes(5000))
        return slots
    }
}

/// Bytes that do not deflate, from a seed (xorshift64, Marsaglia 2003).
struct Noise {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// The next 64 bits.
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    /// Bytes from here on; asking again gives the same ones.
    func bytes(_ count: Int) -> [UInt8] {
        var stream = self
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            for index in 0..<count {
                buffer[index] = UInt8(truncatingIfNeeded: stream.next() >> 24)
            }
            initialized = count
        }
    }
}
