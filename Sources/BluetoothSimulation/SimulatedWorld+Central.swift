public import Bluetooth

/// The central's side, for a caller that drives the world itself: what takes time runs the world
/// until it is done or `deadline` passes.
extension SimulatedWorld {
    /// Connects and exchanges the ATT MTU.
    public func connect(
        to peer: PeerID, until deadline: LinkInstant
    ) throws(BluetoothError) -> ConnectionID {
        let value = try complete(beginConnecting(to: peer), until: deadline, "connecting")
        guard case .connection(let connection) = value else { throw .timedOut("connecting") }
        return connection
    }

    /// Raises a link's security, pairing if need be.
    /// - Parameters:
    ///   - capability: of whoever answers; nil where nobody does.
    ///   - answer: what they answer, at once.
    public func secure(
        _ connection: ConnectionID, at level: SecurityLevel,
        answeredBy capability: PairingCapability? = nil, until deadline: LinkInstant,
        _ answer: (PairingQuestion) -> PairingAnswer = { _ in .refuse }
    ) throws(BluetoothError) {
        let operation = beginSecuring(
            try link(connection), at: level, answeredBy: capability)
        while run(
            until: deadline, stopWhen: { WaitCondition.answerable(operation).holds(in: self) }),
            let question = question(of: operation)
        {
            self.answer(answer(question), for: operation)
        }
        _ = try claim(operation, "securing")
    }

    /// The characteristics of a service.
    public func discover(
        _ service: BluetoothUUID, on connection: ConnectionID, until deadline: LinkInstant
    ) throws(BluetoothError) -> [GATTCharacteristic] {
        let finding = begin(.findService(service), on: try link(connection))
        guard
            case .services(let services) = try complete(
                finding, until: deadline, "discovering services"), let first = services.first
        else { throw .noSuchService(service) }
        let reading = begin(
            .readDeclarations(first.handles, found: []), on: try link(connection))
        let value = try complete(reading, until: deadline, "discovering characteristics")
        guard case .characteristics(let found) = value else { return [] }
        return found
    }

    /// The whole value of a characteristic.
    public func readValue(
        of characteristic: GATTCharacteristic, on connection: ConnectionID,
        until deadline: LinkInstant
    ) throws(BluetoothError) -> [UInt8] {
        let operation = begin(.read(characteristic.handle, soFar: []), on: try link(connection))
        let value = try complete(operation, until: deadline, "reading a value")
        guard case .value(let bytes) = value else { return [] }
        return bytes
    }

    /// Turns notifications on or off.
    public func setNotifications(
        _ enabled: Bool, of characteristic: GATTCharacteristic, on connection: ConnectionID,
        until deadline: LinkInstant
    ) throws(BluetoothError) {
        let operation = beginConfiguring(enabled, characteristic, on: try link(connection))
        _ = try complete(operation, until: deadline, "subscribing")
    }

    /// Writes a value and waits for the response.
    public func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic, on connection: ConnectionID,
        until deadline: LinkInstant
    ) throws(BluetoothError) {
        let operation = try beginWriting(value, characteristic, on: link(connection))
        _ = try complete(operation, until: deadline, "writing a value")
    }

    /// Opens a channel.
    public func openChannel(
        _ psm: PSM, on connection: ConnectionID, receiveMTU: Int, until deadline: LinkInstant
    ) throws(BluetoothError) -> ChannelID {
        let operation = beginOpening(psm, receiveMTU: receiveMTU, on: try link(connection))
        let value = try complete(operation, until: deadline, "opening a channel")
        guard case .channel(let channel) = value else { throw .timedOut("opening a channel") }
        return channel
    }

    /// Ends a link, and runs the world until it is gone.
    public func disconnect(_ connection: ConnectionID, until deadline: LinkInstant) {
        guard let link = links[Int(connection.rawValue)] else { return }
        let operation = beginDisconnecting(link)
        _ = run(until: deadline) { outcome(of: operation) != nil }
        abandon(operation)
    }

    // MARK: Without waiting

    /// What is known of a link now.
    public func parameters(of connection: ConnectionID) -> LinkParameters {
        guard let link = links[Int(connection.rawValue)] else { return LinkParameters() }
        return parameters(of: link, seenBy: .central)
    }

    /// The level that a link has reached.
    public func security(of connection: ConnectionID) -> SecurityLevel {
        links[Int(connection.rawValue)]?.security ?? .none
    }

    /// Why the central has given a link up; nil while it stands.
    public func lossReason(of connection: ConnectionID) -> LinkLossReason? {
        guard let link = links[Int(connection.rawValue)] else { return .localTerminated }
        return link.ending.central
    }

    /// Hands over one write without response; false where the queue is full now.
    public func writeWithoutResponse(
        _ value: [UInt8], to characteristic: GATTCharacteristic, on connection: ConnectionID
    ) throws(BluetoothError) -> Bool {
        let link = try link(connection)
        if let reason = link.ending.central { throw .linkLost(reason) }
        guard value.count <= ATT.maximumValueBytes(mtu: link.attMTU) else {
            throw .attribute(.invalidAttributeValueLength)
        }
        guard canWriteWithoutResponse(link) else { return false }
        link.outgoing.central.enqueue(.writeCommand(characteristic.handle, value))
        kick(link)
        return true
    }

    /// The oldest notification that was not yet taken.
    public func nextNotification(
        of characteristic: GATTCharacteristic, on connection: ConnectionID
    ) throws(BluetoothError) -> [UInt8]? {
        let link = try link(connection)
        if let value = link.client.notifications[characteristic.handle]?.popFirst() {
            link.client.notificationCount -= 1
            return value
        }
        if let reason = link.ending.central { throw .linkLost(reason) }
        return nil
    }

    /// Whether a call on the link's attributes would do anything, or tell that it never will.
    public func isReady(_ connection: ConnectionID, for interest: Interest) -> Bool {
        guard let link = links[Int(connection.rawValue)] else { return true }
        if link.ending.central != nil { return true }
        if interest.contains(.reading), link.client.notificationCount > 0 { return true }
        return interest.contains(.writing) && canWriteWithoutResponse(link)
    }

    private func canWriteWithoutResponse(_ link: Link) -> Bool {
        link.outgoing.central.unansweredAttributeCount < link.configuration.attributeQueueDepth
    }

    /// How many bytes to write at once so that K-frames are full.
    public func efficientWriteBytes(of channel: ChannelID) -> Int {
        self.channel(channel)?.ends.central.efficientWriteBytes ?? 1
    }

    /// Hands over bytes; returns how many were taken.
    public func write(
        _ bytes: UnsafeRawBufferPointer, to channel: ChannelID
    ) throws(BluetoothError) -> Int {
        guard let channel = self.channel(channel) else { throw .linkLost(.localTerminated) }
        if let error = error(of: channel.ends.central) { throw error }
        return write(bytes, to: channel, by: .central)
    }

    /// Appends what has arrived to `buffer`; returns how many bytes those were.
    public func read(
        from channel: ChannelID, into buffer: inout [UInt8], maximumBytes: Int
    ) throws(BluetoothError) -> Int {
        guard let channel = self.channel(channel) else { throw .linkLost(.localTerminated) }
        let count = read(
            from: channel, by: .central, into: &buffer, maximumBytes: maximumBytes)
        if count == 0, maximumBytes > 0, let error = error(of: channel.ends.central) { throw error }
        return count
    }

    /// Closes a channel at once: what was not yet sent is lost.
    public func close(_ channel: ChannelID) {
        if let channel = self.channel(channel) { close(channel, by: .central) }
    }

    /// Whether a read or a write would do anything, or tell that it never will.
    public func isReady(_ channel: ChannelID, for interest: Interest) -> Bool {
        guard let end = self.channel(channel)?.ends.central else { return true }
        if interest.contains(.reading), end.isReadyToRead { return true }
        return interest.contains(.writing) && end.isReadyToWrite
    }

    private func error(of end: ChannelEnd) -> BluetoothError? {
        switch end.state {
        case .open: nil
        case .closed: .channelClosed
        case .lost(let reason): .linkLost(reason)
        }
    }
}

extension SimulatedWorld {
    func beginConfiguring(
        _ enabled: Bool, _ characteristic: GATTCharacteristic, on link: Link
    ) -> UInt64 {
        begin(.write(characteristic.handle + 1, [enabled ? 1 : 0, 0]), on: link)
    }

    func beginWriting(
        _ value: [UInt8], _ characteristic: GATTCharacteristic, on link: Link
    ) throws(BluetoothError) -> UInt64 {
        guard value.count <= ATT.maximumValueBytes(mtu: link.attMTU) else {
            throw .attribute(.invalidAttributeValueLength)
        }
        return begin(.write(characteristic.handle, value), on: link)
    }

    func beginOpening(_ psm: PSM, receiveMTU: Int, on link: Link) -> UInt64 {
        precondition((23...65_535).contains(receiveMTU), "an SDU of 23...65535 bytes")
        let operation = makeOperation(on: link)
        let request = ChannelRequest(psm: psm, receiveMTU: receiveMTU, operation: operation)
        enqueue(.channelRequest(request), on: link, from: .central)
        return operation
    }

    func parameters(of link: Link, seenBy side: Side) -> LinkParameters {
        var known = LinkParameters()
        known.attMTU = link.attMTU
        known.isEncrypted = link.security >= .encrypted
        known.security = link.security
        if !link.configuration.isUnlimited {
            known.phy = link.timing.phy
            known.dataLengthBytes = link.timing.dataLengthBytes
            known.connectionIntervalMicroseconds = Int(link.intervalMicroseconds)
        }
        if let open = link.channels.last(where: { $0.ends[side].state == .open }) {
            known.peerMPS = open.ends[side.other].credits.mpsBytes
            known.peerMTU = open.ends[side.other].credits.mtuBytes
        }
        return known
    }
}
