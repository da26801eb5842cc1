import Barge
import BargePeripheral
import BluetoothSimulation

/// What can be told of a simulated device without opening it.
struct DeviceOverview: Sendable {
    /// How much of it there is.
    enum Condition: Sendable {
        /// It is made when it is first used.
        case toCome
        case made(SimulatedDeviceSettings, DeviceState, DeviceLock.User)
        case unusable(Failure)
    }

    let name: String
    let condition: Condition

    var peer: String { "sim:" + name }
}

extension SimulationDirectory {
    func overview(of name: String) -> DeviceOverview {
        let files = files(of: name)
        do throws(Failure) {
            guard try exists(name) else { return DeviceOverview(name: name, condition: .toCome) }
            let (settings, state) = (try files.settings(), try files.state())
            return DeviceOverview(name: name, condition: .made(settings, state, files.user()))
        } catch {
            return DeviceOverview(name: name, condition: .unusable(error))
        }
    }
}

extension DeviceOverview {
    /// A line of the table of `barge sim list`.
    var row: [String] {
        switch condition {
        case .toCome: [peer, "made when it is first used"]
        case .made(let settings, let state, let user):
            [peer, settings.radioText, settings.slotText, state.text(user), settings.oddText]
        case .unusable(let failure): [peer, "unusable: \(failure.why)"]
        }
    }

    /// What `--json` tells.
    var facts: [Fact] {
        switch condition {
        case .toCome: [.condition("to-come")]
        case .made(let settings, let state, let user):
            [.condition("made")] + settings.facts + state.facts + user.facts
        case .unusable(let failure): [.condition("unusable"), .text("reason", failure.why)]
        }
    }
}

extension SimulatedDeviceSettings {
    /// `2m, 251 B, 30 ms, MTU 247, coc`.
    var radioText: String {
        let route = hasChannels ? "coc" : "gatt only"
        if isUnlimited { return "unlimited, MTU \(attMTU), \(route)" }
        let interval = shortest(Double(intervalMicroseconds) / 1_000)
        let loss = loss > 0 ? ", loss \(shortest(loss))" : ""
        let pace = pace == .realtime ? ", real time" : ""
        return "\(phy.rawValue), \(dataLengthBytes) B, \(interval) ms, MTU \(attMTU), \(route)"
            + loss + pace
    }

    /// `slots 2 x 1024 KiB`.
    var slotText: String { "slots 2 x \(slotBytes / 1_024) KiB" }

    /// What is out of the ordinary: `pairs with display, changes its address`.
    var oddText: String { (pairing.words + oddities.words).joined(separator: ", ") }

    fileprivate var facts: [Fact] { radioFacts + pairing.facts + oddities.facts }

    private var radioFacts: [Fact] {
        [
            .text("phy", phy.rawValue), .count("dataLength", dataLengthBytes),
            .number("intervalMilliseconds", Double(intervalMicroseconds) / 1_000),
            .count("attMTU", attMTU), .flag("coc", hasChannels), .number("loss", loss),
            .flag("unlimited", isUnlimited), .text("pace", pace.rawValue),
            .init("seed", label: "seed", .unsigned(seed), text: String(seed)),
            .count("slotSize", slotBytes), .count("windowBits", windowBits),
            .count("blockSize", blockBytes),
        ]
    }
}

extension SimulatedPairing {
    /// The passkey is a secret: only that there is one is told.
    fileprivate var facts: [Fact] {
        [
            .text("pairing", capability.rawValue), .flag("fixedPasskey", passkey != nil),
            .count("keyBytes", keyBytes), .flag("legacyPairing", isLegacy),
            .flag("refusesComparison", refusesComparison),
            .flag("refusesNewBond", refusesNewBond), .text("security", security.name),
        ]
    }
}

extension SimulatedOddities {
    fileprivate var facts: [Fact] {
        let reboots = rebootMilliseconds.map { Double($0) / 1_000 }
        return [
            .flag("changesAddress", changesAddress),
            .number("staleNameSeconds", Double(staleNameMilliseconds) / 1_000),
            .init(
                "rebootsSeconds", label: "reboots", .number(orNull: reboots),
                text: reboots.map(shortest) ?? "never"),
            .count("rssi", rssiDBm),
            .init(
                "manufacturer", label: "manufacturer", .string(orNull: manufacturer?.text),
                text: manufacturer?.text ?? "none"),
            .init(
                "serviceData", label: "service data", .string(orNull: serviceData?.text),
                text: serviceData?.text ?? "none"),
        ]
    }
}

extension DeviceState {
    fileprivate func text(_ user: DeviceLock.User) -> String {
        switch user {
        case .process(let holder?): return "in use by process \(holder)"
        case .process(nil): return "in use"
        case .nobody: break
        }
        guard let running else { return "off, starts when it is used" }
        return "runs slot \(running), \(bootID) \(bootID == 1 ? "boot" : "boots")"
    }

    fileprivate var facts: [Fact] {
        [
            .init(
                "runningSlot", label: "running slot", .string(orNull: running.map { "\($0)" }),
                text: running.map { "\($0)" } ?? "none"),
            .count("boots", Int(bootID)), .flag("paired", centralBond != nil && deviceBond != nil),
            .init(
                "powerCutAfter", label: "power cut after", .integer(orNull: powerCutBytes),
                text: powerCutBytes.map { "\($0)" } ?? "never"),
        ]
    }
}

extension DeviceLock.User {
    fileprivate var facts: [Fact] {
        switch self {
        case .nobody: [.flag("inUse", false)]
        case .process(let holder):
            [.flag("inUse", true)] + (holder.map { [.count("holder", Int($0))] } ?? [])
        }
    }
}

extension Fact {
    /// A fact whose label is its name.
    fileprivate static func text(_ name: String, _ text: String) -> Fact {
        Fact(name, label: name, .string(text), text: text)
    }

    fileprivate static func count(_ name: String, _ count: Int) -> Fact {
        Fact(name, label: name, .integer(Int64(count)), text: String(count))
    }

    fileprivate static func number(_ name: String, _ number: Double) -> Fact {
        Fact(name, label: name, .number(number), text: shortest(number))
    }

    fileprivate static func flag(_ name: String, _ flag: Bool) -> Fact {
        Fact(name, label: name, .boolean(flag), text: KeyValueText.text(flag))
    }

    fileprivate static func condition(_ word: String) -> Fact { .text("condition", word) }
}
