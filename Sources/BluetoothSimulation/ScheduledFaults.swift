public import Bluetooth

/// Something that goes wrong, or right again, as a value: for a schedule.
public enum Fault: Hashable, Sendable {
    /// The central's adapter is switched off, or on.
    case adapterPowered(Bool)
    /// The device is out of range for so many µs.
    case vanish(PeerID, forMicroseconds: UInt64)
    /// Nobody hears anybody for so many µs.
    case loseAirtime(forMicroseconds: UInt64)
    /// The device loses power, and has it again after so many µs.
    case resetDevice(PeerID, offMicroseconds: UInt64)
    /// All links to the device die.
    case severLinks(PeerID, notice: LossNotice)
}

/// Faults that come by themselves, so that they hit the middle of whatever a task is doing.
extension SimulatedWorld {
    /// Lets a fault happen at a moment; at once where that is past.
    public func schedule(_ fault: Fault, at instant: LinkInstant) {
        plan(.fault(scheduledFaults.nextNumber), after: instant.microseconds(since: now))
        scheduledFaults.append(fault)
    }

    /// Lets a fault happen right after so many packets with data have been on the air of links to
    /// a device, in either direction and those sent again included, counted from now. On a link
    /// without air time, whole PDUs are counted.
    /// - Precondition: the device is there.
    public func schedule(_ fault: Fault, afterDataPackets count: Int, to peer: PeerID) {
        precondition(count > 0, "after one packet or more")
        existing(peer).packetFaults.append(.init(dataPacketsLeft: count, fault: fault))
    }

    func strike(_ number: Int) {
        guard let fault = scheduledFaults[number] else { return }
        scheduledFaults.remove(number)
        strike(fault)
    }

    /// A device that has left the world meanwhile has no faults any more.
    private func strike(_ fault: Fault) {
        switch fault {
        case .adapterPowered(let isPowered):
            setAdapterPowered(isPowered)
        case .vanish(let peer, let duration):
            if device(peer) != nil { vanish(peer, forMicroseconds: duration) }
        case .loseAirtime(let duration):
            loseAirtime(forMicroseconds: duration)
        case .resetDevice(let peer, let duration):
            if device(peer) != nil { resetDevice(peer, offMicroseconds: duration) }
        case .severLinks(let peer, let notice):
            severLinks(to: peer, notice: notice)
        }
    }

    /// Counts a packet with data; what is due then happens when its step is over.
    func countForFaults(_ device: Device) {
        guard !device.packetFaults.isEmpty else { return }
        for place in device.packetFaults.indices {
            device.packetFaults[place].dataPacketsLeft -= 1
        }
        let due = device.packetFaults.filter { $0.dataPacketsLeft == 0 }
        device.packetFaults.removeAll { $0.dataPacketsLeft == 0 }
        for fault in due { schedule(fault.fault, at: now) }
    }
}
