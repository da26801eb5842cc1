import Barge

/// `barge scan --remember`: one device gets a name of its user's own.
extension ScanCommand {
    static func rememberOne(
        as alias: DeviceAlias, _ listing: KnownDevices.Listing, _ arguments: ParsedArguments,
        _ console: Console
    ) async throws(Failure) {
        // All are heard, so that the names that come near can be told.
        let board = try await listen(
            ScanFilter(), ScanBoard(listing.devices), arguments, console, isShown: false)
        let heard = try theOnlyOne(of: board, arguments)
        // Of a device that is not known only the device itself can tell whether it is the owner.
        if let known = board.known(at: heard.peer),
            let owner = listing.owner(of: alias, besides: known.serial)
        {
            throw Failure(BargeError(.taken(alias, by: owner)))
        }
        // It would go before the name, and the wrong device would be flashed.
        if let other = board.devices.first(where: {
            $0.peer != heard.peer && $0.localName.map(alias.matches) == true
        }) {
            throw Failure(
                .usage, "alias-is-a-name", what: "'\(alias.text)' is a name that is advertised",
                why: "\(other.peer.deviceText) calls itself so, and an alias would hide it",
                advice: "choose another alias")
        }
        let device = heard.peer.deviceText
        let access = DeviceAccess(arguments: arguments, console: console, device: device)
        let information = try await access.run { (host, reference) throws(BargeError) in
            try await host.information(of: reference)
        }
        let known = try name(heard, information, alias, arguments, console)
        if console.settings.json {
            console.json(RecordSchema.remembered.json(known, device: device))
        } else {
            console.news(
                "remembered \(device) as '\(alias.text)', serial \(known.serial.printable)")
        }
    }

    private static func theOnlyOne(
        of board: ScanBoard, _ arguments: ParsedArguments
    ) throws(Failure) -> Advertisement {
        let matching = board.devices.filter { isWanted($0, arguments) }
        guard let first = matching.first else { throw nothingMatches(board, arguments) }
        guard matching.count == 1 else {
            let names = matching.map(\.peer.deviceText).joined(separator: ", ")
            throw Failure(
                .usage, "ambiguous-device", what: "more than one device matches",
                why: "one alias stands for one device, and these match: \(names)",
                advice: "name one of them with --address")
        }
        return first
    }

    private static func nothingMatches(
        _ board: ScanBoard, _ arguments: ParsedArguments
    ) -> Failure {
        var why = "nothing that was heard matches all that is asked for"
        let heard = board.devices
        if let wanted = arguments[name] {
            why = NearMisses(of: wanted, among: heard.compactMap(\.localName)).sentence
        } else if let wanted = arguments[address] {
            why = NearMisses(of: wanted, among: heard.map(\.peer.rawValue)).sentence
        }
        return Failure(
            .notFound, "device-not-found", what: "no device to remember", why: why,
            advice: "see what is there: barge scan")
    }

    /// Notes what the device says of itself, and what it is called from now on.
    private static func name(
        _ heard: Advertisement, _ information: DeviceInformation, _ alias: DeviceAlias,
        _ arguments: ParsedArguments, _ console: Console
    ) throws(Failure) -> KnownDevice {
        let devices = try KnownDevices.open(arguments)
        guard !information.serial.isEmpty else {
            throw Failure(
                .refusedByDevice, "no-serial", what: "the device cannot be remembered",
                why: "it says no serial by which it would be known again",
                advice: "name it by its address or its name")
        }
        do throws(LocalFileError) {
            _ = try devices.remember(
                serial: information.serial, model: information.model, name: heard.localName,
                peer: heard.peer, now: System.secondsSince1970())
        } catch {
            throw Failure(state: error)
        }
        do throws(DeviceAliasError) {
            return try devices.setAlias(alias.text, for: information.serial).device
        } catch {
            throw Failure(BargeError(error))
        }
    }
}
