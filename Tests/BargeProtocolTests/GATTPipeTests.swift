import BargeProtocol
import Testing

@Suite("The GATT pipe")
struct GATTPipeTests {
    private typealias Control = GATTControl

    private func value(_ control: GATTControl) -> [UInt8] {
        var sink: [UInt8] = []
        control.encode(into: &sink)
        return sink
    }

    private func hand(_ control: GATTControl, to pipe: inout GATTPipe) -> GATTPipeStep {
        pipe.handle(value(control).span.bytes)
    }

    private func hand(_ bytes: [UInt8], to pipe: inout GATTPipe) -> GATTPipeStep {
        pipe.handle(bytes.span.bytes)
    }

    private func drain(_ pipe: inout GATTPipe) -> [GATTControl] {
        var controls: [GATTControl] = []
        while let control = pipe.nextControl() { controls.append(control) }
        return controls
    }

    /// A device's half that a host has opened with this limit.
    private func openDevice(limit: UInt32 = 8, credit: UInt32 = 8) -> GATTPipe {
        var pipe = GATTPipe(role: .device, creditValues: credit)
        #expect(hand(.open(limit: limit), to: &pipe) == .opened)
        #expect(drain(&pipe) == [.opened(limit: credit)])
        return pipe
    }

    /// A host's half that a device has answered with this limit.
    private func openHost(limit: UInt32 = 8, credit: UInt32 = 8) -> GATTPipe {
        var pipe = GATTPipe(role: .host, creditValues: credit)
        pipe.open()
        #expect(drain(&pipe) == [.open(limit: credit)])
        #expect(hand(.opened(limit: limit), to: &pipe) == .opened)
        return pipe
    }

    @Test("The host opens, the device answers, both with their limits (BTP-020)")
    func opening() {
        var host = GATTPipe(role: .host, creditValues: 5)
        #expect(!host.isOpen && host.nextControl() == nil)
        host.open()
        #expect(!host.isOpen && !host.canSendData)
        #expect(drain(&host) == [.open(limit: 5)])
        var device = GATTPipe(role: .device, creditValues: 7)
        #expect(hand(.open(limit: 5), to: &device) == .opened)
        #expect(device.isOpen && device.canSendData)
        #expect(drain(&device) == [.opened(limit: 7)])
        #expect(hand(.opened(limit: 7), to: &host) == .opened)
        #expect(host.isOpen && host.canSendData)
    }

    @Test("A host discards all that comes before OPENED (BTP-020)")
    func beforeOpened() {
        var host = GATTPipe(role: .host)
        host.open()
        let early: [[UInt8]] = [
            [0, 1], [5, 1], [], value(.credit(limit: 9)), value(.probe(sent: 3)),
            value(.broken(.gap)), [0xFF],
        ]
        for bytes in early { #expect(hand(bytes, to: &host) == .none) }
        #expect(drain(&host) == [.open(limit: 32)])
        #expect(hand(.opened(limit: 8), to: &host) == .opened)
        #expect(hand([0, 1], to: &host) == .data)
    }

    @Test("OPEN on a pipe that carried data starts it anew (BTP-020)")
    func openAnew() {
        var device = openDevice()
        #expect(device.nextDataHeader() == 0)
        #expect(hand([0, 1], to: &device) == .data)
        #expect(hand(.open(limit: 2), to: &device) == .opened)
        #expect(drain(&device) == [.opened(limit: 8)])
        #expect(hand([0, 1], to: &device) == .data)
        #expect(device.nextDataHeader() == 0)
        #expect(device.nextDataHeader() == 1)
        #expect(!device.canSendData)
    }

    @Test("OPEN repeated before any data changes nothing but asks for an answer (BTP-028)")
    func repeatedOpen() {
        var device = openDevice(limit: 8)
        #expect(device.nextDataHeader() == 0)
        #expect(hand(.open(limit: 8), to: &device) == .none)
        #expect(drain(&device) == [.opened(limit: 8), .probe(sent: 1)])
        #expect(device.nextDataHeader() == 1)

        // The first OPENED came late: the host has the value, and all is well.
        var host = GATTPipe(role: .host, creditValues: 8)
        host.open()
        host.stalled()
        #expect(drain(&host) == [.open(limit: 8)])
        #expect(hand(.opened(limit: 8), to: &host) == .opened)
        #expect(hand([0, 1], to: &host) == .data)
        #expect(hand(.opened(limit: 8), to: &host) == .none)
        #expect(hand(.probe(sent: 1), to: &host) == .none)
        #expect(host.isOpen)
    }

    @Test("A lost OPENED with data behind it is found, and the next OPEN heals it (BTP-028)")
    func lostOpened() {
        var device = openDevice()
        #expect(device.nextDataHeader() == 0)
        var host = GATTPipe(role: .host, creditValues: 8)
        host.open()
        _ = drain(&host)
        host.stalled()
        for control in drain(&host) { _ = hand(control, to: &device) }
        let answers = drain(&device)
        #expect(answers.map { hand($0, to: &host) } == [.opened, .broken(.gap)])
        host.open()
        #expect(drain(&host) == [.broken(.gap), .open(limit: 8)], "the break goes out first")
        #expect(hand(.broken(.gap), to: &device) == .broken(.gap))
        #expect(hand(.open(limit: 8), to: &device) == .opened)
        #expect(device.nextDataHeader() == 0)
    }

    @Test("Numbers go from 0 to 127 and round again, each direction for itself (BTP-021)")
    func numbers() {
        var host = openHost(limit: 64, credit: 64)
        var device = openDevice(limit: 64, credit: 64)
        for count in 0..<300 {
            let header = host.nextDataHeader()
            #expect(Int(header) == count % 128)
            #expect(hand([header, 1], to: &device) == .data)
            device.consumed(values: 1)
            for control in drain(&device) { _ = hand(control, to: &host) }
        }
        #expect(device.nextDataHeader() == 0)
    }

    @Test("Exactly as many values go out as the limit allows (BTP-022)")
    func limit() {
        var host = openHost(limit: 3)
        for number: UInt8 in 0..<3 {
            #expect(host.canSendData)
            #expect(host.nextDataHeader() == number)
        }
        #expect(!host.canSendData)
        #expect(hand(.credit(limit: 4), to: &host) == .writable)
        #expect(host.canSendData)
        _ = host.nextDataHeader()
        #expect(!host.canSendData)
    }

    @Test("A limit that is not higher than before is ignored (BTP-022)")
    func lowLimit() {
        var host = openHost(limit: 8)
        for limit: UInt32 in [0, 7, 8] {
            #expect(hand(.credit(limit: limit), to: &host) == .none)
        }
        for _ in 0..<8 { _ = host.nextDataHeader() }
        #expect(!host.canSendData)
    }

    @Test("64 values of credit are taken, 65 break the pipe (BTP-022)")
    func mostCredit() {
        for limit: UInt32 in [64, 65] {
            let isTaken = limit == 64
            let broken = GATTPipeStep.broken(.malformed)
            var device = GATTPipe(role: .device)
            #expect(hand(.open(limit: limit), to: &device) == (isTaken ? .opened : broken))
            var host = GATTPipe(role: .host)
            host.open()
            #expect(hand(.opened(limit: limit), to: &host) == (isTaken ? .opened : broken))
            var sender = openHost(limit: 5)
            for _ in 0..<5 { _ = sender.nextDataHeader() }
            let step = hand(.credit(limit: 5 + limit), to: &sender)
            #expect(step == (isTaken ? .writable : broken))
            #expect(drain(&sender) == (isTaken ? [] : [.broken(.malformed)]))
        }
    }

    @Test("The limit rises once half of what is granted was consumed (BTP-023)")
    func raising() {
        for (credit, half) in [(1, 1), (2, 1), (3, 1), (8, 4), (64, 32)] as [(UInt32, UInt32)] {
            var device = openDevice(limit: 8, credit: credit)
            for number in 0..<half { _ = hand([UInt8(number), 1], to: &device) }
            device.consumed(values: half - 1)
            #expect(drain(&device).isEmpty, "\(credit) values granted")
            device.consumed(values: 1)
            #expect(drain(&device) == [.credit(limit: credit + half)])
        }
    }

    @Test("What was never received cannot be consumed (BTP-023)")
    func consumedTooMuch() {
        var device = openDevice(limit: 8, credit: 4)
        _ = hand([0, 1], to: &device)
        _ = hand([1, 1], to: &device)
        device.consumed(values: .max)
        #expect(drain(&device) == [.credit(limit: 6)])
        device.consumed(values: 9)
        #expect(drain(&device).isEmpty)
    }

    @Test("A value of 512 bytes is taken, of 513 it is malformed (BTP-024, BTP-025)")
    func longestValue() {
        var device = openDevice()
        #expect(hand([0] + [UInt8](repeating: 1, count: 511), to: &device) == .data)
        let long = [1] + [UInt8](repeating: 1, count: 512)
        #expect(hand(long, to: &device) == .broken(.malformed))
    }

    @Test("A missing, a doubled and an early value are gaps (BTP-025)")
    func gaps() {
        for number: UInt8 in [1, 3, 127] {
            var device = openDevice()
            _ = hand([0, 1], to: &device)
            _ = hand([1, 1], to: &device)
            #expect(hand([number, 1], to: &device) == .broken(.gap), "\(number) after 1")
            #expect(drain(&device) == [.broken(.gap)])
            #expect(!device.isOpen && !device.canSendData)
            #expect(hand([2, 1], to: &device) == .none, "nothing more is taken until OPEN")
            #expect(hand(.credit(limit: 20), to: &device) == .none)
            #expect(hand(.open(limit: 8), to: &device) == .opened)
            #expect(hand([0, 1], to: &device) == .data)
        }
    }

    @Test("A value beyond the limit breaks the pipe, one at the limit does not (BTP-025)")
    func overLimit() {
        var device = openDevice(credit: 2)
        #expect(hand([0, 1], to: &device) == .data)
        #expect(hand([1, 1], to: &device) == .data)
        #expect(hand([2, 1], to: &device) == .broken(.overLimit))
        #expect(drain(&device) == [.broken(.overLimit)])
    }

    @Test("What cannot be read breaks an open pipe and is ignored by another (BTP-025)")
    func malformed() {
        let values: [[UInt8]] = [
            [], [0], [0x85, 0], [0x82, 1, 2, 3], [0x84, 9], [0x80, 0, 1, 0, 0, 0],
        ]
        for value in values {
            var open = openDevice()
            #expect(hand(value, to: &open) == .broken(.malformed), "\(value)")
            #expect(drain(&open) == [.broken(.malformed)])
            var closed = GATTPipe(role: .device)
            #expect(hand(value, to: &closed) == .none)
            #expect(drain(&closed).isEmpty)
        }
    }

    @Test("BROKEN from the peer loses the pipe and is not answered (BTP-025)")
    func brokenByPeer() {
        var host = openHost()
        host.stalled()
        #expect(hand(.broken(.overLimit), to: &host) == .broken(.overLimit))
        #expect(!host.isOpen && drain(&host).isEmpty)
        #expect(hand(.broken(.gap), to: &host) == .none)
        host.open()
        #expect(drain(&host) == [.open(limit: 8)])
    }

    @Test("Each role ignores what only the other one may say (BTP-020)")
    func wrongRole() {
        var device = openDevice()
        #expect(hand(.opened(limit: 9), to: &device) == .none)
        var host = openHost()
        #expect(hand(.open(limit: 9), to: &host) == .none)
        #expect(device.isOpen && host.isOpen)
    }

    @Test("A sender that waits asks, and hears the limit again (BTP-026)")
    func probe() {
        var host = openHost(limit: 2)
        var device = openDevice(credit: 2)
        for _ in 0..<2 { _ = hand([host.nextDataHeader(), 1], to: &device) }
        device.consumed(values: 2)
        #expect(drain(&device) == [.credit(limit: 4)], "and this value is lost")
        host.stalled()
        host.stalled()
        #expect(drain(&host) == [.probe(sent: 2)])
        #expect(hand(.probe(sent: 2), to: &device) == .none)
        #expect(drain(&device) == [.credit(limit: 4)])
        #expect(hand(.credit(limit: 4), to: &host) == .writable)
        #expect(GATTPipe.probeIntervalMilliseconds == 1000)
    }

    @Test("A lost last value is found by its count (BTP-026)")
    func lostLastValue() {
        var device = openDevice()
        _ = hand([0, 1], to: &device)
        #expect(hand(.probe(sent: 1), to: &device) == .none)
        #expect(hand(.probe(sent: 2), to: &device) == .broken(.gap))
        #expect(drain(&device) == [.broken(.gap)], "in place of the answer to the first")
    }

    @Test("A side whose pipe is not open answers PROBE with BROKEN (BTP-026)")
    func lostBroken() {
        var device = openDevice()
        _ = hand([5, 1], to: &device)
        #expect(drain(&device) == [.broken(.gap)], "and this value is lost")
        #expect(hand(.probe(sent: 1), to: &device) == .none)
        #expect(drain(&device) == [.broken(.gap)])
        var fresh = GATTPipe(role: .device)
        #expect(hand(.probe(sent: 9), to: &fresh) == .none)
        #expect(drain(&fresh) == [.broken(.gap)])
    }

    @Test("A header that the stack did not take comes again (BTP-021)")
    func notTaken() {
        var host = openHost(limit: 2)
        #expect(host.nextDataHeader() == 0)
        host.dataNotTaken()
        #expect(host.nextDataHeader() == 0)
        #expect(host.nextDataHeader() == 1)
        #expect(!host.canSendData)
    }
}
