/// What came of one device of many.
public struct FleetResult<ID: Sendable, Value: Sendable, Failure: Error>: Sendable {
    /// The device.
    public let device: ID
    /// What came of it.
    public let outcome: Outcome

    /// What can come of a device.
    public enum Outcome: Sendable {
        /// Its job was done.
        case succeeded(Value)
        /// Its job was not done.
        case failed(Failure)
        /// Its turn never came.
        case notStarted(FleetHalt)
    }

    /// A result.
    public init(device: ID, outcome: Outcome) {
        self.device = device
        self.outcome = outcome
    }
}

extension FleetResult.Outcome: Equatable where Value: Equatable, Failure: Equatable {}
extension FleetResult: Equatable where ID: Equatable, Value: Equatable, Failure: Equatable {}
