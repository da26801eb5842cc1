import Barge

extension FlashCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let file: FirmwareFile
        do throws(BargeError) {
            file = try FirmwareFile.load(
                path: arguments[image], keyPath: arguments[key],
                erasedValue: UInt8(clamping: arguments[erasedValue]))
        } catch {
            throw Failure(error)
        }
        console.detail(file.summary)
        for note in file.image.notes { console.tell(note) }
        var flashing = FlashOptions()
        flashing.imageNumber = UInt8(clamping: arguments[slotImage] ?? 0)
        flashing.confirms = !arguments[noConfirm]
        flashing.resets = !arguments[noReboot]
        flashing.force = arguments[force]
        let code = try await send(file, flashing, arguments, console)
        if code == .done, let note = whatIsLeft(arguments) { console.news("note: \(note)") }
        return code
    }

    /// To one device that is named, or to many.
    private static func send(
        _ file: FirmwareFile, _ flashing: FlashOptions, _ arguments: ParsedArguments,
        _ console: Console
    ) async throws(Failure) -> ExitCode {
        let (payload, name) = (file.payload, file.name)
        let level = CompressionOptions.zlibLevel(arguments)
        let path = arguments[image]
        let devices = arguments[FlashCommand.devices]
        let job: FleetTransfer.Job = { (host, reference, _, events) throws(BargeError) in
            var host = host
            host.options.compressionLevel = level
            return try await host.flash(
                UploadSource(bytes: payload, name: name), to: reference, flashing: flashing,
                events: events)
        }
        if devices.count == 1, let device = devices.first, !FleetOptions.areGiven(arguments) {
            let run = try TransferRun(
                .flash, arguments, console, device: device, localPath: path,
                remote: .image(flashing.imageNumber), name: name)
            try await run { (host, reference, events) throws(BargeError) in
                try await job(host, reference, device, events)
            }
            return .done
        }
        let fleet = FleetTransfer(
            verb: .flash, name: name, sha256: try digest(of: file),
            remote: .image(flashing.imageNumber), arguments: arguments, console: console)
        return try await fleet.run(devices, localPath: { _ in path }, job: job)
    }

    private static func digest(of file: FirmwareFile) throws(Failure) -> String {
        do throws(BargeError) {
            return Hexadecimal.text(try file.sha256())
        } catch {
            throw Failure(error)
        }
    }

    /// What the user asked to be left out, and how to make up for it.
    private static func whatIsLeft(_ arguments: ParsedArguments) -> String? {
        if arguments[noReboot] {
            return "it starts at the device's next reset; to keep it then, run this again "
                + "without --no-reboot"
        }
        if arguments[noConfirm] {
            return "unless it was confirmed before, it is on trial and goes at the next reset; to "
                + "keep it, run this again without --no-confirm"
        }
        return nil
    }
}

extension Console {
    /// What there is to know of a file: a warning is an error's small sister, and goes where errors
    /// go, past `--quiet` as well.
    fileprivate func tell(_ note: ImageNote) {
        if note.isWarning {
            errorLine("warning: \(note.sentence.printable)")
        } else {
            news("note: \(note.sentence.printable)")
        }
    }
}

extension CompressionOptions {
    /// zlib's level; nil where everything is to travel stored.
    static func zlibLevel(_ arguments: ParsedArguments) -> Int32? {
        switch arguments[compression] {
        case .none: nil
        case .auto: Int32(arguments[level])
        }
    }
}
