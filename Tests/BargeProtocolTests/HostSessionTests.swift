import BargeProtocol
import Testing

@Suite("The host's half: the session")
struct HostSessionTests {
    /// A host with this request open, under tag 1.
    private func asked(_ request: Message) -> HostSession {
        var host = HostSession.greeted()
        _ = host.begin(request)
        return host
    }

    /// What may answer a request, as the document's table of last frames has it.
    private let answers: [(request: Message, last: Message)] = [
        (.stat(.file("a")), .stated(FileStatus(size: 1, modifiedSeconds: 0, digest: Digest()))),
        (.remove(.file("a")), .removed), (.images, .imageStates(ImageSlots())),
        (.test(Digest()), .imageStates(ImageSlots())),
        (.confirm(Digest()), .imageStates(ImageSlots())),
        (.reset, .resetting(milliseconds: 1)), (.echo(byteCount: 4), .echoed(byteCount: 4)),
        (.list(after: Name()), .listed(more: false)),
        (.write(length: 600), .writeReady(offset: 600, isComplete: true)),
    ]

    @Test("Its first frame is its HELLO; requests wait for the device's (BTP-040)")
    func greeting() {
        var host = HostSession(hello: .testing())
        #expect(host.greeting == .hello(.testing()))
        #expect(!host.isIdle && host.openTag == 0)
        #expect(host.handle(tag: 0, message: .hello(.testing())) == .greeted(.testing()))
        #expect(host.isIdle && host.peer == .testing() && host.terms?.blockBytes == 256)
    }

    @Test("A first frame that is neither HELLO nor ERROR is the device's fault (BTP-040)")
    func otherFirstFrame() {
        for message in Message.everyAnswer + Message.everyRequest + [.fin] {
            let host = HostSession(hello: .testing())
            let fault = ProtocolFault.unexpectedFrame(type: message.type.rawValue)
            #expect(host.isViolated(fault, tag: 0, by: message), "\(message.type)")
        }
        var host = HostSession(hello: .testing())
        let busy = ErrorMessage(.busy, scope: .session)
        #expect(host.handle(tag: 0, message: .error(busy)) == .failed(busy), "BTP-049")
        #expect(host.isOver)
    }

    @Test("A second HELLO is the device's fault (BTP-040)")
    func secondHello() {
        let fault = ProtocolFault.unexpectedFrame(type: 0x01)
        #expect(HostSession.greeted().isViolated(fault, tag: 0, by: .hello(.testing())))
    }

    @Test("Without a common version the session ends (BTP-041)")
    func noCommonVersion() {
        var peer = Hello.testing()
        peer.lowestVersion = 2
        peer.highestVersion = 9
        let host = HostSession(hello: .testing())
        #expect(host.isViolated(.unsupportedVersion, tag: 0, by: .hello(peer)))
    }

    @Test("Tags go from 1 to 255 and round again, never 0, never twice in a row (BTP-034)")
    func tags() {
        var host = HostSession.greeted()
        for count in 0..<600 {
            _ = host.begin(.images)
            #expect(Int(host.openTag) == count % 255 + 1)
            _ = host.handle(tag: host.openTag, message: .imageStates(ImageSlots()))
            #expect(host.isIdle && host.openTag == 0)
        }
    }

    @Test("Each request ends with the frame that the document says (BTP-035)")
    func lastFrames() {
        for (request, last) in answers {
            var host = asked(request)
            #expect(host.handle(tag: 1, message: last) == .answered(last), "\(request.type)")
            #expect(host.isIdle)
        }
    }

    @Test("An answer to another request is the device's fault (BTP-046)")
    func otherAnswers() {
        for (request, last) in answers {
            let host = asked(request)
            for message in Message.everyAnswer + Message.everyFollower + Message.everyRequest {
                let isAllowed =
                    message.type == last.type || message.type == .busy
                    || (message.type == .entry && request.type == .list)
                guard !isAllowed else { continue }
                let fault = ProtocolFault.unexpectedFrame(type: message.type.rawValue)
                #expect(host.isViolated(fault, by: message), "\(message.type)")
            }
        }
    }

    @Test("Frames of a request that is over are skipped, whatever they say (BTP-035)")
    func staleFrames() {
        for state in [HostSession.greeted(), asked(.images), .writing(length: 600)] {
            for message in Message.everyAnswer + Message.everyFollower {
                var host = state
                #expect(host.handle(tag: 200, message: message) == .none, "\(message.type)")
                #expect(host == state)
            }
        }
    }

    @Test("BUSY with the open request's tag says wait, at any point (BTP-047)")
    func busy() {
        let report = BusyReport(activity: .erasing, done: 1, total: 2)
        var canceling = asked(.images)
        _ = canceling.cancel()
        var committing = HostSession.writing(length: 0)
        _ = committing.commit()
        let open = [
            asked(.images), .writing(length: 600), .reading(size: 600), committing, canceling,
        ]
        for state in open {
            var host = state
            #expect(host.handle(tag: 1, message: .busy(report)) == .busy(report))
            #expect(host == state, "it changes nothing")
            #expect(host.handle(tag: 2, message: .busy(report)) == .none)
        }
        #expect(ProtocolLimits.busyIntervalMilliseconds == 2_000)
        #expect(ProtocolLimits.patienceMilliseconds == 10_000)
    }

    @Test("ERROR of request scope ends the open request, not another one (BTP-100)")
    func requestError() {
        let error = ErrorMessage(.notFound)
        var host = asked(.images)
        #expect(host.handle(tag: 9, message: .error(error)) == .none)
        #expect(host.openTag == 1)
        #expect(host.handle(tag: 1, message: .error(error)) == .failed(error))
        #expect(host.isIdle && !host.isOver)
        #expect(host.handle(tag: 1, message: .error(error)) == .none)
    }

    @Test("ERROR of a wider scope ends the session, also with a code nobody knows (BTP-101)")
    func sessionError() throws {
        for scope: UInt8 in [2, 3] {
            let body = [scope, 0xE7, 0x03, 2] + [UInt8](repeating: 0, count: 9)
            let message = try #require(try decode(.error, body))
            var host = asked(.images)
            guard case .failed(let error) = host.handle(tag: 0, message: message) else {
                Issue.record("the error passes")
                return
            }
            #expect(error.code == nil && error.rawCode == 999 && error.advice == .resume)
            #expect(host.isOver)
        }
    }

    @Test("The scope that was sent counts, whatever the table says (BTP-100)")
    func sentScope() {
        let error = ErrorMessage(.unexpectedFrame, scope: .request)
        var host = asked(.images)
        #expect(host.handle(tag: 1, message: .error(error)) == .failed(error))
        #expect(host.isIdle)
    }

    @Test("FIN waits for FIN, and what else comes is skipped (BTP-048)")
    func fin() {
        var host = HostSession.greeted()
        #expect(host.finish() == .fin)
        #expect(host.openTag == 0 && !host.isIdle && !host.isOver)
        #expect(host.handle(tag: 1, message: .acknowledge(offset: 0)) == .none)
        #expect(host.handle(tag: 0, message: .fin) == .finished)
        #expect(host.isOver)
    }

    @Test("A device that says FIN unasked is at fault (BTP-048)")
    func unaskedFIN() {
        let fault = ProtocolFault.unexpectedFrame(type: 0x03)
        for host in [.greeted(), asked(.images), .writing(length: 9)] {
            #expect(host.isViolated(fault, tag: 0, by: .fin))
        }
    }

    @Test("After its end a session takes nothing and says nothing (BTP-100)")
    func afterTheEnd() {
        var over = asked(.images)
        #expect(over.violation(.badCheck) == .violated(.badCheck))
        let all = Message.everyAnswer + Message.everyRequest + Message.everyFollower
        for message in all + [.fin, .hello(.testing()), .error(ErrorMessage(.malformed))] {
            var host = over
            #expect(host.handle(tag: 1, message: message) == .none, "\(message.type)")
            #expect(host.violation(.malformed) == .none)
            #expect(host.cancel() == nil && host.nextBlock() == nil)
            #expect(host == over)
        }
    }

    @Test("An ECHOED of another length is the device's fault")
    func shortEcho() {
        let fault = ProtocolFault.unexpectedFrame(type: 0x06)
        #expect(asked(.echo(byteCount: 4)).isViolated(fault, by: .echoed(byteCount: 3)))
    }

    @Test("Without a request there is nothing to cancel (BTP-067)")
    func nothingToCancel() {
        var host = HostSession(hello: .testing())
        #expect(host.cancel() == nil)
        host = .greeted()
        #expect(host.cancel() == nil)
    }

    @Test("After CANCEL the request's other frames are skipped up to CANCELED (BTP-067)")
    func cancel() {
        for request in Message.everyRequest {
            var host = asked(request)
            #expect(host.cancel() == .cancel)
            #expect(host.openTag == 1, "CANCEL carries the request's tag")
            #expect(host.cancel() == nil, "once is enough")
            for message: Message in [.entry("a"), .writeReady(), .readReady(size: 9)] {
                #expect(host.handle(tag: 1, message: message) == .none, "\(message.type)")
            }
            #expect(host.handle(tag: 1, message: .storedBlock(at: 0, 9)) == .none)
            #expect(host.handle(tag: 1, message: .canceled) == .answered(.canceled))
            #expect(host.isIdle)
        }
    }

    @Test("The request's own last frame may have crossed CANCEL, and no other (BTP-067)")
    func crossing() {
        for (request, last) in answers {
            var host = asked(request)
            _ = host.cancel()
            for message in Message.everyAnswer where message.type != last.type {
                guard message.type != .canceled, message.type != .busy else { continue }
                #expect(host.handle(tag: 1, message: message) == .none, "\(message.type)")
            }
            #expect(host.handle(tag: 1, message: last) == .answered(last))
            #expect(host.isIdle)
        }
    }

    @Test("ERROR may have crossed CANCEL too (BTP-067)")
    func crossingError() {
        var host = asked(.images)
        _ = host.cancel()
        let error = ErrorMessage(.notFound)
        #expect(host.handle(tag: 1, message: .error(error)) == .failed(error))
        #expect(host.isIdle)
    }
}
