/// What follows from a failure: another candidate, a pause, or the end.
extension ConnectionLifecycle {
    /// The current step's operation failed.
    mutating func stepFailed(
        _ error: BluetoothError, _ pursuit: Pursuit, _ step: Step, at now: LinkInstant
    ) {
        var pursuit = pursuit
        if let held = step.held { release(held) }
        pursuit.lastError = error
        // A link that broke while it was being made was one: somebody is there.
        if case .linkLost = error, let peer = step.peer { pursuit.saw(peer) }
        if error.isAboutPower {
            // The adapter was waited for, and did not come: to wait again would have no end.
            if case .poweredOff = step { return giveUp(error) }
            return awaitPower(pursuit, at: now)
        }
        switch error.persistence {
        case .terminal:
            guard let peer = step.peer else { return giveUp(error) }
            refused(error, by: peer, pursuit, at: now)
        case .canceled: giveUp(error)
        case .queued: queue(error, pursuit, at: now)
        case .passing: tryAgain(after: error, pursuit, step, at: now)
        }
    }

    private mutating func tryAgain(
        after error: BluetoothError, _ pursuit: Pursuit, _ step: Step, at now: LinkInstant
    ) {
        switch step {
        case .restoring: tryNext(pursuit, at: now)
        case .poweredOff, .outOfRange, .scanning: roundOver(error, pursuit, at: now)
        case .connecting, .securing, .discoveringServices, .discoveringCharacteristics, .connected:
            backOff(error, pursuit, at: now)
        }
    }

    /// A device says no for good. Where its identity was still to be checked it is a stranger.
    mutating func refused(
        _ error: BluetoothError, by peer: PeerID, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        var pursuit = pursuit
        guard pursuit.goal.checksIdentity, !pursuit.goal.peers.contains(peer) else {
            return giveUp(error)
        }
        pursuit.strangers.insert(peer)
        tryNext(pursuit, at: now)
    }

    /// The link that was handed over is gone, or of no use.
    mutating func linkFailed(
        _ error: BluetoothError, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        guard !error.isAboutPower else { return awaitPower(pursuit, at: now) }
        switch error.persistence {
        case .terminal, .canceled: giveUp(error)
        case .queued: queue(error, pursuit, at: now)
        case .passing: backOff(error, pursuit, at: now)
        }
    }

    /// No candidate is left. One that never was there is not waited for.
    mutating func roundOver(
        _ error: BluetoothError, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        guard pursuit.isKnownToExist || !error.isAboutAbsence else { return giveUp(error) }
        backOff(error, pursuit, at: now)
    }

    private mutating func backOff(
        _ error: BluetoothError, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        var pursuit = pursuit
        guard let microseconds = pursuit.backoff.nextPause(at: now) else { return giveUp(error) }
        report(.retrying(error, microseconds: microseconds))
        pause(pursuit, microseconds: microseconds, at: now)
    }

    /// Every link of the adapter is taken: others end, and then it is our turn. Patience is for
    /// the device, so that this wait does not count.
    private mutating func queue(
        _ error: BluetoothError, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        var pursuit = pursuit
        let microseconds = Backoff.firstPauseMicroseconds
        pursuit.backoff.waited(until: now.advanced(microseconds: microseconds))
        report(.retrying(error, microseconds: microseconds))
        pause(pursuit, microseconds: microseconds, at: now)
    }

    mutating func pause(
        _ pursuit: Pursuit, microseconds: UInt64, at now: LinkInstant
    ) {
        let end = now.advanced(microseconds: microseconds)
        enter(.pause, until: end, pursuit) { .outOfRange($0) }
    }
}

extension BluetoothError {
    /// The adapter is off or gone.
    fileprivate var isAboutPower: Bool { self == .poweredOff || self == .linkLost(.adapterGone) }

    /// Nothing was heard of the device.
    fileprivate var isAboutAbsence: Bool {
        if case .peerNotFound = self { true } else { false }
    }
}
