import BargePeripheral
import Bluetooth
import BluetoothSimulation
import Testing

@testable import Barge

/// One transfer with a device and a radio of its own, so that it can be made again and again, each
/// time with something else going wrong.
struct Voyage: Hashable, Sendable, CustomStringConvertible {
    enum Cargo: String, Hashable, CaseIterable {
        case flash, push, pull
    }

    let cargo: Cargo
    let route: Route

    static let all = Cargo.allCases.flatMap { cargo in
        [Route.coc, .gatt].map { Voyage(cargo: cargo, route: $0) }
    }

    var description: String { "\(cargo.rawValue) over \(route)" }

    /// What is moved: it does not deflate, so that each byte of it is one on the air.
    static let bytes = Noise(seed: 11).bytes(24_000)
    static let blockBytes: UInt16 = 1024
    static let windowBytes: UInt32 = 4096

    /// A device that has what this voyage needs.
    func harbor(
        seed: UInt64 = 1, _ change: (inout Bench.Settings) -> Void = { _ in }
    ) throws -> Harbor {
        var settings = Bench.Settings()
        settings.seed = seed
        settings.slotBytes = 64 * 1024
        settings.profile.blockBytes = Self.blockBytes
        settings.profile.receiveWindowBytes = Self.windowBytes
        settings.configuration.link.dataLengthBytes = 69
        if route == .gatt { settings.profile.psm = nil }
        change(&settings)
        let bench = try Bench(settings)
        let folder = try TemporaryFolder()
        if cargo == .pull {
            try bench.radio.withWorld { world in
                let device = world.application(of: Bench.peer) as? MemoryDevice
                try device?.storage.files?.append(Self.bytes, to: FileName("cargo"))
            }
        }
        return Harbor(voyage: self, bench: bench, folder: folder)
    }
}

/// A device, a radio, and what is to be moved between them.
struct Harbor {
    let voyage: Voyage
    let bench: Bench
    let folder: TemporaryFolder

    var radio: SimulatedRadio { bench.radio }

    /// Makes the voyage, or goes on with it.
    func run(
        _ host: BargeHost<SimulatedCentral>? = nil, on device: DeviceReference? = nil,
        events: @escaping (TransferEvent) -> Void = { _ in }
    ) async throws(BargeError) -> TransferSummary {
        let host = host ?? bench.host
        let device = device ?? bench.device
        let source = UploadSource(bytes: Voyage.bytes, name: "cargo")
        switch voyage.cargo {
        case .flash: return try await host.flash(source, to: device, events: events)
        case .push: return try await host.push(source, to: device, as: "cargo", events: events)
        case .pull:
            let place: DownloadDestination
            do {
                place = try DownloadDestination(localPath: folder("cargo"), remoteName: "cargo")
            } catch {
                throw BargeError(error)
            }
            return try await host.pull("cargo", from: device, to: place, events: events)
        }
    }

    /// True where the cargo is whole where it belongs: an image runs and is confirmed, a file has
    /// each of its bytes.
    func hasArrived() throws -> Bool {
        switch voyage.cargo {
        case .flash:
            try radio.withWorld { world in
                let device = world.application(of: Bench.peer) as? MemoryDevice
                let slots = try device?.storage.slots?.slots() ?? []
                guard let active = slots.first(where: { $0.isActive && $0.isConfirmed }),
                    active.image?.length == Voyage.bytes.count
                else { return false }
                let running = try device?.storage.slots?.read(.running, 0..<Voyage.bytes.count)
                return running == Voyage.bytes
            }
        case .push:
            try radio.withWorld { world in
                let device = world.application(of: Bench.peer) as? MemoryDevice
                guard let file = try device?.storage.files?.openRead(FileName("cargo")) else {
                    return false
                }
                let stored = try device?.storage.files?.read(file, 0..<file.size)
                return stored == Voyage.bytes
            }
        case .pull: folder.read("cargo") == Voyage.bytes
        }
    }
}
