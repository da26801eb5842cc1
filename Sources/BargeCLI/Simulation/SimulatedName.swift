import Barge

extension String {
    /// What follows `sim:`.
    var simulatedName: String? { hasPrefix("sim:") ? String(dropFirst(4)) : nil }
}

extension PeerID {
    /// The name of the simulated device that has this address, or had it.
    var simulatedName: String? {
        guard let name = rawValue.simulatedName else { return nil }
        return name.split(separator: "#", maxSplits: 1).first.map(String.init)
    }

    /// What a person calls it: a simulated device by its name, wherever it is.
    var deviceText: String { (simulatedName.map { "sim:" + $0 } ?? rawValue).printable }
}
