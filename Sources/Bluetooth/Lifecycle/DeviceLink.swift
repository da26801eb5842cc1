import Synchronization

/// The link to one device, kept: carries out what a ``ConnectionLifecycle`` decides, on a backend,
/// and tells it what came of it.
///
/// ``want(_:)`` begins, ``nextReport()`` tells what happens, and ``close()`` ends: after it nothing
/// runs any more, no link stands, and no timer waits. Whoever only wants a link calls
/// ``connect(_:)``. Calls may come from several tasks.
///
/// Each operation runs in a task of its own, so that it can be called off at any point, and beside
/// it a timer a little behind its deadline: a stack that never answers costs a step, not the
/// connection.
public actor DeviceLink<Backend: Central> {
    let central: Backend
    let delegate: (any PairingDelegate)?
    private nonisolated let home: any Actor
    private var lifecycle = ConnectionLifecycle()
    private var operations: [LifecycleTicket: Task<Void, Never>] = [:]
    private var timers: [LifecycleTicket: Task<Void, Never>] = [:]
    var links: [LifecycleTicket: Backend.Connection] = [:]
    /// Links that are being ended: what comes next waits for that.
    private var releases: [LifecycleTicket: Task<Void, Never>] = [:]
    private var reports: [LifecycleReport] = []
    private var reader: CheckedContinuation<Void, Never>?
    /// Counts readers and closings; only the latest reader is told anything.
    private var latestReading: UInt64 = 0
    private let observers: AsyncStream<LifecycleReport>.Continuation
    /// When something moved last, where the lifecycle does not know of it yet.
    private nonisolated let progress = Mutex<LinkInstant?>(nil)

    /// The same reports as those of ``nextReport()``, for whoever only watches: a watcher that is
    /// slower loses the oldest ones beyond ``mostWaiting``. For one watcher; it ends with the
    /// link's last owner.
    public nonisolated let events: AsyncStream<LifecycleReport>

    /// The most reports that wait for a watcher.
    public static var mostWaiting: Int { 256 }

    /// Runs on its owner's executor: what drives a transfer and what keeps its link never run at
    /// the same time, so that virtual time stands still while either computes.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { home.unownedExecutor }

    /// A link that does not exist yet.
    /// - Parameters:
    ///   - delegate: answers what pairing asks.
    ///   - home: the actor whose executor it shares; nil for one of its own.
    public init(
        central: Backend, delegate: (any PairingDelegate)? = nil, home: (any Actor)? = nil
    ) {
        self.central = central
        self.delegate = delegate
        self.home = home ?? LinkHome()
        (events, observers) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.mostWaiting))
    }

    deinit { observers.finish() }

    // MARK: What its owner says

    /// Begins to reach a device, or changes what is known of it.
    public func want(_ goal: LinkGoal) {
        handle(.wanted(goal, isPowered: central.isPowered))
    }

    /// Something moved: patience begins anew. Said as often as one likes, and without waiting: who
    /// learns of a loss first, this link or its user, must not decide whether patience has ended.
    public nonisolated func progressed() {
        let now = central.now
        progress.withLock { $0 = now }
    }

    /// The link, or what runs on it, is of no use any more.
    public func broken(_ error: BluetoothError) { handle(.broken(error)) }

    /// The device at the other end is another one.
    public func disowned() { handle(.disowned) }

    /// The device goes away on purpose, and is silent for so many µs.
    public func resetting(microseconds: UInt64) { handle(.resetting(microseconds: microseconds)) }

    /// How many operations, timers and links, those that are being ended included, it has.
    var holdings: Int { operations.count + timers.count + links.count + releases.count }

    /// Where the connection stands.
    public var phase: ConnectionLifecycle.Phase { lifecycle.phase }

    /// The link that a report told of; nil where it is gone.
    public func connection(_ ticket: LifecycleTicket) -> Backend.Connection? { links[ticket] }

    /// Ends everything, and waits until it has ended. Whoever waits for a report is told
    /// ``BluetoothError/canceled``. A device that is wanted again meanwhile is not waited for.
    public func close() async {
        handle(.unwanted)
        reports.removeAll()
        _ = beginReading()
        let ending = Array(operations.values) + Array(timers.values)
        for task in ending { await task.value }
        // Among these are those of links that came up too late.
        for release in Array(releases.values) { await release.value }
    }

    /// Waits for the next report. For one reader at a time: an earlier one is told
    /// ``BluetoothError/canceled``, and so is whoever waits where nothing is wanted.
    public func nextReport() async throws(BluetoothError) -> LifecycleReport {
        try await nextReport(beginReading())
    }

    /// Reaches a device: retries what may pass, and throws what will not.
    public func connect(
        _ goal: LinkGoal
    ) async throws(BluetoothError) -> (Backend.Connection, [GATTCharacteristic]) {
        want(goal)
        let reading = beginReading()
        do throws(BluetoothError) {
            while true {
                switch try await nextReport(reading) {
                case .connected(_, let ticket, let characteristics):
                    if let link = links[ticket] { return (link, characteristics) }
                case .failed(let error): throw error
                case .entered, .retrying: continue
                }
            }
        } catch {
            // Where another one reads by now, the link is that one's.
            if reading == latestReading { await close() }
            throw error
        }
    }

    /// Reports go to whoever comes last.
    private func beginReading() -> UInt64 {
        latestReading += 1
        wakeReader()
        return latestReading
    }

    private func nextReport(
        _ reading: UInt64
    ) async throws(BluetoothError) -> LifecycleReport {
        while true {
            guard !Task.isCancelled, reading == latestReading else { throw .canceled }
            if !reports.isEmpty { return reports.removeFirst() }
            guard lifecycle.phase != .disconnected else { throw .canceled }
            await reportOrCancellation()
        }
    }

    private func reportOrCancellation() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation that came before the continuation was here wakes nobody.
                if Task.isCancelled { return continuation.resume() }
                reader = continuation
            }
        } onCancel: {
            Task { await self.wakeReader() }
        }
    }

    // MARK: Carrying out

    private func handle(_ event: LifecycleEvent) {
        if let moved = progress.withLock({ $0.take() }) {
            _ = lifecycle.handle(.progressed, at: moved)
        }
        for effect in lifecycle.handle(event, at: central.now) {
            switch effect {
            case .begin(let ticket, let operation, let deadline):
                begin(ticket, operation, until: deadline)
            case .cancel(let ticket):
                operations[ticket]?.cancel()
                timers[ticket]?.cancel()
            case .release(let ticket): release(ticket)
            case .report(let report): tell(report)
            }
        }
    }

    private func begin(
        _ ticket: LifecycleTicket, _ operation: LifecycleOperation, until deadline: LinkInstant
    ) {
        operations[ticket] = Task {
            await self.releasesEnded()
            let outcome = await self.run(ticket, operation, until: deadline)
            self.operations[ticket] = nil
            self.timers[ticket]?.cancel()
            self.handle(.ended(ticket, outcome))
        }
        switch operation {
        // The one keeps time by itself, the other has all the time there is.
        case .pause, .watch: break
        case .awaitPower, .scan, .findLinkedPeers, .connect, .secure, .discoverServices,
            .discoverCharacteristics:
            startTimer(ticket, deadline.advanced(microseconds: Self.graceMicroseconds))
        }
    }

    private func startTimer(_ ticket: LifecycleTicket, _ deadline: LinkInstant) {
        timers[ticket] = Task {
            do throws(BluetoothError) {
                try await self.central.waitBeside(until: deadline)
                self.handle(.elapsed(ticket))
            } catch {
                // Called off: the operation ended in time.
            }
            self.timers[ticket] = nil
        }
    }

    private func release(_ ticket: LifecycleTicket) {
        guard let link = links.removeValue(forKey: ticket) else { return }
        releases[ticket] = Task {
            await link.disconnect()
            self.releases[ticket] = nil
        }
    }

    /// A link that is still going must not be taken for a new one.
    private func releasesEnded() async {
        while let (_, release) = releases.first { await release.value }
    }

    private func tell(_ report: LifecycleReport) {
        observers.yield(report)
        reports.append(report)
        wakeReader()
    }

    private func wakeReader() {
        reader?.resume()
        reader = nil
    }

    /// What an operation that keeps its deadline needs to say so itself.
    private static var graceMicroseconds: UInt64 { 1_000_000 }
}

/// The executor of a link that shares nobody's.
private actor LinkHome {}
