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
        if console.settings.json {
            console.json(RecordSchema.information.json(information.facts, device: device))
        } else {
            console.lines(Fact.lines(information.lines))
        }
        return .done
    }
}

extension DeviceInformation {
    /// For scripts.
    fileprivate var facts: [Fact] {
        let reason = routeReason.map { Fact("reason", label: "", .string($0), text: $0) }
        let slots = Fact("slots", label: "", .array(slots.map(\.value)), text: "")
        return identity + limits + linkFacts + (reason.map { [$0] } ?? []) + [slots]
    }

    /// For people: a line for each slot.
    fileprivate var lines: [Fact] { identity + limits + linkFacts + slots.map(\.line) }

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
                text: Quantity.exactBytes(UInt64(blockBytes))),
            Fact(
                "receiveWindowBytes", label: "receive window", .unsigned(window),
                text: Quantity.exactBytes(window)),
            Fact(
                "inflateWindowBits", label: "inflates",
                .integer(orNull: inflateWindowBits.map { Int($0) }),
                text: inflateWindowBits.map(Self.window) ?? "no"),
            Fact(
                "deflateWindowBits", label: "deflates",
                .integer(orNull: deflateWindowBits.map { Int($0) }),
                text: deflateWindowBits.map(Self.window) ?? "no"),
        ]
        if let slotBytes, let sectorBytes {
            facts += [
                Fact(
                    "slotBytes", label: "slot", .unsigned(UInt64(slotBytes)),
                    text: Quantity.exactBytes(UInt64(slotBytes))),
                Fact(
                    "sectorBytes", label: "sector", .unsigned(UInt64(sectorBytes)),
                    text: Quantity.exactBytes(UInt64(sectorBytes))),
            ]
        }
        return facts
    }

    private static func window(bits: UInt8) -> String {
        "with a window of \(Quantity.exactBytes(1 << UInt64(bits)))"
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
                text: interval.map { "\(shortest($0)) ms" } ?? unknown),
            Fact(
                "attMTU", label: "ATT MTU", .integer(orNull: link.attMTU),
                text: link.attMTU.map { "\($0) B" } ?? unknown),
            Fact(
                "encrypted", label: "encrypted", link.isEncrypted.map { .boolean($0) } ?? .null,
                text: link.isEncrypted.map { $0 ? "yes" : "no" } ?? unknown),
            Fact(
                "security", label: "security", .string(orNull: link.security?.name),
                text: link.security?.name ?? unknown),
            Fact(
                "ceilingBytesPerSecond", label: "ceiling", .number(orNull: ceilingBytesPerSecond),
                text: ceilingBytesPerSecond.map { Quantity.rate($0) + " on the air" } ?? unknown),
        ]
    }
}

extension FirmwareSlotInformation {
    fileprivate var value: JSONValue {
        .object([
            JSONMember("index", .integer(Int64(index))), JSONMember("length", .unsigned(length)),
            JSONMember("durable", .unsigned(durable)),
            JSONMember("sha256", length == 0 ? .null : .string(Hexadecimal.text(sha256))),
            JSONMember("running", .boolean(isRunning)),
            JSONMember("confirmed", .boolean(isConfirmed)),
            JSONMember("pendingTest", .boolean(isPendingTest)),
            JSONMember("verified", .boolean(isVerified)),
            JSONMember("partial", .boolean(isPartial)),
        ])
    }

    fileprivate var line: Fact {
        let state: [(Bool, String)] = [
            (isRunning, "running"), (isRunning && !isConfirmed, "on trial"),
            (isConfirmed, "confirmed"), (isPendingTest, "to be tested"),
            (isVerified, "verified"), (isPartial, "partial"),
        ]
        let words = state.filter(\.0).map(\.1)
        let progress = isPartial ? ", \(Quantity.bytes(durable)) of it there" : ""
        let text =
            length == 0
            ? "empty"
            : "\(Quantity.bytes(length))\(progress), SHA-256 "
                + "\(Hexadecimal.text(sha256).prefix(16)), " + words.joined(separator: ", ")
        return Fact("slot\(index)", label: "slot \(index)", value, text: text)
    }
}
