import Testing

@testable import BargeProtocol

/// The counts are looked at from inside: 2³² values would take days.
@Suite("Counts of the GATT pipe across 2³² (BTP-029)")
struct GATTFlowTests {
    @Test("Which of two counts is ahead is decided by their difference")
    func lead() {
        #expect(GATTFlow.lead(of: 5, over: 5) == 0)
        #expect(GATTFlow.lead(of: 2, over: .max) == 3)
        #expect(GATTFlow.lead(of: .max, over: 2) == -3)
    }

    @Test("A sender goes on across the wrap, with its numbers in order")
    func sender() {
        var sender = GATTSender(limit: 3, startingAt: .max - 1)
        #expect(sender.next() == 126)
        #expect(sender.next() == 127)
        #expect(sender.next() == 0)
        #expect(!sender.maySend && sender.sentValues == 1)
        #expect(sender.raise(to: .max) == .ignored, "lower than before")
        #expect(sender.raise(to: 1) == .ignored, "the same")
        #expect(sender.raise(to: 65) == .raised)
        #expect(sender.raise(to: 66) == .excessive)
        #expect(sender.maySend)
        sender.takeBack()
        #expect(sender.next() == 0)
    }

    @Test("A receiver goes on across the wrap, and raises its limit there")
    func receiver() {
        var receiver = GATTReceiver(creditValues: 4, startingAt: .max - 1)
        #expect(receiver.limit == 2)
        for header: UInt8 in [126, 127, 0, 1] { #expect(receiver.take(header) == nil) }
        #expect(receiver.take(2) == .overLimit)
        #expect(receiver.consume(1) == false)
        #expect(receiver.consume(1) == true)
        #expect(receiver.limit == 4)
        #expect(receiver.take(3) == .gap)
        #expect(receiver.take(2) == nil)
        #expect(!receiver.misses(sent: 3) && !receiver.misses(sent: .max))
        #expect(receiver.misses(sent: 4))
    }
}
