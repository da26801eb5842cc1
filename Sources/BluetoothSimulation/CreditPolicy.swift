/// How a receiver grants the credits of LE credit based flow control (Core 5.4, Vol 3, Part A,
/// 10.1). One credit lets the peer send one K-frame.
///
/// Sizes of buffers count payload: what a kernel spends on its own bookkeeping for each packet
/// is left out (a Linux socket with its default buffer of 212 992 bytes holds 80 K-frames of 247).
/// Returns that still wait for the air are merged into one.
public enum CreditPolicy: Hashable, Sendable {
    /// Linux from 6.1.93 and 6.8.12 on: MTU / MPS + 1 at first, then as many as the receive buffer
    /// has room for; returned after each SDU and after each read. Nothing is lost.
    case kernelModern
    /// Linux before that: topped up to MTU / MPS + 1 after each SDU, whether or not the
    /// application reads. An SDU that finds the buffer full is **lost, silently**, as it was there.
    case kernelBefore6_1_93
    /// One at a time, given back when the buffer has room: many a microcontroller.
    case one
    /// So many at first; back up to so many when half are used, as far as the buffer has room.
    case fixed(Int)
}

/// The receiving end's account of credits.
struct CreditAccount {
    let policy: CreditPolicy
    let mpsBytes: Int
    let mtuBytes: Int
    let bufferBytes: Int
    /// Credits that the peer still has.
    private(set) var outstanding: Int
    /// False until the first SDU is complete: before that, Linux does not look at its buffer.
    private var hasQueuedSDU = false

    init(policy: CreditPolicy, mpsBytes: Int, mtuBytes: Int, bufferBytes: Int) {
        self.policy = policy
        self.mpsBytes = mpsBytes
        self.mtuBytes = mtuBytes
        self.bufferBytes = bufferBytes
        outstanding = 0
        outstanding = target(heldBytes: 0, partialBytes: 0)
    }

    /// Whether SDUs that find the buffer full are thrown away.
    var losesWhenFull: Bool { policy == .kernelBefore6_1_93 }

    mutating func frameArrived() {
        precondition(outstanding > 0, "a K-frame without a credit")
        outstanding -= 1
    }

    /// What to give back after a K-frame; `completesSDU` where it was the last of its SDU.
    mutating func returnAfterFrame(completesSDU: Bool, heldBytes: Int, partialBytes: Int) -> Int {
        if completesSDU { hasQueuedSDU = true }
        switch policy {
        case .kernelModern, .kernelBefore6_1_93:
            guard completesSDU || outstanding == 0 else { return 0 }
        case .one, .fixed:
            break
        }
        return grant(heldBytes: heldBytes, partialBytes: partialBytes)
    }

    /// What to give back after the application has read.
    mutating func returnAfterRead(heldBytes: Int, partialBytes: Int) -> Int {
        if policy == .kernelBefore6_1_93 { return 0 }
        return grant(heldBytes: heldBytes, partialBytes: partialBytes)
    }

    private mutating func grant(heldBytes: Int, partialBytes: Int) -> Int {
        let wanted = target(heldBytes: heldBytes, partialBytes: partialBytes)
        if case .fixed = policy, outstanding > wanted / 2 { return 0 }
        guard wanted > outstanding else { return 0 }
        defer { outstanding = wanted }
        return wanted - outstanding
    }

    private func target(heldBytes: Int, partialBytes: Int) -> Int {
        let available = bufferBytes - heldBytes
        let room = max(0, available - partialBytes)
        let roomFrames = (room + mpsBytes - 1) / mpsBytes
        switch policy {
        case .kernelModern:
            return min(hasQueuedSDU ? roomFrames : mtuBytes / mpsBytes + 1, Self.maximum)
        case .kernelBefore6_1_93:
            return min(mtuBytes / mpsBytes + 1, Self.maximum)
        case .one:
            return available > 0 ? 1 : 0
        case .fixed(let count):
            return min(count, available > 0 ? max(roomFrames, 1) : 0, Self.maximum)
        }
    }

    /// More than that disconnects the channel (Core 5.4, Vol 3, Part A, 10.1).
    private static let maximum = 65535
}
