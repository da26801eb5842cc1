import Barge

extension ResumeCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let journal = try TransferJournal.open(arguments)
        let listing = try listing(journal)
        for warning in listing.warnings { console.errorLine(warning.sentence) }
        let wanted = listing.entries.map(\.transfer).filter { transfer in
            arguments[device].map { $0 == transfer.device } ?? true
        }
        if wanted.isEmpty { console.news("nothing is unfinished") }
        guard !arguments[list] else {
            show(wanted, console)
            return .done
        }
        guard !arguments[drop] else { return drop(wanted, from: journal, console) }
        var worst = ExitCode.done
        for transfer in wanted {
            guard !Task.isCancelled else { return .interrupted }
            let code = await resume(transfer, in: journal, arguments, console)
            if worst == .done { worst = code }
        }
        return worst
    }

    private static func listing(
        _ journal: TransferJournal
    ) throws(Failure) -> TransferJournal.Listing {
        do throws(LocalFileError) {
            return try journal.list()
        } catch {
            throw Failure(state: error)
        }
    }

    /// Forgets them, as somebody wants it who knows that they will never be finished.
    private static func drop(
        _ transfers: [UnfinishedTransfer], from journal: TransferJournal, _ console: Console
    ) -> ExitCode {
        var code = ExitCode.done
        for transfer in transfers {
            do throws(LocalFileError) {
                try journal.remove(transfer)
                if console.settings.json {
                    console.json(
                        RecordSchema.removed.json(transfer.localPath, device: transfer.device))
                } else {
                    console.news("forgotten: \(transfer.way.printable)")
                }
            } catch {
                let failure = Failure(state: error)
                console.report(failure, device: transfer.device)
                code = failure.exitCode
            }
        }
        return code
    }

    /// Runs the remembered command; its failure is told here, so that the next one gets its turn.
    private static func resume(
        _ transfer: UnfinishedTransfer, in journal: TransferJournal, _ arguments: ParsedArguments,
        _ console: Console
    ) async -> ExitCode {
        console.news("resuming: \(transfer.way.printable)")
        do throws(Failure) {
            let request = try ArgumentParser(root: BargeCommand.declaration)
                .parse(TransferMemory.words(of: transfer))
            guard case .run(let remembered) = request,
                let body = CommandTable.standard.body(for: remembered.path)
            else { throw unusable(transfer) }
            try refuseAnother(transfer, arguments, console)
            return try await body(remembered.taking(linkOf: arguments), console)
        } catch {
            console.report(error, device: transfer.device)
            if error.endsTransfer { forget(transfer, in: journal, console) }
            return error.exitCode
        }
    }

    /// An alias may have gone from one device to another meanwhile. What was meant for the first
    /// one is not for the second.
    private static func refuseAnother(
        _ transfer: UnfinishedTransfer, _ arguments: ParsedArguments, _ console: Console
    ) throws(Failure) {
        guard let serial = transfer.deviceSerial, transfer.device.simulatedName == nil,
            case .device(let known) = try KnownDevices.open(arguments).listing(console)
                .device(named: transfer.device),
            known.serial != serial
        else { return }
        // Not hopeless: the name may come back to its device.
        throw Failure(
            .notFound, "device-not-found",
            what: "cannot resume the \(transfer.verb.rawValue) of '\(transfer.localPath)'",
            why: "it was begun with the device of serial \(serial), and that name stands for the "
                + "one of serial \(known.serial) now",
            advice: "run the command again by hand, with the name that the device has now")
    }

    /// What cannot be finished is told once, not at every `barge resume` from now on.
    private static func forget(
        _ transfer: UnfinishedTransfer, in journal: TransferJournal, _ console: Console
    ) {
        do throws(LocalFileError) {
            try journal.remove(transfer)
            console.news("'barge resume' will not try this again")
        } catch {
            console.errorLine("'barge resume' will try this again: \(error.why)")
        }
    }

    private static func unusable(_ transfer: UnfinishedTransfer) -> Failure {
        Failure(
            .localInputOutput, "unusable-entry",
            what: "cannot resume the \(transfer.verb.rawValue) of '\(transfer.localPath)'",
            why: "what was remembered of it is not a command of this version",
            advice: "run the command again by hand")
    }

    private static func show(_ transfers: [UnfinishedTransfer], _ console: Console) {
        guard !console.settings.json else {
            for transfer in transfers {
                console.json(
                    RecordSchema.unfinished.json(transfer.record, device: transfer.device))
            }
            return
        }
        console.lines(
            TextLayout.table(
                transfers.map { transfer in
                    [
                        transfer.verb.rawValue, transfer.device.printable,
                        transfer.extent, transfer.localPath.printable, transfer.alias.printable,
                    ]
                }))
    }
}

extension UnfinishedTransfer {
    /// `push settings.json to sim:demo`.
    fileprivate var way: String {
        let direction =
            switch verb {
            case .flash, .push: "to"
            case .pull: "from"
            }
        let words = [verb.rawValue, localPath, direction, device, alias]
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// `98.3 kB of 790 kB`; without the first part where it is not known.
    fileprivate var extent: String {
        guard let length else { return "-" }
        let whole = Quantity.bytes(length)
        return durableBytes == 0 ? whole : "\(Quantity.bytes(durableBytes)) of \(whole)"
    }

    /// What the file is called on the device, where that is another name than here.
    fileprivate var alias: String {
        guard case .file(let name) = remote, localPath.split(separator: "/").last != name[...]
        else { return "" }
        return "(there: \(name))"
    }

    fileprivate var record: UnfinishedRecord {
        let name: String
        switch remote {
        case .file(let file): name = file
        case .image(let number): name = "image \(number)"
        }
        return UnfinishedRecord(
            operation: verb, name: name, path: localPath, bytes: length,
            offset: durableBytes == 0 ? nil : durableBytes)
    }
}

extension ParsedArguments {
    /// The remembered command with this run's way of showing things, its state directory, and
    /// what it says of the link.
    fileprivate func taking(linkOf other: ParsedArguments) -> ParsedArguments {
        let names = Set((globalOptions + LinkOptions.group.options).map(\.name))
        let given = other.optionTexts.filter { names.contains($0.key) }
        return ParsedArguments(
            path: path, command: command, globalOptions: globalOptions,
            optionTexts: optionTexts.merging(given) { _, new in new },
            argumentTexts: argumentTexts)
    }
}
