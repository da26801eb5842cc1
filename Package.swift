// swift-tools-version: 6.2
// The house: each target is one room, and the arrows between them are the only ones (see README,
// "The house").
import PackageDescription

/// Settings that every Swift target of ours shares.
let house: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Where transfers are driven, an async function runs on its caller's executor: one task drives a
/// session from end to end, and what it holds need not be Sendable. The backends' waits follow
/// suit: a change of thread at each of them would cost more than what is waited for.
let driving: [SwiftSetting] = house + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// The core builds as Embedded Swift when the package trait of that name is on.
let core: [SwiftSetting] =
    house + [.enableExperimentalFeature("Embedded", .when(traits: ["Embedded"]))]

let package = Package(
    name: "barge",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "BargeProtocol", targets: ["BargeProtocol"]),
        .library(name: "Bluetooth", targets: ["Bluetooth"]),
        .library(name: "FirmwareImage", targets: ["FirmwareImage"]),
        .library(name: "Barge", targets: ["Barge"]),
        .library(name: "BargePeripheral", targets: ["BargePeripheral"]),
        .library(name: "BluetoothSimulation", targets: ["BluetoothSimulation"]),
        .executable(name: "barge", targets: ["BargeCLI"]),
        .executable(name: "barge-benchmark", targets: ["BargeBenchmark"]),
    ],
    traits: [
        .trait(
            name: "Embedded",
            description: "Build BargeProtocol as Embedded Swift, for a microcontroller.")
    ],
    targets: [
        .target(name: "BargeProtocol", swiftSettings: core),
        .target(name: "Bluetooth", swiftSettings: driving),
        .target(name: "FirmwareImage", swiftSettings: house),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(
            name: "BargeCoding", dependencies: ["BargeProtocol", "CZlib", "CCrypto"],
            swiftSettings: house),
        .target(
            name: "Barge",
            dependencies: [
                "BargeProtocol", "BargeCoding", "Bluetooth", "FirmwareImage", "CCrypto",
            ],
            swiftSettings: driving),
        .target(
            name: "BluetoothSimulation", dependencies: ["Bluetooth"], swiftSettings: driving),
        .target(
            name: "BargePeripheral",
            dependencies: ["BargeProtocol", "BargeCoding", "Bluetooth"],
            swiftSettings: house),
        .executableTarget(
            name: "BargeCLI",
            dependencies: ["Barge", "BluetoothSimulation", "BargePeripheral"],
            swiftSettings: driving),

        // Measures what README promises; not a test, since machines differ and ratios do not.
        .executableTarget(
            name: "BargeBenchmark",
            dependencies: [
                "Barge", "BargeCoding", "BargePeripheral", "BargeProtocol", "Bluetooth",
                "BluetoothSimulation", "CZlib",
            ],
            path: "Tests/BargeBenchmark", swiftSettings: driving),
        .testTarget(
            name: "BargeProtocolTests", dependencies: ["BargeProtocol"], swiftSettings: house),
        .testTarget(
            name: "BargeCodingTests", dependencies: ["BargeCoding", "BargeProtocol"],
            swiftSettings: house),
        .testTarget(name: "BluetoothTests", dependencies: ["Bluetooth"], swiftSettings: house),
        .testTarget(
            name: "FirmwareImageTests", dependencies: ["FirmwareImage", "Barge"],
            swiftSettings: house),
        .testTarget(
            name: "BluetoothSimulationTests", dependencies: ["BluetoothSimulation", "Bluetooth"],
            swiftSettings: house),
        .testTarget(
            name: "BargePeripheralTests",
            dependencies: ["BargePeripheral", "BargeProtocol", "Bluetooth"],
            swiftSettings: house),
        .testTarget(
            name: "BargeTests",
            dependencies: [
                "Barge", "BargePeripheral", "BluetoothSimulation", "BargeProtocol", "Bluetooth",
                "FirmwareImage",
            ],
            swiftSettings: driving),
        .executableTarget(
            name: "PeerBridge",
            dependencies: [
                "Barge", "BargePeripheral", "BargeProtocol", "BargeCoding", "Bluetooth",
            ],
            path: "Tests/PeerBridge", swiftSettings: driving),
        .testTarget(
            name: "PeerTests",
            dependencies: ["PeerBridge", "Barge", "BargePeripheral", "Bluetooth"],
            exclude: ["peer"], swiftSettings: driving),
        .testTarget(name: "BargeCLITests", dependencies: ["BargeCLI"], swiftSettings: house),
        .testTarget(name: "HouseTests", swiftSettings: house),
    ]
)
