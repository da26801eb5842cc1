import Bluetooth
import Testing

@Suite("How long a lifecycle waits, and for whom")
struct LifecyclePatienceTests {
    private static let home = PeerID("home")
    private static let away = PeerID("away")

    private static var named: LinkGoal {
        var filter = ScanFilter()
        filter.name = .exactly("pump")
        return LinkGoal(peers: [], filter: filter)
    }

    private static var known: LinkGoal {
        var goal = named
        goal.peers = [home]
        goal.checksIdentity = true
        return goal
    }

    @Test("A link that breaks while it is made was one: its device is waited for")
    func halfMade() {
        var stack = StackReferee()
        stack.want(LinkGoal(peers: [Self.home]))
        stack.finish(.failed(.linkLost(.supervisionTimeout)))
        stack.finish(.paused)
        stack.finish(.failed(.peerNotFound(Self.home)))
        #expect(stack.lifecycle.phase == .outOfRange)
        #expect(stack.violations.isEmpty)
    }

    @Test("A device that advertised, and is gone when it is to be linked, is waited for")
    func heardOnce() {
        var stack = StackReferee()
        stack.want(Self.named)
        stack.finish(.heard(Self.away))
        stack.finish(.failed(.peerNotFound(Self.away)))
        stack.finish(.paused)
        stack.finish(.failed(.peerNotFound(Self.away)))
        #expect(stack.lifecycle.phase == .outOfRange)
        #expect(stack.violations.isEmpty)
    }

    @Test("Where all that was ever there turned out to be others, nothing is waited for")
    func strangersOnly() {
        var goal = Self.known
        goal.security = .none
        var stack = StackReferee()
        stack.want(goal)
        stack.finish(.failed(.peerNotFound(Self.home)))
        stack.finish(.heard(Self.away))
        stack.finish(.linked())
        #expect(stack.lifecycle.phase == .connected)
        stack.handle(.disowned)
        stack.finish(.failed(.peerNotFound(Self.away)))
        #expect(stack.lifecycle.phase == .disconnected)
        #expect(stack.violations.isEmpty)
    }

    @Test("A wish that changes its patience changes that of the search that runs")
    func changed() {
        var goal = LinkGoal(peers: [Self.home])
        goal.wasSeen = true
        var stack = StackReferee()
        stack.want(goal)
        goal.giveUpMicroseconds = 5_000_000
        stack.want(goal)
        stack.now = stack.now.advanced(microseconds: 6_000_000)
        stack.finish(.failed(.peerNotFound(Self.home)))
        #expect(stack.reports.last == .failed(.peerNotFound(Self.home)))
    }

    @Test("The last try begins when patience ends, not a long pause later")
    func lastTry() throws {
        var goal = LinkGoal(peers: [Self.home])
        goal.wasSeen = true
        goal.giveUpMicroseconds = 10_000_000
        var stack = StackReferee()
        stack.want(goal)
        let end = stack.now.advanced(microseconds: 10_000_000)
        stack.now = stack.now.advanced(microseconds: 9_900_000)
        stack.finish(.failed(.peerNotFound(Self.home)))
        let pause = try #require(stack.current)
        #expect(stack.deadlines[pause.ticket] == end)
        stack.elapse()
        stack.finish(.failed(.peerNotFound(Self.home)))
        #expect(stack.lifecycle.phase == .disconnected)
    }

    @Test("A stack that says itself that the adapter did not come on in time is asked once")
    func staysOff() {
        var stack = StackReferee()
        stack.isPowered = false
        stack.want(Self.named)
        #expect(stack.current?.operation == .awaitPower)
        stack.finish(.failed(.poweredOff))
        #expect(stack.reports.last == .failed(.poweredOff))
        #expect(stack.lifecycle.phase == .disconnected)
    }

    @Test("The silence of a reset on purpose is not held against the device")
    func silence() {
        var goal = LinkGoal(peers: [Self.home])
        goal.security = .none
        goal.giveUpMicroseconds = 5_000_000
        var stack = StackReferee()
        stack.want(goal)
        stack.finish(.linked())
        stack.handle(.resetting(microseconds: 60_000_000))
        stack.elapse()
        stack.finish(.failed(.peerNotFound(Self.home)))
        #expect(stack.lifecycle.phase == .outOfRange)
        #expect(stack.violations.isEmpty)
    }
}
