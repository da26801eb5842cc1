import BargeProtocol
import Bluetooth

/// Goes on after a lost link: back-off, and an end to it where nothing moves any more.
extension BargeHost {
    /// Runs `attempt` until it succeeds, fails for good, or has made no progress for as long as
    /// the options allow.
    func persist<Value>(
        _ device: DeviceReference, log: TransferLog,
        _ attempt: (OpenSession<Backend.Connection>) async throws(BargeError) -> Value
    ) async throws(BargeError) -> Value {
        var patience = Patience(
            device: device, now: central.now, giveUpMicroseconds: options.giveUpMicroseconds)
        while true {
            do throws(BargeError) {
                return try await once(device, log: log, attempt)
            } catch {
                guard error.recovery != .giveUp, !Task.isCancelled else { throw error }
                patience.note(progress: log.highestOffset, now: central.now)
                guard let pause = patience.nextPause(now: central.now) else { throw error }
                log.tell(.interrupted(error, retryMicroseconds: pause))
                try await sleep(pause)
            }
        }
    }

    /// One session: opened, used, and closed whatever comes of it.
    func once<Value>(
        _ device: DeviceReference, log: TransferLog,
        _ attempt: (OpenSession<Backend.Connection>) async throws(BargeError) -> Value
    ) async throws(BargeError) -> Value {
        let session = try await openSession(device, log: log)
        do throws(BargeError) {
            let value = try await attempt(session)
            await session.close()
            log.ended(session.driver)
            return value
        } catch {
            // A session that is idle can still say FIN; one in mid-transfer has nothing to say.
            if session.driver.session.isIdle {
                await session.close()
            } else {
                await session.abandon()
            }
            log.ended(session.driver)
            throw error
        }
    }

    func sleep(_ microseconds: UInt64) async throws(BargeError) {
        do throws(BluetoothError) {
            try await central.sleep(until: central.now.advanced(microseconds: microseconds))
        } catch {
            throw BargeError(error, while: "waiting")
        }
    }
}

/// How long to wait before the next try, and when to stop trying (1 s, 2 s, 4 s … 30 s, each
/// ±20 %). Progress starts it anew.
struct Patience {
    private let giveUpMicroseconds: UInt64
    private var jitter: UInt64
    private var lastProgress: LinkInstant
    private var highest: UInt64 = 0
    private var failures: UInt64 = 0

    private static let firstPause: UInt64 = 1_000_000
    private static let longestPause: UInt64 = 30_000_000

    init(device: DeviceReference, now: LinkInstant, giveUpMicroseconds: UInt64) {
        self.giveUpMicroseconds = giveUpMicroseconds
        lastProgress = now
        // Jitter keeps many hosts from knocking at once; it need not be secret, and one that
        // follows from the device keeps simulated runs alike.
        jitter = "\(device)".utf8.reduce(0xCBF2_9CE4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
    }

    mutating func note(progress: UInt64, now: LinkInstant) {
        guard progress > highest else { return }
        highest = progress
        failures = 0
        lastProgress = now
    }

    /// µs to wait; nil where it is time to give up.
    mutating func nextPause(now: LinkInstant) -> UInt64? {
        guard now.microseconds(since: lastProgress) < giveUpMicroseconds else { return nil }
        let base = min(Self.firstPause << min(failures, 5), Self.longestPause)
        failures += 1
        jitter = jitter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let share = (jitter >> 33) % 401
        return base * (800 + share) / 1000
    }
}
