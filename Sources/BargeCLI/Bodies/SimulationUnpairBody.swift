import BluetoothSimulation

extension SimulationUnpairCommand {
    /// The device is not switched on for it: only its state changes.
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let name = arguments[name]
        let state = try StateLocation.path(arguments)
        try SimulatedDevice.makeDemonstration(name, state)
        let files = SimulationDirectory(stateDirectory: state).files(of: name)
        let lock = try await DeviceLock.wait(
            for: files, patience: SimulatedDevice.patience, console: console)
        defer { withExtendedLifetime(lock) {} }
        var kept = try files.state()
        let hadKeys = kept.deviceBond != nil
        kept.deviceBond = nil
        let keeper = StateKeeper(path: files.statePath, state: try files.state())
        keeper.keep(kept)
        try keeper.check()
        if console.settings.json {
            let overview = SimulationDirectory(stateDirectory: state).overview(of: name)
            console.json(RecordSchema.simulated.json(overview.facts, device: overview.peer))
        } else {
            console.news(
                hadKeys ? "sim:\(name) has lost its keys" : "sim:\(name) had no keys to lose")
        }
        return .done
    }
}
