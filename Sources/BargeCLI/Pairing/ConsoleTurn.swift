import Barge

/// One question at a time: there is one terminal, and many devices may be paired with at once.
actor ConsoleTurn {
    static let shared = ConsoleTurn()

    private var isTaken = false
    private var waiting: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
    private var nextNumber = 0

    /// Asks a question when those before it are answered; refuses where its task is canceled before
    /// that.
    func take(_ ask: @Sendable () async -> PairingAnswer) async -> PairingAnswer {
        while isTaken, !Task.isCancelled { await wait() }
        guard !Task.isCancelled, !isTaken else { return .refuse }
        isTaken = true
        let answer = await ask()
        isTaken = false
        if !waiting.isEmpty { waiting.removeFirst().continuation.resume() }
        return answer
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
