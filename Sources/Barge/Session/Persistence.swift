import BargeProtocol
import Bluetooth

/// What an attempt on one session came to.
enum Verdict<Value> {
    /// All is done.
    case finished(Value)
    /// The device resets: it is awaited, and then the attempt is made again.
    /// - Parameters:
    ///   - silenceMicroseconds: before it is looked for.
    ///   - patienceMicroseconds: how long it may take after that.
    case resetting(silenceMicroseconds: UInt64, patienceMicroseconds: UInt64)
}

/// Goes on after whatever ends a session: the link's keeper finds the device again, and the attempt
/// is made anew, until it succeeds, fails for good, or nothing has moved for as long as the options
/// allow.
extension BargeHost {
    /// Runs `attempt` on a session, again and again where that may help.
    func persist<Value>(
        _ device: DeviceReference, log: TransferLog,
        _ attempt: (OpenSession<Backend.Connection>) async throws(BargeError) -> Value
    ) async throws(BargeError) -> Value {
        try await keep(device, log: log) { (session) throws(BargeError) in
            .finished(try await attempt(session))
        }
    }

    /// As ``persist(_:log:_:)``, for what lets the device reset in between.
    func keep<Value>(
        _ device: DeviceReference, log: TransferLog,
        _ attempt: (OpenSession<Backend.Connection>) async throws(BargeError) -> Verdict<Value>
    ) async throws(BargeError) -> Value {
        let link = DeviceLink(central: central, delegate: pairing, home: home)
        log.progressed = { link.progressed() }
        do throws(BargeError) {
            let value = try await run(device, on: link, log: log, attempt)
            await link.close()
            return value
        } catch {
            await link.close()
            throw error
        }
    }

    private func run<Value>(
        _ device: DeviceReference, on link: DeviceLink<Backend>, log: TransferLog,
        _ attempt: (OpenSession<Backend.Connection>) async throws(BargeError) -> Verdict<Value>
    ) async throws(BargeError) -> Value {
        var search = DeviceSearch(device, options)
        await link.want(search.goal)
        while true {
            switch try await nextReport(of: link) {
            case .entered(let phase):
                steps.step(phase.rawValue, at: central.now)
                search.entered(phase)
                if phase == .scanning, !search.isAwaitingReturn { log.tell(.scanning) }
            case .retrying(let error, let microseconds):
                let reason = search.reason(for: error)
                steps.step("\(reason.what): \(reason.why)", at: central.now)
                guard !search.isAwaitingReturn else { continue }
                log.tell(.interrupted(reason, retryMicroseconds: microseconds))
            case .failed(let error): throw search.failure(for: error)
            case .connected(_, let ticket, let characteristics):
                guard let connection = await link.connection(ticket) else { continue }
                let value = try await meet(
                    connection, characteristics, of: link, &search, log: log, attempt)
                if let value { return value }
            }
        }
    }

    private func nextReport(
        of link: DeviceLink<Backend>
    ) async throws(BargeError) -> LifecycleReport {
        do throws(BluetoothError) {
            return try await link.nextReport()
        } catch {
            throw BargeError(error, while: "connecting")
        }
    }

    /// Opens a session on a link, and uses it if it is with the device that is wanted; nil where
    /// another link is needed.
    private func meet<Value>(
        _ connection: Backend.Connection, _ characteristics: [GATTCharacteristic],
        of link: DeviceLink<Backend>, _ search: inout DeviceSearch, log: TransferLog,
        _ attempt: (OpenSession<Backend.Connection>) async throws(BargeError) -> Verdict<Value>
    ) async throws(BargeError) -> Value? {
        let session: OpenSession<Backend.Connection>
        do throws(BargeError) {
            session = try await openSession(on: connection, characteristics)
        } catch {
            try await sessionFailed(error, at: connection.peer, of: link, &search)
            return nil
        }
        switch search.judge(session.hello, at: connection.peer) {
        case .isAnother:
            await session.close()
            await link.disowned()
            return nil
        case .isNotBackYet:
            await session.close()
            await link.broken(.notConnected)
            return nil
        case .isWanted: break
        }
        await link.want(search.goal)
        note(session, log)
        return try await use(session, of: link, &search, log: log, attempt)
    }

    /// Tells who is there and how it is reached, and remembers where.
    private func note(_ session: OpenSession<Backend.Connection>, _ log: TransferLog) {
        log.tell(.connected(session.connection.parameters))
        log.opened(session.route)
        let sighting = DeviceSighting(session.hello, at: session.connection.peer)
        log.tell(.met(sighting))
        remember(sighting)
    }

    /// One attempt on a session; nil where another one is needed.
    private func use<Value>(
        _ session: OpenSession<Backend.Connection>, of link: DeviceLink<Backend>,
        _ search: inout DeviceSearch, log: TransferLog,
        _ attempt: (OpenSession<Backend.Connection>) async throws(BargeError) -> Verdict<Value>
    ) async throws(BargeError) -> Value? {
        do throws(BargeError) {
            let verdict = try await attempt(session)
            await session.close()
            log.ended(session.driver)
            switch verdict {
            case .finished(let value): return value
            case .resetting(let silence, let patience):
                search.awaitReturn(of: session.hello, patienceMicroseconds: patience)
                await link.want(search.goal)
                await link.resetting(microseconds: silence)
                return nil
            }
        } catch {
            await session.close()
            log.ended(session.driver)
            try await sessionFailed(error, at: session.connection.peer, of: link, &search)
            return nil
        }
    }

    /// A session failed: for good, or so that another one may end better.
    private func sessionFailed(
        _ error: BargeError, at peer: PeerID, of link: DeviceLink<Backend>,
        _ search: inout DeviceSearch
    ) async throws(BargeError) {
        guard !Task.isCancelled else { throw error }
        if error.recovery != .giveUp {
            search.lastError = error
            await link.broken(.channelClosed)
        } else if search.mayBeAnother(peer) {
            // What cannot be talked to is not the one that was talked to before.
            await link.disowned()
        } else {
            throw error
        }
    }
}
