import Bluetooth
import Testing

@Suite("The life of a connection")
struct LifecycleTests {
    private static let service = BluetoothUUID(0x1234)
    private static let home = PeerID("home")
    private static let away = PeerID("away")

    private static var known: LinkGoal {
        var filter = ScanFilter()
        filter.service = service
        var goal = LinkGoal(peers: [home], filter: filter, service: service)
        goal.checksIdentity = true
        goal.wasSeen = true
        return goal
    }

    private static var named: LinkGoal {
        var filter = ScanFilter()
        filter.name = .exactly("pump")
        return LinkGoal(peers: [], filter: filter, service: service)
    }

    private static let found = GATTService(uuid: service, handles: 1...9)
    private static let characteristic = GATTCharacteristic(
        uuid: BluetoothUUID(1), handle: 3, properties: .read)

    /// A stack at which the device is connected.
    private static func connected(_ goal: LinkGoal = known) -> StackReferee {
        var stack = StackReferee()
        stack.want(goal)
        stack.finish(.linked())
        stack.finish(.secured)
        stack.finish(.services([found]))
        stack.finish(.characteristics([characteristic]))
        return stack
    }

    @Test("A known device is reached at its address, secured, and its service discovered")
    func direct() {
        let stack = Self.connected()
        #expect(stack.violations.isEmpty)
        #expect(stack.lifecycle.phase == .connected)
        let phases = stack.reports.compactMap { report in
            if case .entered(let phase) = report { phase } else { nil }
        }
        #expect(
            phases == [
                .restoring, .securing, .discoveringServices, .discoveringCharacteristics,
                .connected,
            ])
        guard case .connected(Self.home, _, let characteristics) = stack.reports.last else {
            Issue.record("not told: \(stack.reports)")
            return
        }
        #expect(characteristics == [Self.characteristic])
    }

    @Test("A direct try has five seconds, then the system's links are asked, then a scan begins")
    func tiers() throws {
        var stack = StackReferee()
        stack.want(Self.known)
        let direct = try #require(stack.current)
        #expect(direct.operation == .connect(Self.home))
        #expect(
            stack.deadlines[direct.ticket]
                == stack.now.advanced(microseconds: 5_000_000))
        stack.elapse()
        #expect(stack.current?.operation == .findLinkedPeers(Self.service))
        stack.finish(.linkedPeers([Self.away]))
        #expect(stack.current?.operation == .connect(Self.away))
        stack.finish(.failed(.connectionFailed(.system("gone"))))
        guard case .scan(_, let strangers) = stack.current?.operation else {
            Issue.record("no scan: \(String(describing: stack.current))")
            return
        }
        #expect(strangers.isEmpty)
        stack.finish(.heard(Self.away))
        #expect(stack.lifecycle.phase == .connecting)
        #expect(stack.violations.isEmpty)
    }

    @Test("An address that nothing else is known of has the whole step, and is looked for once")
    func addressOnly() throws {
        var stack = StackReferee()
        stack.want(LinkGoal(peers: [Self.home]))
        let direct = try #require(stack.current)
        #expect(
            stack.deadlines[direct.ticket] == stack.now.advanced(microseconds: 10_000_000))
        stack.finish(.failed(.peerNotFound(Self.home)))
        #expect(stack.reports.last == .failed(.peerNotFound(Self.home)))
        #expect(stack.lifecycle.phase == .disconnected)
    }

    @Test("A scan that hears nobody ends the search for a device that was never there, by its name")
    func nobody() {
        var stack = StackReferee()
        stack.want(Self.named)
        stack.finish(.heardNobody)
        #expect(stack.reports.last == .failed(.peerNotFound(PeerID("pump"))))
        var goal = LinkGoal(peers: [], filter: ScanFilter(), service: Self.service)
        goal.title = "SERIAL-7"
        stack.want(goal)
        stack.elapse()
        #expect(stack.reports.last == .failed(.peerNotFound(PeerID("SERIAL-7"))))
        #expect(stack.violations.isEmpty)
    }

    @Test("A lost link is gone back to after 1, 2, 4 … 30 seconds, give or take a fifth")
    func backOff() {
        var stack = Self.connected()
        _ = stack.takeReports()
        stack.finish(.lost(.supervisionTimeout))
        for seconds: UInt64 in [1, 2, 4, 8, 16, 30, 30] {
            guard case .retrying(_, let microseconds) = stack.reports.first else {
                Issue.record("not told: \(stack.reports)")
                return
            }
            let pause = seconds * 1_000_000
            #expect((pause * 8 / 10...pause * 12 / 10).contains(microseconds))
            stack.elapse()
            #expect(stack.lifecycle.phase == .restoring)
            stack.elapse()
            stack.finish(.linkedPeers([]))
            _ = stack.takeReports()
            stack.elapse()
            #expect(stack.lifecycle.phase == .outOfRange)
        }
        #expect(stack.violations.isEmpty)
    }

    @Test("Without progress it ends after the time given; progress begins it anew")
    func giveUp() {
        var goal = Self.known
        goal.giveUpMicroseconds = 60_000_000
        var stack = Self.connected(goal)
        stack.now = stack.now.advanced(microseconds: 59_000_000)
        stack.handle(.progressed)
        stack.now = stack.now.advanced(microseconds: 59_000_000)
        stack.finish(.lost(.supervisionTimeout))
        #expect(stack.lifecycle.phase == .outOfRange)
        stack.now = stack.now.advanced(microseconds: 2_000_000)
        stack.finish(.paused)
        stack.finish(.failed(.peerNotFound(Self.home)))
        stack.finish(.linkedPeers([]))
        stack.finish(.failed(.peerNotFound(Self.home)))
        #expect(stack.reports.last == .failed(.peerNotFound(Self.home)))
        #expect(stack.violations.isEmpty)
    }

    @Test("An adapter that goes away in any phase leads to powered off, and back by itself")
    func power() {
        let paths: [[LifecycleOutcome]] = [
            [], [.failed(.peerNotFound(Self.home))],
            [.failed(.peerNotFound(Self.home)), .linkedPeers([])],
            [.failed(.peerNotFound(Self.home)), .linkedPeers([]), .heard(Self.away)],
            [.linked()], [.linked(), .secured], [.linked(), .secured, .services([Self.found])],
        ]
        for path in paths {
            var stack = StackReferee()
            stack.want(Self.known)
            for outcome in path { stack.finish(outcome) }
            stack.finish(.failed(.poweredOff))
            #expect(stack.lifecycle.phase == .poweredOff)
            #expect(stack.links.isEmpty)
            stack.finish(.powered)
            #expect(stack.lifecycle.phase == .restoring)
            #expect(stack.violations.isEmpty)
        }
        var stack = Self.connected()
        stack.finish(.lost(.adapterGone))
        #expect(stack.lifecycle.phase == .poweredOff)
    }

    @Test("Nothing begins before the adapter is on, and it is not waited for without end")
    func offAtFirst() {
        var stack = StackReferee()
        stack.isPowered = false
        stack.want(Self.named)
        #expect(stack.current?.operation == .awaitPower)
        stack.elapse()
        #expect(stack.reports.last == .failed(.poweredOff))
    }

    @Test("Every terminal error stops in the step that it comes in")
    func terminal() {
        let errors: [BluetoothError] = [
            .pairingRemoved(by: .peer), .pairingRemoved(by: .local),
            .authenticationRefused(.declined), .keyTooShort(wantedBits: 128, reachedBits: 56),
            .securityNotReached(wanted: .fips, reason: "no"),
        ]
        for error in errors {
            var stack = StackReferee()
            stack.want(Self.known)
            stack.finish(.linked())
            stack.finish(.failed(error))
            #expect(stack.reports.last == .failed(error))
            #expect(stack.lifecycle.phase == .disconnected)
            #expect(stack.violations.isEmpty)
        }
        var stack = StackReferee()
        stack.want(Self.known)
        stack.finish(.linked())
        stack.finish(.secured)
        stack.finish(.services([]))
        #expect(stack.reports.last == .failed(.noSuchService(Self.service)))
    }

    @Test("A stranger that refuses is passed over; the device itself would have ended it")
    func strangers() {
        var stack = StackReferee()
        stack.want(Self.known)
        stack.finish(.failed(.peerNotFound(Self.home)))
        stack.finish(.linkedPeers([]))
        stack.finish(.heard(Self.away))
        stack.finish(.linked())
        stack.finish(.failed(.authenticationRefused(.declined)))
        guard case .scan(_, let strangers) = stack.current?.operation else {
            Issue.record("no scan: \(stack.reports)")
            return
        }
        #expect(strangers == [Self.away])
        #expect(stack.violations.isEmpty)
    }

    @Test("A peer that turns out to be another device is left, and not asked again")
    func disowned() {
        var stack = Self.connected()
        stack.handle(.disowned)
        #expect(stack.links.isEmpty)
        #expect(stack.current?.operation == .findLinkedPeers(Self.service))
        stack.finish(.linkedPeers([Self.home, Self.away]))
        #expect(stack.current?.operation == .connect(Self.away))
        #expect(stack.violations.isEmpty)
    }

    @Test("Where no link is free it is queued for, and patience does not run out meanwhile")
    func queued() {
        var stack = StackReferee()
        stack.want(Self.known)
        for _ in 0..<1_000 {
            stack.finish(.failed(.connectionLimit))
            #expect(stack.lifecycle.phase == .outOfRange)
            stack.elapse()
        }
        #expect(stack.now.microseconds > Self.known.giveUpMicroseconds)
        stack.finish(.linked())
        #expect(stack.lifecycle.phase == .securing)
        #expect(stack.violations.isEmpty)
    }

    @Test("A link that comes up after its time is released, and nothing else changes")
    func lateLink() {
        var stack = StackReferee()
        stack.want(Self.known)
        let late = stack.tickets[0].ticket
        stack.elapse()
        let phase = stack.lifecycle.phase
        stack.end(late, .linked())
        #expect(stack.links.isEmpty)
        #expect(stack.lifecycle.phase == phase)
        stack.handle(.unwanted)
        stack.end(late, .linked())
        #expect(stack.links.isEmpty)
        #expect(stack.violations.isEmpty)
    }

    @Test("A device that resets on purpose is silent for its time, then restored, not scanned for")
    func resetting() throws {
        var stack = Self.connected()
        stack.handle(.resetting(microseconds: 1_500_000))
        let pause = try #require(stack.current)
        #expect(stack.deadlines[pause.ticket] == stack.now.advanced(microseconds: 1_500_000))
        #expect(stack.links.isEmpty)
        stack.finish(.paused)
        #expect(stack.current?.operation == .connect(Self.home))
        #expect(stack.violations.isEmpty)
    }

    @Test("What is not wanted any more leaves nothing behind, in whatever step it is")
    func unwanted() {
        let path: [LifecycleOutcome] = [
            .failed(.peerNotFound(Self.home)), .linkedPeers([]), .heard(Self.away), .linked(),
            .secured, .services([Self.found]), .characteristics([]), .lost(.remoteTerminated),
        ]
        for count in 0...path.count {
            var stack = StackReferee()
            stack.want(Self.known)
            for outcome in path[..<count] { stack.finish(outcome) }
            stack.handle(.unwanted)
            #expect(stack.running.isEmpty && stack.links.isEmpty)
            #expect(stack.violations.isEmpty)
        }
    }
}
