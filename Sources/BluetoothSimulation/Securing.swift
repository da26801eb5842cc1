import Bluetooth

/// How a link is encrypted. With keys on both sides that takes four connection intervals; without
/// any, pairing comes first (Just Works, or what the device can do beyond it) and takes another
/// twelve. The packets of both procedures are not modelled, only their time.
extension SimulatedWorld {
    func beginSecuring(_ link: Link, at level: SecurityLevel) -> UInt64 {
        let operation = makeOperation(on: link)
        guard link.ending.central == nil else { return operation }
        if link.security >= level {
            finish(operation, .success(.nothing))
        } else if let obstacle = obstacle(to: level, on: link) {
            finish(operation, .failure(obstacle))
        } else if link.securing != nil {
            finish(
                operation,
                .failure(
                    .securityNotReached(
                        wanted: level, reason: "another pairing is under way on this link")))
        } else {
            let isBonded = centralBonds.contains(link.device.peer)
            link.securing = (operation, level)
            plan(
                .secured(link.index),
                after: link.intervals(isBonded ? Self.startIntervals : Self.pairingIntervals))
        }
        return operation
    }

    /// Why the level cannot be reached: never a reason to do with less.
    private func obstacle(to level: SecurityLevel, on link: Link) -> BluetoothError? {
        let device = link.device
        if level > device.configuration.maximumSecurity {
            let best = device.configuration.maximumSecurity.name
            return .securityNotReached(
                wanted: level, reason: "the device pairs at \(best) at best")
        }
        switch (centralBonds.contains(device.peer), device.isBonded) {
        case (true, false):
            return .pairingRemoved(by: .peer)
        case (false, true) where !device.configuration.acceptsNewBond:
            return .pairingRemoved(by: .local)
        case (true, true), (false, false), (false, true):
            return nil
        }
    }

    func secured(_ link: Link) {
        guard let securing = link.securing else { return }
        link.securing = nil
        guard link.ending.central == nil, isReachable(link) else { return }
        centralBonds.insert(link.device.peer)
        link.device.isBonded = true
        link.security = securing.level
        link.encrypt()
        finish(securing.operation, .success(.nothing))
    }

    private static let startIntervals: UInt64 = 4
    private static let pairingIntervals: UInt64 = 16
}
