import Foundation
import Testing

@testable import BargeCLI

@Suite("Two processes and one simulated device")
struct DeviceLockTests {
    private let state: StateFolder

    init() throws {
        state = try StateFolder()
        _ = try state.barge("sim", "create", "pump")
    }

    private func hold() throws -> DeviceLock {
        guard case .taken(let lock) = try DeviceLock.attempt(state.file("lock", of: "pump")) else {
            throw CancellationError()
        }
        return lock
    }

    @Test("A lock that is given back is free, whoever still has a copy of its descriptor")
    func copied() throws {
        // As a child process has one between its fork and its exec.
        let path = state.file("lock", of: "pump")
        let descriptor = try System.openLock(path)
        #expect(try System.tryLock(descriptor))
        let copy = dup(descriptor)
        defer { close(copy) }
        System.closeDescriptor(descriptor)
        withExtendedLifetime(try hold()) {}
    }

    @Test("The second one says who has the device, and changes nothing")
    func held() throws {
        let lock = try hold()
        let answer = try state.barge("sim", "rm", "pump", "--json")
        #expect(answer.exitCode == 6)
        #expect(answer.isOneFailure)
        #expect(answer.errors.contains("process \(getpid())"))
        #expect(try answer.objects().last?["error"] as? String == "device-in-use")
        let listed = try state.barge("sim", "list")
        #expect(listed.output.contains("in use by process \(getpid())"))
        let scan = try state.barge("scan", "--json")
        #expect(try scan.objects().map { $0["device"] as? String } == ["sim:demo"])
        withExtendedLifetime(lock) {}
    }

    @Test("A lock ends with its holder, and the next one gets it")
    func released() throws {
        withExtendedLifetime(try hold()) {}
        #expect(try state.barge("sim", "list").output.contains("in use") == false)
        #expect(try state.barge("sim", "rm", "pump").exitCode == 0)
    }

    @Test("The second one waits, says so once, and goes on when the first one ends")
    func waiting() async throws {
        let files = SimulationDirectory(stateDirectory: state.path).files(of: "pump")
        let console = RecordingConsole()
        var held: DeviceLock? = try hold()
        let waiting = Task { () async -> Bool in
            let lock = try? await DeviceLock.wait(
                for: files, patience: .seconds(60), console: console.console)
            return lock != nil
        }
        await console.waitForError()
        withExtendedLifetime(held) {}
        held = nil
        #expect(await waiting.value)
        #expect(console.errors == "waiting for sim:pump, which process \(getpid()) uses\n")
    }

    @Test("A wait can be called off")
    func canceled() async throws {
        let files = SimulationDirectory(stateDirectory: state.path).files(of: "pump")
        let lock = try hold()
        let waiting = Task { () async -> ExitCode? in
            do throws(Failure) {
                _ = try await DeviceLock.wait(for: files, patience: .seconds(60), console: nil)
                return nil
            } catch {
                return error.exitCode
            }
        }
        waiting.cancel()
        #expect(await waiting.value == .interrupted)
        withExtendedLifetime(lock) {}
    }

    @Test("A device that is removed while somebody waits for it is gone, not half there")
    func removed() throws {
        let path = state.file("lock", of: "pump")
        try FileManager.default.removeItem(atPath: state.file("", of: "pump"))
        let files = SimulationDirectory(stateDirectory: state.path).files(of: "pump")
        guard case .gone = try files.attemptLock() else {
            Issue.record("the lock of a removed device was taken")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
