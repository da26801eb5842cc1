import Barge

/// One question at a time: there is one terminal, and many devices may be paired with at once.
actor ConsoleTurn {
    static let shared = ConsoleTurn()

    private var isTaken = false
    private var waiting: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
    private var nextNumber = 0

    /// How many wait for their turn.
    var waitingCount: Int { waiting.count }

    /// Asks a question when those before it are answered; refuses where its task is canceled before
    /// that.
    func take(_ ask: @Sendable () async -> PairingAnswer) async -> PairingAnswer {
        while isTaken, !Task.isCancelled { await wait() }
        guard !Task.isCancelled, !isTaken else {
            // The turn may have been handed to this one just before: it is the next one's.
            if !isTaken { wakeNext() }
            return .refuse
        }
        isTaken = true
        let answer = await ask()
        isTaken = false
        wakeNext()
        return answer
    }

    private func wakeNext() {
        if !waiting.isEmpty { waiting.removeFirst().continuation.resume() }
    }

    private func wait() async {
        nextNumber += 1
        let number = nextNumber
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation that came before the continuation was here wakes nobody.
                if Task.isCancelled { return continuation.resume() }
                waiting.append((number, continuation))
            }
        } onCancel: {
            Task { await self.leave(number) }
        }
    }

    private func leave(_ number: Int) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).continuation.resume()
    }
}
