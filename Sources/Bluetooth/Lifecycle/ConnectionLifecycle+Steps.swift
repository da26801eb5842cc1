/// The steps on the way to a device, and what each of them begins.
extension ConnectionLifecycle {
    mutating func awaitPower(_ pursuit: Pursuit, at now: LinkInstant) {
        let patience =
            pursuit.isKnownToExist
            ? pursuit.backoff.deadline
            : now.advanced(microseconds: pursuit.goal.stepMicroseconds)
        enter(.awaitPower, until: max(patience, now), pursuit) { .poweredOff($0) }
    }

    /// The next candidate of this round: the known addresses, the system's links, a scan.
    mutating func tryNext(_ pursuit: Pursuit, at now: LinkInstant) {
        var pursuit = pursuit
        let goal = pursuit.goal
        let step = now.advanced(microseconds: goal.stepMicroseconds)
        if let peer = pursuit.nextDirectPeer() {
            let direct = now.advanced(microseconds: goal.directMicroseconds)
            let deadline = goal.filter == nil ? step : min(step, direct)
            enter(.connect(peer), until: deadline, pursuit) { .restoring($0, .direct(peer)) }
        } else if let service = pursuit.nextLinkQuestion() {
            enter(.findLinkedPeers(service), until: step, pursuit) {
                .restoring($0, .findingLinks)
            }
        } else if let peer = pursuit.nextLinkedPeer() {
            enter(.connect(peer), until: step, pursuit) { .restoring($0, .linked(peer)) }
        } else if let filter = goal.filter {
            let scan = LifecycleOperation.scan(filter, excluding: pursuit.strangers)
            enter(scan, until: step, pursuit) { .scanning($0) }
        } else {
            roundOver(pursuit.lastError ?? .peerNotFound(goal.wantedPeer), pursuit, at: now)
        }
    }

    mutating func connect(to peer: PeerID, _ pursuit: Pursuit, at now: LinkInstant) {
        let deadline = now.advanced(microseconds: pursuit.goal.stepMicroseconds)
        enter(.connect(peer), until: deadline, pursuit) { .connecting($0, peer) }
    }

    mutating func secure(_ held: Held, _ pursuit: Pursuit, at now: LinkInstant) {
        let goal = pursuit.goal
        guard goal.security > .none else { return discoverServices(held, pursuit, at: now) }
        let pairing = now.advanced(microseconds: goal.pairingMicroseconds)
        let deadline = max(stepDeadline(goal, held, now), pairing)
        enter(.secure(held.link, goal.security), until: deadline, pursuit) {
            .securing($0, held)
        }
    }

    mutating func discoverServices(_ held: Held, _ pursuit: Pursuit, at now: LinkInstant) {
        guard let service = pursuit.goal.service else {
            return hand(over: held, [], pursuit, at: now)
        }
        let deadline = stepDeadline(pursuit.goal, held, now)
        enter(.discoverServices(held.link, service), until: deadline, pursuit) {
            .discoveringServices($0, held)
        }
    }

    mutating func discoverCharacteristics(
        _ services: [GATTService], _ held: Held, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        // The wish may have changed meanwhile.
        guard let wanted = pursuit.goal.service else {
            return hand(over: held, [], pursuit, at: now)
        }
        guard let service = services.first(where: { $0.uuid == wanted }) else {
            release(held)
            return refused(.noSuchService(wanted), by: held.peer, pursuit, at: now)
        }
        let deadline = stepDeadline(pursuit.goal, held, now)
        enter(.discoverCharacteristics(held.link, service), until: deadline, pursuit) {
            .discoveringCharacteristics($0, held)
        }
    }

    mutating func hand(
        over held: Held, _ found: [GATTCharacteristic], _ pursuit: Pursuit, at now: LinkInstant
    ) {
        enter(.watch(held.link), until: .distantFuture, pursuit) { .connected($0, held) }
        report(.connected(held.peer, held.link, found))
    }

    private func stepDeadline(
        _ goal: LinkGoal, _ held: Held, _ now: LinkInstant
    ) -> LinkInstant {
        now.advanced(
            microseconds: LinkParameters.stepMicroseconds(
                usually: goal.stepMicroseconds,
                connectionIntervalMicroseconds: held.intervalMicroseconds))
    }
}
