import Barge
import BluetoothSimulation

extension SimulationCreateCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let state = try StateLocation.path(arguments)
        let devices = try devices(arguments)
        try SimulatedDevice.create(
            devices, powerCutBytes: arguments[powerCutAfter], stateDirectory: state)
        guard console.settings.json else {
            console.news("created " + text(devices, arguments))
            return .done
        }
        let directory = SimulationDirectory(stateDirectory: state)
        for device in devices {
            let overview = directory.overview(of: device.name)
            console.json(RecordSchema.simulated.json(overview.facts, device: overview.peer))
        }
        return .done
    }

    /// `sim:pump: 2m, 251 B, …`, or of many the first and the last.
    private static func text(
        _ devices: [(name: String, settings: SimulatedDeviceSettings)], _ arguments: ParsedArguments
    ) -> String {
        guard let first = devices.first, let last = devices.last else { return "nothing" }
        let names =
            devices.count == 1
            ? "sim:\(first.name)" : "sim:\(first.name) to sim:\(last.name) (\(devices.count))"
        let powerCut = arguments[powerCutAfter].map { "power cut after \($0) B" }
        let odd = first.settings.oddText
        let rest = [powerCut, odd.isEmpty ? nil : odd].compactMap { $0 }.map { ", " + $0 }
        return "\(names): \(first.settings.radioText), \(first.settings.slotText)" + rest.joined()
    }

    /// What is to be made: one device of that name, or several with numbers behind it.
    private static func devices(
        _ arguments: ParsedArguments
    ) throws(Failure) -> [(name: String, settings: SimulatedDeviceSettings)] {
        let (base, settings) = (arguments[name], settings(arguments))
        guard let count = arguments[count] else { return [(base, settings)] }
        let digits = String(count).count
        guard base.count + 1 + digits <= ValueKind<String>.longestSimulatedName else {
            throw UsageFailure.usage(
                "bad-value", what: "'\(base)' is too long for --count",
                why: "a number stands behind it, and a name has "
                    + "\(ValueKind<String>.longestSimulatedName) characters at most",
                advice: "choose a shorter one")
        }
        return (1...count).map { number in
            let text = String(number)
            var settings = settings
            settings.seed &+= UInt64(number - 1)
            let zeros = String(repeating: "0", count: digits - text.count)
            return ("\(base)-\(zeros)\(text)", settings)
        }
    }

    private static func settings(_ arguments: ParsedArguments) -> SimulatedDeviceSettings {
        var settings = SimulatedDeviceSettings()
        switch arguments[phy] {
        case .oneM: settings.phy = .le1M
        case .twoM: settings.phy = .le2M
        case .codedS2: settings.phy = .codedS2
        case .codedS8: settings.phy = .codedS8
        }
        switch arguments[pace] {
        case .realtime: settings.pace = .realtime
        case .max: settings.pace = .max
        }
        settings.dataLengthBytes = arguments[dataLength]
        settings.intervalMicroseconds = Int((arguments[interval] * 1_000).rounded())
        settings.attMTU = arguments[attMTU]
        settings.hasChannels = !arguments[noCoC]
        settings.loss = arguments[loss]
        settings.isUnlimited = arguments[unlimited]
        settings.seed = UInt64(arguments[seed])
        let sector = SimulatedDeviceSettings.sectorBytes
        settings.slotBytes = (arguments[slotSize] + sector - 1) / sector * sector
        settings.windowBits = arguments[windowBits]
        settings.blockBytes = arguments[blockSize]
        settings.pairing = SimulatedPairingOptions.settings(arguments)
        settings.oddities = SimulatedOddityOptions.settings(arguments)
        return settings
    }

    // MARK: Rules

    @Sendable static func rule(_ arguments: ParsedArguments) -> Failure? {
        intervalRule(arguments[interval]) ?? lossRule(arguments[loss])
            ?? blockRule(arguments[blockSize]) ?? unlimitedRule(arguments)
    }

    /// Core 6.0, Vol 6, Part B, 4.5.1: a multiple of 1.25 ms.
    private static func intervalRule(_ milliseconds: Double) -> Failure? {
        let steps = milliseconds / 1.25
        guard steps != steps.rounded() else { return nil }
        let near = [steps.rounded(.down), steps.rounded(.up)].map { shortest($0 * 1.25) }
        return UsageFailure.usage(
            "bad-value", what: "'\(shortest(milliseconds))' does not fit --interval",
            why: "connection intervals come in steps of 1.25 ms",
            advice: "write '--interval \(near[0])' or '--interval \(near[1])'")
    }

    private static func lossRule(_ loss: Double) -> Failure? {
        guard loss >= 1 else { return nil }
        return UsageFailure.usage(
            "bad-value", what: "'1' does not fit --loss",
            why: "where every packet is lost nothing ever arrives",
            advice: "choose less than 1, such as '--loss 0.2'")
    }

    private static func blockRule(_ size: Int) -> Failure? {
        guard size.nonzeroBitCount != 1 else { return nil }
        let below = 1 << (Int.bitWidth - 1 - size.leadingZeroBitCount)
        return UsageFailure.usage(
            "bad-value", what: "'\(size)' does not fit --block-size",
            why: "a block's size is a power of two",
            advice: "write '--block-size \(below)' or '--block-size \(below * 2)'")
    }

    private static func unlimitedRule(_ arguments: ParsedArguments) -> Failure? {
        guard arguments[unlimited] else { return nil }
        let given = [
            arguments.isGiven(phy) ? "--phy" : nil,
            arguments.isGiven(dataLength) ? "--data-length" : nil,
            arguments.isGiven(interval) ? "--interval" : nil,
            arguments.isGiven(loss) ? "--loss" : nil,
        ]
        guard let first = given.compactMap({ $0 }).first else { return nil }
        return UsageFailure.contradiction(
            "--unlimited", first, why: "a link without limits takes no time on the air")
    }
}
