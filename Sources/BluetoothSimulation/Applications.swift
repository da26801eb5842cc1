import Bluetooth

/// An event on its way to a device's application. Events are handed out in the order in which
/// they happened, after the step that caused them.
struct ApplicationEvent {
    let device: Int
    let generation: Int
    let event: PeripheralEvent
}

extension SimulatedWorld {
    func announce(_ event: PeripheralEvent, to device: Device) {
        guard device.isPowered else { return }
        applicationEvents.append(
            ApplicationEvent(device: device.index, generation: device.generation, event: event))
    }

    /// Once for all that arrives before the application is called.
    func announceReadable(_ end: ChannelEnd, on link: Link) {
        guard !end.isReadableAnnounced else { return }
        end.isReadableAnnounced = true
        announce(.channelReadable(end.id), to: link.device)
    }

    /// The device's queues may have room again: whoever was turned away hears of it.
    func announceRoom(_ link: Link) {
        for channel in link.channels {
            let end = channel.ends.peripheral
            guard end.isAwaitingRoom, end.isWritable, end.state == .open else { continue }
            end.isAwaitingRoom = false
            announce(.channelWritable(channel.id), to: link.device)
        }
        let queued = link.outgoing.peripheral.unansweredAttributeCount
        if link.isNotifierAwaitingRoom, queued <= link.configuration.attributeQueueDepth / 2 {
            link.isNotifierAwaitingRoom = false
            announce(.notificationQueueReady(link.id), to: link.device)
        }
    }

    func callApplications() {
        while let next = applicationEvents.popFirst() {
            defer { settle(next.event) }
            guard let device = devices[next.device], next.generation == device.generation,
                device.isPowered
            else { continue }
            if case .channelReadable(let id) = next.event {
                channel(id)?.ends.peripheral.isReadableAnnounced = false
            }
            trace.mix(now.microseconds, 0x4150_5000 | UInt64(next.device) << 32)
            var stack = DeviceStack(world: self, device: device)
            device.application.handle(next.event, on: &stack)
        }
    }

    /// An application that was told of a channel's end, or could not be told, is through with it.
    private func settle(_ event: PeripheralEvent) {
        guard case .channelClosed(let id) = event, let channel = channel(id) else { return }
        deviceLeaves(channel)
    }

    /// A device that puts its wake-up off with every block leaves one event in the queue, not one
    /// for each: on a link without limits they would never come up.
    func askToWake(_ device: Device, at instant: LinkInstant) {
        device.wakeInstant = instant
        if let planned = device.plannedWakeInstant, planned <= instant { return }
        planWake(device, at: instant)
    }

    private func planWake(_ device: Device, at instant: LinkInstant) {
        device.wakeGeneration += 1
        device.plannedWakeInstant = instant
        plan(
            .wake(device: device.index, generation: device.wakeGeneration),
            after: instant.microseconds(since: now))
    }

    func wake(_ device: Device, _ generation: Int) {
        guard generation == device.wakeGeneration, let instant = device.wakeInstant else { return }
        device.plannedWakeInstant = nil
        guard instant <= now else { return planWake(device, at: instant) }
        device.wakeInstant = nil
        announce(.woke, to: device)
    }
}
