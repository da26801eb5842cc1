import Testing

@testable import BargeCLI

@Suite("The worst of several exit codes")
struct ExitCodeTests {
    @Test("Nothing, or nothing but success, is success")
    func success() {
        #expect(ExitCode.worst([]) == .done)
        #expect(ExitCode.worst([.done, .done]) == .done)
    }

    @Test("Any failure is worse than success, in whatever order they come")
    func failure() {
        for code in ExitCode.allCases where code != .done {
            #expect(ExitCode.worst([.done, code, .done]) == code)
        }
    }

    @Test("Each code is worse than those before it in this order, and no two are equal")
    func order() {
        let fromBadToWorse: [ExitCode] = [
            .done, .linkLost, .notFound, .bluetoothUnavailable, .localInputOutput,
            .securityRefused, .refusedByDevice, .verificationFailed, .usage, .outputClosed,
            .interrupted, .bug,
        ]
        #expect(Set(fromBadToWorse) == Set(ExitCode.allCases))
        for (index, code) in fromBadToWorse.enumerated() {
            for milder in fromBadToWorse[..<index] {
                #expect(ExitCode.worst([milder, code]) == code)
                #expect(ExitCode.worst([code, milder]) == code)
            }
        }
    }
}
