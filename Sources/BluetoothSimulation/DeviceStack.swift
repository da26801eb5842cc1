import Bluetooth

/// A device's Bluetooth stack as its application sees it: calls go straight into the world.
struct DeviceStack: PeripheralStack {
    let world: SimulatedWorld
    let device: Device

    var now: LinkInstant { world.now }

    mutating func publish(_ service: GATTServiceDeclaration) {
        device.attributes.publish(service)
    }

    mutating func listen(
        on psm: PSM, receiveMTU: Int, receiveBufferBytes: Int, security: SecurityLevel
    ) {
        precondition((23...65_535).contains(receiveMTU), "an SDU of 23...65535 bytes")
        device.listeners[psm.rawValue] = Device.Listener(
            receiveMTU: receiveMTU, receiveBufferBytes: receiveBufferBytes, security: security)
    }

    mutating func advertise(_ advertisement: Advertisement) {
        device.advertisement = advertisement
        world.planAdvertising(device)
    }

    func parameters(of connection: ConnectionID) -> LinkParameters {
        world.parameters(of: world.link(connection), seenBy: .peripheral)
    }

    mutating func disconnect(_ connection: ConnectionID) {
        let link = world.link(connection)
        guard isOwn(link) else { return }
        world.terminate(link, by: .peripheral)
    }

    func efficientWriteBytes(of channel: ChannelID) -> Int {
        world.channel(channel).ends.peripheral.efficientWriteBytes
    }

    mutating func read(
        from channel: ChannelID, into buffer: inout [UInt8], maximumBytes: Int
    ) -> Int {
        world.read(
            from: world.channel(channel), by: .peripheral, into: &buffer,
            maximumBytes: maximumBytes)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, to channel: ChannelID) -> Int {
        let channel = world.channel(channel)
        guard channel.ends.peripheral.state == .open else { return 0 }
        return world.write(bytes, to: channel, by: .peripheral)
    }

    mutating func close(_ channel: ChannelID) {
        world.close(world.channel(channel), by: .peripheral)
    }

    /// A value longer than the MTU allows is cut, as Core 5.4, Vol 3, Part F, 3.4.7.1 has it. To a
    /// central that did not ask nothing is sent.
    mutating func notify(
        _ value: [UInt8], of characteristic: BluetoothUUID, on connection: ConnectionID
    ) -> Bool {
        let link = world.link(connection)
        guard isOwn(link), let handle = device.attributes.valueHandle(of: characteristic),
            link.subscriptions.contains(handle)
        else { return true }
        let outgoing = link.outgoing.peripheral
        guard outgoing.unansweredAttributeCount < link.configuration.attributeQueueDepth else {
            link.isNotifierAwaitingRoom = true
            return false
        }
        let limit = ATT.maximumValueBytes(mtu: link.attMTU)
        let sent = value.count <= limit ? value : Array(value.prefix(limit))
        outgoing.enqueue(.notification(handle, sent))
        world.kick(link)
        return true
    }

    mutating func wake(at instant: LinkInstant) {
        world.askToWake(device, at: max(instant, world.now))
    }

    mutating func resetDevice(offMicroseconds: UInt64) {
        world.reset(device, offMicroseconds: offMicroseconds)
    }

    private func isOwn(_ link: Link) -> Bool {
        link.device === device && link.ending.peripheral == nil
    }
}
