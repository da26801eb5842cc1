/// The physical layer of the simulated link (Core 6.0, Vol 6, Part A, 1).
enum PHYChoice: String, CaseIterable, Sendable {
    case oneM = "1m"
    case twoM = "2m"
    case codedS2 = "coded-s2"
    case codedS8 = "coded-s8"
}

/// Whether simulated time passes as fast as time, or as fast as the computer can.
enum PaceChoice: String, CaseIterable, Sendable {
    case realtime, max
}
