#if DEBUG
    import Testing

    @testable import Barge
    @testable import BargeProtocol

    #if canImport(Glibc)
        import Glibc
    #else
        import Darwin
    #endif

    @Suite("Receiving while the disk does not want to")
    struct DownloadFaultTests {
        let receiving: Receiving
        var folder: TemporaryFolder { receiving.folder }
        var bytes: [UInt8] { receiving.bytes }

        init() throws { receiving = try Receiving() }

        private func failing(
            _ script: FaultScript, _ body: () throws -> Void
        ) -> LocalFileError? {
            FaultScript.$current.withValue(script) { localFileError(body) }
        }

        @Test(
            "A full disk stops the transfer; what was written stays, and the next try goes on",
            arguments: [ENOSPC, EDQUOT])
        func fullDisk(_ number: Int32) throws {
            do {
                let target = try receiving.open()
                try receiving.append(bytes[..<1000], to: target)
                let script = FaultScript(
                    [.init(call: .write, number: number, callsToPass: 3)], longestWrite: 100)
                let error = failing(script) {
                    try receiving.append(bytes[1000..<2000], to: target)
                }
                #expect(error?.kind == .storageFull)
                #expect(error.map { BargeError($0).kind } == .localFile)
                #expect(error?.path == folder("log.bin.part"))
                #expect(error?.advice.contains("goes on from the 1300 bytes") == true)
                #expect(target.heldBytes == 1300)
                let check = receiving.crc(bytes[..<1300])
                #expect(try target.prefixCheck(upTo: 1300) == check)
            }
            let target = try receiving.open()
            #expect(target.beginning == .resumed(heldBytes: 1300))
            try receiving.append(bytes[1300...], to: target)
            #expect(try target.digest() == receiving.digest(bytes))
            try target.finish(overwrite: false)
        }

        @Test("A disk that takes nothing and says nothing is full, not an endless loop")
        func takesNothing() throws {
            let target = try receiving.open()
            let error = failing(FaultScript([], longestWrite: 0)) {
                try receiving.append(bytes[..<10], to: target)
            }
            #expect(error?.kind == .storageFull)
        }

        @Test("A file that is too large for its file system gets advice that helps")
        func tooLarge() throws {
            let target = try receiving.open()
            let script = FaultScript([.init(call: .write, number: EFBIG)])
            let error = failing(script) { try receiving.append(bytes[..<10], to: target) }
            #expect(error?.kind == .storageFull)
            #expect(error?.advice.contains("another file system") == true)
        }

        @Test(
            "A folder that is read-only or forbidden is exit code 9 before any byte travels",
            arguments: [EROFS, EACCES, EPERM])
        func deniedFolder(_ number: Int32) {
            let script = FaultScript([.init(call: .open, number: number)])
            let error = failing(script) { _ = try receiving.open() }
            #expect(error?.kind == .denied)
            #expect(error.map { BargeError($0).kind } == .localFile)
            #expect(error?.what == "cannot write \(folder("log.bin.part"))")
            #expect(folder.names == [])
        }

        @Test("A file system without locks is no reason to receive nothing")
        func noLocks() throws {
            let script = FaultScript([.init(call: .lock, number: ENOTSUP)])
            #expect(failing(script) { _ = try receiving.open() } == nil)
        }

        @Test("A file system without second names finishes all the same, and replaces nothing")
        func noLinks() throws {
            let target = try receiving.open()
            try receiving.append(bytes[..<10], to: target)
            try folder.write("log.bin", [9])
            let script = FaultScript([.init(call: .link, number: EPERM)])
            #expect(failing(script) { try target.finish(overwrite: false) }?.kind == .alreadyExists)
            #expect(folder.read("log.bin") == [9])
            #expect(unlink(folder("log.bin")) == 0)
            #expect(failing(script) { try target.finish(overwrite: false) } == nil)
            #expect(folder.names == ["log.bin"])
            #expect(folder.read("log.bin") == Array(bytes[..<10]))
        }

        @Test(
            "Any step of the finish that fails leaves the part or the whole file, never less",
            arguments: [
                SystemCall.synchronize, .status, .rename, .link, .remove, .open,
            ], [false, true])
        func failedFinish(_ call: SystemCall, _ overwrite: Bool) throws {
            for callsToPass in 0..<4 {
                let receiving = try Receiving()
                let target = try receiving.open()
                try receiving.append(bytes[..<10], to: target)
                let script = FaultScript([
                    .init(call: call, number: EIO, callsToPass: callsToPass, failures: 1)
                ])
                let error = failing(script) { try target.finish(overwrite: overwrite) }
                let whole = Array(bytes[..<10])
                let final = receiving.folder.read("log.bin")
                let part = receiving.folder.read("log.bin.part")
                #expect(final == whole || part == whole)
                #expect(error != nil || final == whole)
                #expect(
                    [nil, .localFile, .verification].contains(error.map { BargeError($0).kind }))
            }
        }

        @Test("A journal that cannot be written stops before any byte travels")
        func noJournal() {
            let script = FaultScript([.init(call: .rename, number: ENOSPC)])
            let error = failing(script) { _ = try receiving.open() }
            #expect(error?.kind == .storageFull)
        }

        @Test("Interrupted and torn writes change nothing")
        func interruptions() throws {
            let target = try receiving.open()
            let script = FaultScript(
                [.init(call: .write, number: EINTR, callsToPass: 2, failures: 5)],
                longestWrite: 7)
            #expect(failing(script) { try receiving.append(bytes[..<1000], to: target) } == nil)
            #expect(folder.read("log.bin.part") == Array(bytes[..<1000]))
        }
    }
#endif
