#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Another process, and what it took.
struct Child {
    /// Its largest resident set in MiB.
    let peakMebibytes: Double
    /// Seconds from its start to its end.
    let seconds: Double
    /// Seconds of processor time, the system's included.
    let processorSeconds: Double

    /// Runs a program to its end; one that fails is a broken measurement.
    /// - Parameter output: a file for its standard output and error; nil leaves them here.
    static func run(
        _ program: String, _ arguments: [String], output: String? = nil
    ) throws -> Child {
        var pointers = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output {
            let flags = O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o600)
            posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        }
        let start = ContinuousClock.now
        var child = pid_t()
        guard posix_spawnp(&child, program, &actions, nil, &pointers, environ) == 0 else {
            throw BrokenMeasurement("cannot start \(program)")
        }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(child, &status, 0, &usage) == child, status == 0 else {
            throw BrokenMeasurement("\(program) \(arguments.first ?? "") failed: \(status)")
        }
        return Child(usage, seconds: (ContinuousClock.now - start).seconds)
    }

    private init(_ usage: rusage, seconds: Double) {
        #if os(Linux)
            let unit = 1024.0
        #else
            let unit = 1.0
        #endif
        peakMebibytes = Double(usage.ru_maxrss) * unit / Double(1 << 20)
        self.seconds = seconds
        processorSeconds = [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }
}
