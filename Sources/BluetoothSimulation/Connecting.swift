import Bluetooth

/// A scan that is running: what it heard, and not yet handed out.
struct Scan {
    let filter: ScanFilter
    var heard = FIFO<Advertisement>()
    var last: [PeerID: Advertisement] = [:]
}

/// A device that the central wants, and has not yet a link to.
struct ConnectionAttempt {
    let peer: PeerID
    let operation: UInt64
}

/// How devices are found and links begun. A device that has no link advertises once in each
/// interval; a central that wants it answers the next advertisement that it hears, and the first
/// connection event follows one connection interval later. Then the MTU is exchanged. So a
/// connection takes up to an advertising interval and 10 ms, and three connection intervals.
/// PHY and data length are in force from the first packet on.
extension SimulatedWorld {
    func planAdvertising(_ device: Device) {
        guard device.isPowered, device.advertisement != nil, device.links.isEmpty,
            !device.isAdvertisingPlanned
        else { return }
        device.isAdvertisingPlanned = true
        let delay = device.advertisingDelay.next(below: 10_001)
        plan(
            .advertisement(device: device.index, generation: device.advertisingGeneration),
            after: UInt64(device.configuration.advertisingIntervalMicroseconds) + delay)
    }

    func advertise(_ device: Device, _ generation: Int) {
        guard generation == device.advertisingGeneration else { return }
        device.isAdvertisingPlanned = false
        guard device.isPowered, device.links.isEmpty,
            let advertisement = device.advertisement(at: now)
        else { return }
        if isAdapterPowered, device.unreachableUntilMicroseconds <= now.microseconds,
            noiseUntilMicroseconds <= now.microseconds
        {
            trace.mix(now.microseconds, 0x4144_5600 | UInt64(device.index) << 32)
            hear(advertisement, of: device)
        }
        planAdvertising(device)
    }

    private func hear(_ advertisement: Advertisement, of device: Device) {
        for (number, scan) in scans where scan.filter.matches(advertisement) {
            // Another strength alone is no news.
            var said = advertisement
            said.rssiDBm = nil
            guard scan.last[device.peer] != said else { continue }
            scans[number]?.last[device.peer] = said
            scans[number]?.heard.append(advertisement)
            changes.noteAnything()
        }
        guard let place = connecting.firstIndex(where: { $0.peer == device.peer }) else { return }
        let attempt = connecting.remove(at: place)
        let link = makeLink(to: device)
        operations[attempt.operation]?.link = link.index
        link.client.procedures.append(.init(operation: attempt.operation, step: .exchangeMTU))
        startProcedures(on: link)
    }

    func beginConnecting(to peer: PeerID) -> UInt64 {
        let operation = makeOperation(on: nil, for: .connecting)
        if !isAdapterPowered {
            finish(operation, .failure(.poweredOff))
        } else if let link = freeLink(to: peer) {
            takeOver(link, operation)
        } else if liveLinks.count(where: isOnAir) + connecting.count >= maximumLinks {
            finish(operation, .failure(.connectionLimit))
        } else {
            connecting.append(ConnectionAttempt(peer: peer, operation: operation))
        }
        return operation
    }

    func beginDisconnecting(_ link: Link) -> UInt64 {
        let operation = makeOperation(on: nil)
        guard link.ending.central == nil else {
            finish(operation, .success(.nothing))
            return operation
        }
        link.disconnecting = operation
        terminate(link, by: .central)
        return operation
    }

    func beginScan(_ filter: ScanFilter) -> UInt64 {
        let number = nextOperation
        nextOperation += 1
        scans[number] = Scan(filter: filter)
        return number
    }

    func hasHeard(_ scan: UInt64) -> Bool { scans[scan]?.heard.isEmpty == false }

    func nextHeard(_ scan: UInt64) -> Advertisement? { scans[scan]?.heard.popFirst() }

    func endScan(_ scan: UInt64) { scans[scan] = nil }
}
