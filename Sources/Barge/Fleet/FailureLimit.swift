/// How many failures a run over many devices bears: with one more, nothing new starts.
public enum FailureLimit: Hashable, Sendable {
    /// So many devices.
    case count(Int)
    /// So many of a hundred of all devices of the run, whether they have started or not.
    case percent(Double)

    /// Whether so many failures are more than the limit allows.
    public func isExceeded(by failures: Int, of devices: Int) -> Bool {
        switch self {
        case .count(let most): failures > most
        // A limit that a fraction of a device meets exactly must not be missed by a rounding:
        // 1.1 % of 3000 devices are 33, and in binary a little less or more.
        case .percent(let most):
            Double(failures) * 100 > most * Double(devices) * (1 + Self.rounding)
        }
    }

    /// More than three roundings of a Double add up to (2^-53 each), less than any device counts.
    private static let rounding = 1e-12
}
