/// Failures that are planned for coming calls, by kind of operation.
struct PlannedFailures<Operation: Hashable & Sendable>: Sendable {
    private struct Plan: Sendable {
        let operation: Operation
        var callsBefore: Int
        let isPersistent: Bool
        var isOver = false
    }

    private var plans: [Plan] = []

    /// Plans that the call with the given number, counted from 0 from now on, fails: once or with
    /// all after it.
    mutating func add(_ operation: Operation, atCall call: Int, persistently: Bool) {
        precondition(call >= 0, "a failure cannot lie in the past")
        plans.append(Plan(operation: operation, callsBefore: call, isPersistent: persistently))
    }

    /// Forgets all plans.
    mutating func removeAll() {
        plans.removeAll()
    }

    /// Counts a call, and answers whether it is to fail.
    mutating func strike(_ operation: Operation) -> Bool {
        guard !plans.isEmpty else { return false }
        var isDue = false
        for index in plans.indices where plans[index].operation == operation {
            if plans[index].callsBefore > 0 {
                plans[index].callsBefore -= 1
            } else {
                isDue = true
                plans[index].isOver = !plans[index].isPersistent
            }
        }
        plans.removeAll { $0.isOver }
        return isDue
    }
}
