#if DEBUG
    import Synchronization

    /// Makes system calls of the current task fail, in tests: a full disk, a lost permission, an
    /// interruption, a write that takes only a part. It is bound to a task, so that tests can run
    /// side by side.
    final class FaultScript: Sendable {
        /// The script that the current task's calls follow.
        @TaskLocal static var current: FaultScript?

        /// One planned failure.
        struct Fault: Sendable {
            let call: SystemCall
            let number: Int32
            /// Calls that succeed before it.
            var callsToPass = 0
            /// Failures before calls succeed again; nil: for ever.
            var failures: Int?
        }

        private let faults: Mutex<[Fault]>
        private let longestWrite: Int

        /// A script of `faults`; no write takes more than `longestWrite` bytes.
        init(_ faults: [Fault], longestWrite: Int = .max) {
            self.faults = Mutex(faults)
            self.longestWrite = longestWrite
        }

        /// The error number that this call shall fail with, if it shall.
        func fault(in call: SystemCall) -> Int32? {
            faults.withLock { faults in
                for index in faults.indices where faults[index].call == call {
                    if faults[index].callsToPass > 0 {
                        faults[index].callsToPass -= 1
                        continue
                    }
                    if let left = faults[index].failures {
                        if left == 0 { continue }
                        faults[index].failures = left - 1
                    }
                    return faults[index].number
                }
                return nil
            }
        }

        /// How many of `count` bytes this call may take.
        func cap(in call: SystemCall, _ count: Int) -> Int {
            call == .write ? min(count, longestWrite) : count
        }
    }
#endif
