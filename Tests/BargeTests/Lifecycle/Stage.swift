/// Where a voyage and the keeper of its link take turns, as they do in a program that calls from
/// its main actor: equal seeds give equal runs. Several stages run side by side.
actor Stage {
    /// Does something on a stage of its own.
    static func play<Value: Sendable>(
        _ body: @Sendable (isolated Stage) async throws -> Value
    ) async throws -> Value {
        try await Stage().play(body)
    }

    private func play<Value: Sendable>(
        _ body: @Sendable (isolated Stage) async throws -> Value
    ) async throws -> Value {
        try await body(self)
    }
}
