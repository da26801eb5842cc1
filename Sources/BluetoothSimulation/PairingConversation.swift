import Bluetooth

extension SimulatedRadio {
    /// Raises a link's security, and has somebody asked for as long as the pairing stands. They
    /// are asked while nobody holds the lock: where no other task drives the world, it stands
    /// still meanwhile.
    func secure(
        _ connection: ConnectionID, at level: SecurityLevel,
        answering delegate: (any PairingDelegate)?, until deadline: LinkInstant
    ) async throws(BluetoothError) {
        let capability = delegate?.capability
        let operation = try withWorld { world throws(BluetoothError) in
            world.beginSecuring(try world.link(connection), at: level, answeredBy: capability)
        }
        do throws(BluetoothError) {
            while try await wait(for: .answerable(operation), until: deadline),
                let delegate, let question = withWorld({ $0.question(of: operation) })
            {
                let answer = await answer(of: delegate, to: question, for: operation, deadline)
                if Task.isCancelled { throw .canceled }
                guard let answer else { break }
                withWorld { $0.answer(answer, for: operation) }
            }
        } catch {
            withWorld { $0.abandon(operation) }
            throw error
        }
        _ = try withWorld { world throws(BluetoothError) in
            try world.claim(operation, "securing")
        }
    }

    /// Nil where the pairing was over before somebody answered: they are asked no longer.
    private func answer(
        of delegate: any PairingDelegate, to question: PairingQuestion, for operation: UInt64,
        _ deadline: LinkInstant
    ) async -> PairingAnswer? {
        await withTaskGroup(of: PairingAnswer?.self) { group in
            group.addTask { await delegate.answer(question) }
            group.addTask {
                _ = try? await self.wait(for: .over(operation, deadline), until: .distantFuture)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
