import BargeProtocol

/// The program of a device with the GATT pipe, as `scripts/build-embedded` links it to see how
/// large it becomes and what it asks of the toolchain. Its storage is memory of the caller's.
private struct MemoryPort: DevicePort {
    let memory: UnsafeMutableRawBufferPointer
    /// Frames that wait for the pipe's credit.
    var queue: UnsafeMutableRawBufferPointer
    var queued = 0
    var length = 0

    mutating func send(_ frame: RawSpan) {
        for offset in 0..<frame.byteCount where queued < queue.count {
            queue[queued] = frame.byte(at: offset)
            queued += 1
        }
    }

    mutating func open(_ request: WriteRequest) -> UInt64? {
        // UInt64(memory.count) would allocate: see UInt64+Widening.swift.
        guard request.length <= 0x7FFF_FFFF else { return nil }
        length = Int(truncatingIfNeeded: request.length)
        return length <= memory.count ? 0 : nil
    }

    mutating func check(below offset: UInt64) -> UInt32 {
        let held = UnsafeRawBufferPointer(rebasing: memory[..<Int(truncatingIfNeeded: offset)])
        return CRC32.value(of: held.bytes)
    }

    mutating func store(_ bytes: RawSpan, at offset: UInt64) -> Bool {
        let start = Int(truncatingIfNeeded: offset)
        for index in 0..<bytes.byteCount { memory[start + index] = bytes.byte(at: index) }
        return true
    }

    /// A stand-in: SHA-256 comes from the port.
    mutating func digest() -> Digest { Digest() }

    mutating func dequeue(_ count: Int) {
        for index in count..<queued { queue[index - count] = queue[index] }
        queued -= count
    }
}

private struct Device {
    var loop: DeviceLoop<MemoryPort>
    var pipe = GATTPipe(role: .device, creditValues: 8)
    let hello: Hello
    let frames: UnsafeMutableRawBufferPointer

    static let frameBytes = 328

    /// `memory` holds two frames, a queue of three, and the object behind them.
    init(memory: UnsafeMutableRawBufferPointer) {
        var hello = Hello()
        hello.features = .files
        hello.serial = Name("S-0001")
        self.hello = hello
        frames = memory
        loop = Self.loop(hello, memory)
    }

    private static func loop(_ hello: Hello, _ memory: UnsafeMutableRawBufferPointer)
        -> DeviceLoop<MemoryPort>
    {
        func part(_ start: Int, _ end: Int) -> UnsafeMutableRawBufferPointer {
            UnsafeMutableRawBufferPointer(rebasing: memory[start..<end])
        }
        let port = MemoryPort(
            memory: part(5 * frameBytes, memory.count),
            queue: part(2 * frameBytes, 5 * frameBytes))
        return DeviceLoop(
            hello: hello, port: port, inbox: part(0, frameBytes),
            outbox: part(frameBytes, 2 * frameBytes))
    }

    /// A new session on the pipe. Not inlined: it would sit on the stack of every value.
    @inline(never)
    private mutating func restart() {
        loop = Self.loop(hello, frames)
        loop.start()
    }

    /// A value that the host wrote to the upload characteristic.
    mutating func written(_ value: RawSpan) {
        switch pipe.handle(value) {
        case .opened: restart()
        case .data:
            loop.receive(value.extracting(1..<value.byteCount))
            pipe.consumed(values: 1)
        case .none, .writable, .broken: break
        }
    }

    /// The next value to notify, at most `value.count` bytes; 0 where there is none.
    mutating func notification(into value: UnsafeMutableRawBufferPointer) -> Int {
        if let control = pipe.nextControl() {
            var sink = BufferSink(value)
            control.encode(into: &sink)
            return sink.count
        }
        let count = min(loop.port.queued, value.count - 1)
        guard count > 0, pipe.canSendData else { return 0 }
        value[0] = pipe.nextDataHeader()
        for index in 0..<count { value[1 + index] = loop.port.queue[index] }
        loop.port.dequeue(count)
        return count + 1
    }
}

/// How many bytes the device's state takes, without the memory it is given.
@c(device_state_bytes)
public func deviceStateBytes() -> Int { MemoryLayout<Device>.size }

/// Prepares a device in `state`; `memory` is for its frames and its object.
@c(device_start)
public func deviceStart(
    _ state: UnsafeMutableRawPointer, _ memory: UnsafeMutableRawPointer, _ byteCount: Int
) {
    let memory = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    state.initializeMemory(as: Device.self, to: Device(memory: memory))
}

/// The host wrote a value.
@c(device_written)
public func deviceWritten(
    _ state: UnsafeMutableRawPointer, _ value: UnsafeRawPointer, _ byteCount: Int
) {
    let value = UnsafeRawBufferPointer(start: value, count: byteCount)
    state.assumingMemoryBound(to: Device.self).pointee.written(value.bytes)
}

/// Fills `value` with the next notification and answers its length; 0 where there is none.
@c(device_notification)
public func deviceNotification(
    _ state: UnsafeMutableRawPointer, _ value: UnsafeMutableRawPointer, _ byteCount: Int
) -> Int {
    let value = UnsafeMutableRawBufferPointer(start: value, count: byteCount)
    return state.assumingMemoryBound(to: Device.self).pointee.notification(into: value)
}

/// A second has passed without a value in either direction.
@c(device_stalled)
public func deviceStalled(_ state: UnsafeMutableRawPointer) {
    state.assumingMemoryBound(to: Device.self).pointee.pipe.stalled()
}
