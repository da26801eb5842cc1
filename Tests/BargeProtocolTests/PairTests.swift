import BargeProtocol
import Testing

@Suite("Two machines back to back")
struct PairTests {
    private static func content(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return random.bytes(count)
    }

    private let whole: [TestHost.Job] = [
        .push("new", content(5000)), .pull("new", have: []), .pull("old", have: content(1000)),
        .push("new", content(5000)), .list, .echo([1, 2, 3]), .pull("none", have: []),
        .push("empty", []), .finish,
    ]
    private let expected: [TestHost.Outcome] = [
        .pushed(sentBytes: 5000), .pulled(content(5000)), .pulled(content(3000)),
        .pushed(sentBytes: 0), .listed(["new", "old"]), .echoed([1, 2, 3]), .refused(.notFound),
        .pushed(sentBytes: 0), .finished,
    ]

    @Test("A whole session over a stream that is cut anywhere (BTP-010)", arguments: 1...20)
    func stream(seed: UInt64) {
        var pair = Pair(
            StreamLink(), jobs: whole, files: ["old": Self.content(3000)], seed: seed)
        pair.run()
        #expect(pair.host.outcomes == expected)
        #expect(pair.host.session.isOver && pair.device.session.isOver, "BTP-048")
        #expect(pair.device.files[Array("new".utf8)] == Self.content(5000))
        #expect(pair.device.files[Array("empty".utf8)] == [], "BTP-068")
        // 5000 bytes up and down, and 2000 more down, in blocks of 256.
        #expect(pair.referee.blockCount == 20 + 20 + 8)
    }

    @Test(
        "The same session over the GATT pipe, from the smallest ATT MTU to the largest value",
        arguments: [20, 61, 244, 495, 512], [1, 2, 32, 64] as [UInt32])
    func gatt(valueBytes: Int, creditValues: UInt32) {
        let link = GATTLink(valueBytes: valueBytes, creditValues: creditValues)
        var pair = Pair(link, jobs: whole, files: ["old": Self.content(3000)])
        pair.run()
        #expect(pair.host.outcomes == expected)
        #expect(pair.link.brokenAt.isEmpty)
        #expect(pair.link.largestFlight <= Int(creditValues), "BTP-022")
        #expect(pair.link.largestFlight > 0)
    }

    @Test("Terms that differ: each side keeps to what the other one announced (BTP-044, BTP-055)")
    func unequalTerms() {
        let large = Hello.testing(blockBytes: 4096, windowBytes: 65_536)
        let small = Hello.testing(blockBytes: 512, windowBytes: 700)
        for (host, device) in [(large, small), (small, large)] {
            let jobs: [TestHost.Job] = [
                .push("a", Self.content(9000)), .pull("a", have: []), .finish,
            ]
            var pair = Pair(StreamLink(), jobs: jobs, host: host, device: device)
            pair.run()
            let outcomes: [TestHost.Outcome] = [
                .pushed(sentBytes: 9000), .pulled(Self.content(9000)), .finished,
            ]
            #expect(pair.host.outcomes == outcomes)
            #expect(pair.referee.blockCount == 36)
        }
    }

    @Test("A list of 70 files takes three pages (BTP-081)")
    func pages() {
        let names = (100..<170).map { "file-\($0)" }
        let files = Dictionary(
            uniqueKeysWithValues: names.map { ($0, [UInt8](repeating: 1, count: 3)) })
        var pair = Pair(StreamLink(), jobs: [.list, .finish], files: files)
        pair.run()
        #expect(pair.host.outcomes == [.listed(names), .finished])
    }

    @Test("A broken upload goes on in the next session where the device says (BTP-060, BTP-064)")
    func resume() {
        var resumed = 0
        for steps in stride(from: 1, to: 400, by: 7) {
            let content = Self.content(5000)
            var pair = Pair(StreamLink(), jobs: [.push("a", content), .finish])
            pair.run(steps: steps)
            let held = pair.device.progress.count
            var device = pair.device
            device.reconnect()
            var next = Pair(StreamLink(), jobs: [.push("a", content), .finish])
            next.device = device
            next.run()
            let isThere = device.files[Array("a".utf8)] != nil
            let sent = isThere ? 0 : 5000 - held
            #expect(next.host.outcomes == [.pushed(sentBytes: sent), .finished])
            #expect(next.device.files[Array("a".utf8)] == content)
            resumed += held > 0 ? 1 : 0
        }
        #expect(resumed > 10, "most of the cuts were within the upload")
    }

    @Test("A host whose bytes differ from what the device holds starts over (BTP-061)")
    func otherPrefix() {
        let content = Self.content(2000)
        var first = Pair(StreamLink(), jobs: [.push("a", content)])
        first.run(steps: 60)
        #expect(!first.device.progress.isEmpty)
        var device = first.device
        device.reconnect()
        device.damageProgress()
        var next = Pair(StreamLink(), jobs: [.push("a", content), .finish])
        next.device = device
        next.run()
        #expect(next.host.outcomes == [.pushed(sentBytes: 2000), .finished])
        #expect(next.device.files[Array("a".utf8)] == content)
    }

    @Test("Any value that gets lost breaks the GATT pipe on one side at least (BTP-025, BTP-026)")
    func anyLoss() {
        var count = 0
        var isThere = true
        while isThere {
            isThere = false
            var seen = 0
            let lost = count
            var link = GATTLink(valueBytes: 61, creditValues: 8)
            let flag = Flag()
            link.losing = { _, value in
                // Control values are repeated or asked for again; data is what must be missed.
                guard value[0] & 0x80 == 0 else { return false }
                defer { seen += 1 }
                if seen == lost { flag.isSet = true }
                return seen == lost
            }
            var pair = Pair(link, jobs: [.push("a", Self.content(700)), .pull("a", have: [])])
            pair.run()
            pair.link.stall()
            pair.run()
            isThere = flag.isSet
            if isThere {
                #expect(!pair.link.brokenAt.isEmpty, "value \(lost) was not missed")
                count += 1
            }
        }
        #expect(count > 30)
    }

    /// What a closure has seen.
    private final class Flag { var isSet = false }

    @Test("A control value that gets lost is made up for after a second (BTP-026, BTP-028)")
    func lostControl() {
        for lost in 0..<12 {
            var seen = 0
            var link = GATTLink(valueBytes: 61, creditValues: 8)
            link.losing = { _, value in
                guard value[0] & 0x80 != 0 else { return false }
                defer { seen += 1 }
                return seen == lost
            }
            let jobs: [TestHost.Job] = [.push("a", Self.content(700)), .finish]
            var pair = Pair(link, jobs: jobs)
            for _ in 0..<3 where pair.host.outcomes.count < 2 {
                pair.run()
                pair.link.stall()
            }
            // A lost OPENED takes what followed it along: there the pipe breaks, and says so.
            let isDone = pair.host.outcomes == [.pushed(sentBytes: 700), .finished]
            #expect(isDone || !pair.link.brokenAt.isEmpty, "control value \(lost)")
        }
    }
}
