import Bluetooth
import BluetoothSimulation
import Synchronization

@testable import Barge

/// What happened in a voyage, and when: the moments at which something may go wrong.
final class Course: Sendable {
    struct Mark: Hashable, Sendable {
        let microseconds: UInt64
        let name: String
    }

    private let marks = Mutex<[Mark]>([])

    /// A host that tells this course what it does.
    func host(in harbor: Harbor, _ options: HostOptions = HostOptions()) -> BargeHost<
        SimulatedCentral
    > {
        var host = BargeHost(central: harbor.radio.central, options: options)
        let radio = harbor.radio
        host.trace = { [self] line in
            let microseconds = radio.now.microseconds
            // The first word is the time, the second an arrow or the phase.
            let words = line.text.split(separator: " ")
            let name = words.dropFirst().prefix(line.detail == .frame ? 2 : 1).joined(
                separator: " ")
            marks.withLock { $0.append(Mark(microseconds: microseconds, name: name)) }
        }
        return host
    }

    /// The first moment of each phase and of each kind of frame since the last reset or so.
    var turns: [Mark] {
        var seen: Set<String> = []
        return marks.withLock { marks in marks.filter { seen.insert($0.name).inserted } }
    }
}
