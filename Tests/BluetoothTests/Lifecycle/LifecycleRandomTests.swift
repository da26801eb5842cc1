import Bluetooth
import Testing

@Suite("A lifecycle among events in any order")
struct LifecycleRandomTests {
    private static let peers = ["a", "b", "c"].map { PeerID($0) }
    private static let service = BluetoothUUID(0x1234)

    @Test("Whatever comes, late or out of turn, leads to lawful effects", arguments: 0..<200)
    func anything(seed: Int) {
        var dice = Dice(seed: UInt64(seed))
        var stack = StackReferee()
        for _ in 0..<400 {
            Self.happen(&stack, &dice)
            if !stack.violations.isEmpty { break }
        }
        stack.handle(.unwanted)
        #expect(stack.violations.isEmpty, "seed \(seed)")
        #expect(stack.running.isEmpty && stack.links.isEmpty)
    }

    @Test("Once nothing goes wrong any more it connects within the deadlines of its steps")
    func quiet() {
        for seed: UInt64 in 0..<100 {
            var dice = Dice(seed: seed)
            var stack = StackReferee()
            for _ in 0..<100 { Self.happen(&stack, &dice) }
            var goal = LinkGoal(peers: [Self.peers[0]], service: Self.service)
            goal.wasSeen = true
            stack.handle(.unwanted)
            stack.isPowered = true
            stack.want(goal)
            for _ in 0..<8 where stack.lifecycle.phase != .connected {
                guard let operation = stack.current?.operation else { break }
                stack.finish(Self.success(of: operation))
            }
            #expect(stack.lifecycle.phase == .connected, "seed \(seed)")
        }
    }

    @Test("The referee sees an operation too many, a link too many, and a ticket used twice")
    func referee() {
        var stack = StackReferee()
        stack.want(LinkGoal(peers: Self.peers))
        let ticket = stack.tickets[0].ticket
        stack.begin(ticket, .pause, .zero)
        #expect(
            stack.violations == [
                "used a ticket twice", "two operations at once", "a deadline in the past",
            ])
    }

    private static func happen(_ stack: inout StackReferee, _ dice: inout Dice) {
        stack.now = stack.now.advanced(microseconds: dice.roll(5_000_000))
        let tickets = stack.tickets.map(\.ticket)
        switch dice.roll(16) {
        case 0: stack.want(goal(&dice))
        case 1: stack.handle(.unwanted)
        case 2: stack.handle(.broken(error(&dice)))
        case 3: stack.handle(.disowned)
        case 4: stack.handle(.resetting(microseconds: dice.roll(3_000_000)))
        case 5: stack.handle(.progressed)
        case 6: stack.elapse()
        case 7 where !tickets.isEmpty: stack.handle(.elapsed(dice.pick(tickets)))
        case 8, 9:
            // Late, or of an operation that was called off.
            guard !tickets.isEmpty else { return }
            let ticket = dice.pick(tickets)
            if stack.running[ticket] == nil { stack.end(ticket, outcome(&dice)) }
        case 10, 11:
            guard stack.current != nil else { return }
            stack.finish(.failed(error(&dice)))
        case 12:
            // An outcome that need not fit: a fault of the stack, which has no link then.
            guard let current = stack.current else { return }
            let odd = outcome(&dice)
            if case .connect = current.operation { return }
            stack.handle(.ended(current.ticket, fitting(odd, current.operation)))
        default:
            guard let operation = stack.current?.operation else { return }
            stack.finish(success(of: operation))
        }
    }

    /// Anything but a link from an operation that brings none, and anything but an end that is
    /// none: the referee could not keep its books.
    private static func fitting(
        _ outcome: LifecycleOutcome, _ operation: LifecycleOperation
    ) -> LifecycleOutcome {
        switch outcome {
        case .heard, .heardNobody, .linked, .powered, .paused, .lost, .secured, .services,
            .characteristics,
            .linkedPeers, .failed:
            if case .watch = operation { .heard(PeerID("odd")) } else { .lost(.remoteTerminated) }
        }
    }

    private static func success(of operation: LifecycleOperation) -> LifecycleOutcome {
        switch operation {
        case .awaitPower: .powered
        case .scan: .heard(peers[1])
        case .findLinkedPeers: .linkedPeers([peers[2]])
        case .connect: .linked()
        case .secure: .secured
        case .discoverServices: .services([GATTService(uuid: service, handles: 1...4)])
        case .discoverCharacteristics: .characteristics([])
        case .watch: .lost(.supervisionTimeout)
        case .pause: .paused
        }
    }

    private static func outcome(_ dice: inout Dice) -> LifecycleOutcome {
        let all: [LifecycleOutcome] = [
            .powered, .heard(peers[0]), .heardNobody, .linkedPeers(peers), .linked(), .secured,
            .services([]),
            .characteristics([]), .paused, .lost(.remoteTerminated), .failed(error(&dice)),
        ]
        return dice.pick(all)
    }

    private static func error(_ dice: inout Dice) -> BluetoothError {
        dice.pick([
            .poweredOff, .connectionLimit, .peerNotFound(peers[0]), .timedOut("x"),
            .linkLost(.supervisionTimeout), .linkLost(.adapterGone), .pairingRemoved(by: .peer),
            .noSuchService(service), .channelClosed, .canceled,
        ])
    }

    private static func goal(_ dice: inout Dice) -> LinkGoal {
        var goal = LinkGoal(peers: Array(peers.prefix(Int(dice.roll(4)))))
        if dice.roll(2) == 0 {
            goal.filter = ScanFilter()
            goal.checksIdentity = dice.roll(2) == 0
        }
        if dice.roll(3) > 0 { goal.service = service }
        if dice.roll(4) == 0 { goal.security = .none }
        goal.wasSeen = dice.roll(2) == 0
        return goal
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in `0..<bound`.
    mutating func roll(_ bound: UInt64) -> UInt64 { next() % bound }

    mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int(roll(UInt64(list.count)))]
    }
}
