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

    mutating func advertise(_ advertisement: Advertisement) throws(BluetoothError) {
        _ = try AdvertisingPayload(advertisement)
        device.advertisement = advertisement
        world.planAdvertising(device)
    }

    func parameters(of connection: ConnectionID) -> LinkParameters {
        guard let link = world.links[Int(connection.rawValue)] else { return LinkParameters() }
        return world.parameters(of: link, seenBy: .peripheral)
    }

    mutating func disconnect(_ connection: ConnectionID) {
        guard let link = ownLink(connection) else { return }
        world.terminate(link, by: .peripheral)
    }

    func efficientWriteBytes(of channel: ChannelID) -> Int {
        world.channel(channel)?.ends.peripheral.efficientWriteBytes ?? 1
    }

    mutating func read(
        from channel: ChannelID, into buffer: inout [UInt8], maximumBytes: Int
    ) -> Int {
        guard let channel = world.channel(channel) else { return 0 }
        return world.read(
            from: channel, by: .peripheral, into: &buffer,
            maximumBytes: maximumBytes)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, to channel: ChannelID) -> Int {
        guard let channel = world.channel(channel), channel.ends.peripheral.state == .open else {
            return 0
        }
        return world.write(bytes, to: channel, by: .peripheral)
    }

    mutating func close(_ channel: ChannelID) {
        if let channel = world.channel(channel) { world.close(channel, by: .peripheral) }
    }

    /// A value longer than the MTU allows is cut, as Core 5.4, Vol 3, Part F, 3.4.7.1 has it. To a
    /// central that did not ask nothing is sent.
    mutating func notify(
        _ value: [UInt8], of characteristic: BluetoothUUID, on connection: ConnectionID
    ) -> Bool {
        guard let link = ownLink(connection),
            let handle = device.attributes.valueHandle(of: characteristic),
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

    /// The link if it is this device's and not over.
    private func ownLink(_ connection: ConnectionID) -> Link? {
        guard let link = world.links[Int(connection.rawValue)], link.device === device,
            link.ending.peripheral == nil
        else { return nil }
        return link
    }
}
