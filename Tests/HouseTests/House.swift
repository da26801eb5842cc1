import Foundation

/// The house as it is drawn: which targets there are, what each may import, what lies at the top.
enum House {
    /// One target's room: the arrows that leave it, and the system modules it may use beside the
    /// standard library.
    struct Room {
        let ours: Set<String>
        let system: Set<String>
    }

    /// What a room above the core may take from the system. Foundation is missing on purpose (see
    /// `filesThatNeedFoundation`).
    private static let platform: Set<String> = [
        "Darwin", "Dispatch", "Glibc", "Musl", "Synchronization",
    ]

    /// The arrows. A target that is not here does not exist in the design.
    static let rooms: [String: Room] = [
        "BargeProtocol": Room(ours: [], system: []),
        "Bluetooth": Room(ours: [], system: ["Synchronization"]),
        "FirmwareImage": Room(ours: [], system: platform),
        "Barge": Room(
            ours: ["BargeProtocol", "BargeCoding", "Bluetooth", "FirmwareImage", "CCrypto"],
            system: platform),
        "BluetoothLinux": Room(ours: ["Bluetooth", "CBluetooth"], system: platform),
        "BluetoothSimulation": Room(ours: ["Bluetooth"], system: platform),
        "BargePeripheral": Room(
            ours: ["BargeProtocol", "BargeCoding", "Bluetooth"],
            system: platform),
        "BargeCoding": Room(ours: ["BargeProtocol", "CZlib", "CCrypto"], system: platform),
        "BargeCLI": Room(
            ours: ["Barge", "BluetoothLinux", "BluetoothSimulation", "BargePeripheral"],
            system: platform),
        "CBluetooth": Room(ours: [], system: []),
        "CZlib": Room(ours: [], system: []),
        "CCrypto": Room(ours: [], system: []),
    ]

    /// Product files that cannot do without Foundation, each with its reason. Empty is the goal: it
    /// costs start-up time and megabytes, and the standard library with the C library nearly always
    /// does.
    static let filesThatNeedFoundation: [String: String] = [:]

    /// What lies at the top beside dot files, which are free.
    static let topLevel: Set<String> = [
        "Package.swift", "README.md", "LICENSE", "Sources", "Tests", "images", "scripts",
    ]

    /// The package's folder: three levels above this file.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The target that a product file belongs to: `Sources/<target>/…`.
    static func target(of path: String) -> String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }
}
