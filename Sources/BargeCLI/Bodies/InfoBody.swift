import Barge

extension InfoCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let device = arguments[InfoCommand.device]
        let access = DeviceAccess(arguments: arguments, console: console, device: device)
        let information = try await access.run { (host, reference) throws(BargeError) in
            try await host.information(of: reference)
        }
        let facts = information.facts
        if console.settings.json {
            console.json(RecordSchema.information.json(facts, device: device))
        } else {
            console.lines(Fact.lines(facts))
        }
        return .done
    }
}

extension DeviceInformation {
    fileprivate var facts: [Fact] { identity + limits + linkFacts + slots.flatMap(\.facts) }

    private var identity: [Fact] {
        [
            Fact("serial", label: "serial", .string(serial), text: serial),
            Fact("model", label: "model", .string(model), text: model),
            Fact("software", label: "software", .string(software), text: software),
            Fact("bootID", label: "boot id", .unsigned(UInt64(bootID)), text: "\(bootID)"),
            Fact(
                "takesFirmware", label: "takes firmware", .boolean(takesFirmware),
                text: takesFirmware ? "yes" : "no"),
            Fact(
                "holdsFiles", label: "holds files", .boolean(holdsFiles),
                text: holdsFiles ? "yes" : "no"),
        ]
    }

    private var limits: [Fact] {
        let window = UInt64(receiveWindowBytes)
        var facts = [
            Fact(
                "blockBytes", label: "block", .integer(Int64(blockBytes)),
                text: Quantity.bytes(UInt64(blockBytes))),
            Fact(
                "receiveWindowBytes", label: "receive window", .unsigned(window),
                text: Quantity.bytes(window)),
            Fact(
                "inflateWindowBits", label: "inflates",
                .integer(orNull: inflateWindowBits.map { Int($0) }),
                text: inflateWindowBits.map { "with a window of 2^\($0) bytes" } ?? "no"),
            Fact(
                "deflateWindowBits", label: "deflates",
                .integer(orNull: deflateWindowBits.map { Int($0) }),
                text: deflateWindowBits.map { "with a window of 2^\($0) bytes" } ?? "no"),
        ]
        if let slotBytes, let sectorBytes {
            facts += [
                Fact(
                    "slotBytes", label: "slot", .unsigned(UInt64(slotBytes)),
                    text: Quantity.bytes(UInt64(slotBytes))),
                Fact(
                    "sectorBytes", label: "sector", .unsigned(UInt64(sectorBytes)),
                    text: Quantity.bytes(UInt64(sectorBytes))),
            ]
        }
        return facts
    }

    private var linkFacts: [Fact] {
        let unknown = "unknown"
        let interval = link.connectionIntervalMicroseconds.map { Double($0) / 1000 }
        return [
            Fact(
                "route", label: "route", .string(route.rawValue),
                text: route.rawValue + (routeReason.map { ", since " + $0 } ?? "")),
            Fact(
                "phy", label: "PHY", .string(orNull: link.phy?.rawValue),
                text: link.phy?.rawValue ?? unknown),
            Fact(
                "dataLengthBytes", label: "data length", .integer(orNull: link.dataLengthBytes),
                text: link.dataLengthBytes.map { "\($0) B" } ?? unknown),
            Fact(
                "intervalMilliseconds", label: "interval", .number(orNull: interval),
                text: interval.map { "\($0) ms" } ?? unknown),
            Fact(
                "attMTU", label: "ATT MTU", .integer(orNull: link.attMTU),
                text: link.attMTU.map { "\($0) B" } ?? unknown),
            Fact(
                "encrypted", label: "encrypted", link.isEncrypted.map { .boolean($0) } ?? .null,
                text: link.isEncrypted.map { $0 ? "yes" : "no" } ?? unknown),
            Fact(
                "ceilingBytesPerSecond", label: "ceiling", .number(orNull: ceilingBytesPerSecond),
                text: ceilingBytesPerSecond.map(Quantity.rate) ?? unknown),
        ]
    }
}

extension FirmwareSlotInformation {
    fileprivate var facts: [Fact] {
        let digest = Hexadecimal.text(sha256)
        let state: [(Bool, String)] = [
            (isRunning, "running"), (isConfirmed, "confirmed"), (isPendingTest, "to be tested"),
            (isVerified, "verified"), (isPartial, "partial"),
        ]
        let words = state.filter(\.0).map(\.1)
        let value = JSONValue.object([
            JSONMember("length", .unsigned(length)), JSONMember("durable", .unsigned(durable)),
            JSONMember("sha256", length == 0 ? .null : .string(digest)),
            JSONMember("running", .boolean(isRunning)),
            JSONMember("confirmed", .boolean(isConfirmed)),
            JSONMember("pendingTest", .boolean(isPendingTest)),
            JSONMember("verified", .boolean(isVerified)),
            JSONMember("partial", .boolean(isPartial)),
        ])
        let progress = isPartial ? ", \(Quantity.bytes(durable)) of it there" : ""
        let text =
            length == 0
            ? "empty"
            : "\(Quantity.bytes(length))\(progress), SHA-256 \(digest.prefix(16)), "
                + words.joined(separator: ", ")
        return [Fact("slot\(index)", label: "slot \(index)", value, text: text)]
    }
}
