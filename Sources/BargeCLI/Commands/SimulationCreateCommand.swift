/// `barge sim create`.
enum SimulationCreateCommand {
    static let name = Argument(
        "NAME", ValueKind.simulatedDevice(completion: .nothing), "What to call it: sim:NAME")

    static let noCoC = Option(
        flag: "no-coc", "Publish no L2CAP channel, so that transfers fall back to GATT")
    static let attMTU = Option(
        "att-mtu", ValueKind.integer(SimulatedDeviceSettings.attMTUs), default: "247",
        "The largest ATT MTU that it agrees to (bytes, \(SimulatedDeviceSettings.attMTUs.words))")
    static let phy = Option(
        "phy", ValueKind.choice(PHYChoice.self), default: "2m", "The physical layer")
    static let dataLength = Option(
        "data-length", ValueKind.integer(SimulatedDeviceSettings.dataLengths), default: "251",
        "The largest payload of a link layer packet"
            + " (bytes, \(SimulatedDeviceSettings.dataLengths.words))"
    )
    /// Core 6.0, Vol 6, Part B, 4.5.1.
    static let interval = Option(
        "interval", ValueKind.decimal(7.5...4_000, placeholder: "MS"), default: "30",
        "The connection interval in milliseconds, 7.5 to 4000 in steps of 1.25")
    static let loss = Option(
        "loss", ValueKind.decimal(0...1, placeholder: "P"), default: "0",
        "The probability that a packet is lost on the air and sent again, below 1")
    static let unlimited = Option(
        flag: "unlimited", "A link without any limit, to measure everything else")
    static let pace = Option(
        "pace", ValueKind.choice(PaceChoice.self), default: "max",
        "realtime: as slow as the radio; max: as fast as this computer")
    static let seed = Option(
        "seed", ValueKind.integer(0...Int.max), default: "1",
        "The seed of every random choice: equal seeds give equal runs")

    static let slotSize = Option(
        "slot-size", ValueKind.byteCount(SimulatedDeviceSettings.slotSizes), default: "1MiB",
        "The size of each of its two firmware slots, rounded up to sectors of 4 KiB")
    static let windowBits = Option(
        "window-bits", ValueKind.integer(SimulatedDeviceSettings.windowSizes), default: "12",
        "The deflate window that it announces: 2 to the power N bytes"
            + " (\(SimulatedDeviceSettings.windowSizes.words))"
    )
    static let blockSize = Option(
        "block-size", ValueKind.byteCount(SimulatedDeviceSettings.blockSizes), default: "4KiB",
        "The largest block that it accepts, a power of two from 256 to 32KiB")
    static let powerCutAfter = Option(
        "power-cut-after", ValueKind.byteCount(0...(1 << 40)),
        "Lose power once, after so many bytes of its flash were erased or programmed")

    static let count = Option(
        "count", ValueKind.integer(1...mostAtOnce),
        "Make N devices, NAME-1 to NAME-N, each with the seed behind that of the one before")

    /// The most devices that one command makes.
    static let mostAtOnce = 10_000

    static let declaration = CommandDeclaration(
        name: "create",
        abstract: "Make a simulated device, or many",
        arguments: [name.declaration],
        optionGroups: [
            OptionGroup(
                title: "Radio",
                options: [
                    phy.declaration, dataLength.declaration, interval.declaration,
                    attMTU.declaration, loss.declaration, noCoC.declaration,
                    unlimited.declaration, pace.declaration, seed.declaration,
                ]),
            OptionGroup(
                title: "Device",
                options: [
                    slotSize.declaration, windowBits.declaration, blockSize.declaration,
                    powerCutAfter.declaration, count.declaration,
                ]),
            SimulatedPairingOptions.group, SimulatedOddityOptions.group,
        ],
        examples: [
            CommandExample(
                purpose: "A device that an old phone would talk to",
                line: "barge sim create old --no-coc --att-mtu 23 --phy 1m --data-length 27"),
            CommandExample(
                purpose: "A device in a bad place, watched in real time",
                line: "barge sim create cellar --phy coded-s8 --loss 0.2 --pace realtime"),
            CommandExample(
                purpose: "A device whose plug is pulled in the middle of an update",
                line: "barge sim create unlucky --power-cut-after 100KiB"),
            CommandExample(
                purpose: "A device that shows six digits when it is paired with, and insists on it",
                line: "barge sim create safe --pairing display --security authenticated"),
            CommandExample(
                purpose: "A bench of a thousand: sim:pump-0001 to sim:pump-1000",
                line: "barge sim create pump --count 1000"),
        ],
        rule: { rule($0) ?? SimulatedPairingOptions.rule($0) })
}

extension ClosedRange<Int> {
    /// `23 to 517`.
    fileprivate var words: String { "\(lowerBound) to \(upperBound)" }
}
