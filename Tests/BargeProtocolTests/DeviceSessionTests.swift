import BargeProtocol
import Testing

@Suite("The device's half: the session")
struct DeviceSessionTests {
    @Test("Its first frame is its HELLO, before it hears anything (BTP-040)")
    func greeting() {
        let device = DeviceSession(hello: .testing())
        #expect(device.greeting == .hello(.testing()))
        #expect(device.openTag == 0 && device.terms == nil && !device.isOver)
    }

    @Test("A first frame that is neither HELLO nor ERROR ends the session (BTP-040)")
    func otherFirstFrame() {
        let others = Message.everyRequest + Message.everyFollower + Message.everyAnswer + [.fin]
        for message in others {
            let device = DeviceSession(hello: .testing())
            #expect(device.fails(.unexpectedFrame, tag: 1, on: message), "\(message.type)")
        }
        var device = DeviceSession(hello: .testing())
        let error = ErrorMessage(.busy, scope: .session)
        #expect(device.handle(tag: 0, message: .error(error)) == .abandon)
        #expect(device.isOver)
    }

    @Test("A second HELLO ends the session (BTP-040)")
    func secondHello() {
        let device = DeviceSession.greeted()
        #expect(device.fails(.unexpectedFrame, tag: 0, on: .hello(.testing())))
    }

    @Test("Without a common version the session ends (BTP-041)")
    func noCommonVersion() {
        var peer = Hello.testing()
        peer.lowestVersion = 2
        peer.highestVersion = 2
        let device = DeviceSession(hello: .testing())
        #expect(device.fails(.unsupportedVersion, tag: 0, on: .hello(peer)))
    }

    @Test("A request opens under its tag, and a frame ends it under the same one (BTP-034)")
    func tags() {
        for (index, request) in Message.everyRequest.enumerated() {
            let tag = UInt8(index + 5)
            var device = DeviceSession.greeted()
            #expect(device.handle(tag: tag, message: request) != .none, "\(request.type)")
            #expect(device.openTag == tag)
            _ = device.refuse(ErrorMessage(.notFound))
            #expect(device.openTag == 0)
            #expect(device.replyTag == tag, "the ERROR still carries the request's tag")
        }
    }

    @Test("A request with tag 0 ends the session (BTP-034)")
    func tagZero() {
        for request in Message.everyRequest {
            let device = DeviceSession.greeted()
            #expect(device.fails(.unexpectedFrame, tag: 0, on: request), "\(request.type)")
        }
    }

    @Test("A request while another is open ends the session (BTP-035)")
    func secondRequest() {
        for first in Message.everyRequest {
            for second in Message.everyRequest {
                var device = DeviceSession.greeted()
                _ = device.handle(tag: 1, message: first)
                #expect(device.fails(.unexpectedFrame, tag: 2, on: second), "\(second.type)")
            }
        }
    }

    @Test("Followers of a request that is over are skipped (BTP-035)")
    func staleFrames() {
        var states = [DeviceSession.greeted(), .writing(length: 600), .reading(size: 600)]
        var listing = DeviceSession.greeted()
        _ = listing.handle(tag: 1, message: .list(after: Name()))
        states.append(listing)
        for state in states {
            for message in Message.everyFollower {
                for tag: UInt8 in [0, 2, 255] {
                    var device = state
                    #expect(device.handle(tag: tag, message: message) == .none)
                    #expect(device == state, "\(message.type) leaves no trace")
                }
            }
        }
    }

    @Test("Followers with the open tag in the wrong state end the session (BTP-046)")
    func misplacedFollowers() {
        let block = Message.storedBlock(at: 0, 256)
        let ack = Message.acknowledge(offset: 0)
        var opening = DeviceSession.greeted()
        _ = opening.handle(tag: 1, message: .write(length: 600))
        var answering = DeviceSession.greeted()
        _ = answering.handle(tag: 1, message: .images)
        var committing = DeviceSession.writing(length: 0)
        #expect(committing.handle(tag: 1, message: .commit) == .commit)
        let cases: [(DeviceSession, [Message])] = [
            (opening, [block, ack, .commit]), (answering, [block, ack, .commit]),
            (committing, [block, ack, .commit]), (.writing(length: 600), [ack]),
            (.reading(size: 600), [block, .commit]),
        ]
        for (state, messages) in cases {
            for message in messages {
                let device = state
                #expect(device.fails(.unexpectedFrame, tag: 1, on: message), "\(message.type)")
            }
        }
    }

    @Test("A frame that only devices send ends the session, and the error names it (BTP-046)")
    func ownFrames() {
        for message in Message.everyAnswer {
            var device = DeviceSession.greeted()
            guard case .fail(let error) = device.handle(tag: 1, message: message) else {
                Issue.record("\(message.type) passes")
                continue
            }
            #expect(error.code == .unexpectedFrame)
            #expect(error.detail == UInt64(message.type.rawValue))
        }
    }

    @Test("After its end a session takes nothing and says nothing (BTP-100)")
    func afterTheEnd() {
        var failed = DeviceSession.greeted()
        #expect(failed.violation(.badCheck) == .fail(ErrorMessage(.badCheck)))
        var finished = DeviceSession.greeted()
        #expect(finished.handle(tag: 0, message: .fin) == .finish)
        for over in [failed, finished] {
            #expect(over.isOver)
            let all = Message.everyRequest + Message.everyAnswer + Message.everyFollower
            for message in all + [.fin, .hello(.testing()), .error(ErrorMessage(.malformed))] {
                var device = over
                #expect(device.handle(tag: 1, message: message) == .none, "\(message.type)")
                #expect(device.violation(.malformed) == .none)
                #expect(device == over)
            }
        }
    }

    @Test("ERROR of request scope with the open tag ends the request alone (BTP-100, BTP-103)")
    func requestError() {
        let error = Message.error(ErrorMessage(.badBlock))
        var device = DeviceSession.reading(size: 600)
        #expect(device.handle(tag: 2, message: error) == .none, "it was for an earlier request")
        #expect(device.openTag == 1)
        #expect(device.handle(tag: 1, message: error) == .abandon)
        #expect(device.openTag == 0 && !device.isOver)
        #expect(device.handle(tag: 2, message: .images) == .answer(.images))
    }

    @Test("ERROR of a wider scope ends the session, whatever its code and tag (BTP-100, BTP-101)")
    func sessionError() throws {
        for scope: UInt8 in [2, 3] {
            let body = [scope, 0xE7, 0x03, 4] + [UInt8](repeating: 0, count: 9)
            let error = try #require(try decode(.error, body))
            var device = DeviceSession.reading(size: 600)
            #expect(device.handle(tag: 77, message: error) == .abandon)
            #expect(device.isOver)
        }
    }

    @Test("FIN in idle and within a request is answered with FIN alone (BTP-048)")
    func fin() {
        var opening = DeviceSession.greeted()
        _ = opening.handle(tag: 1, message: .read())
        for state in [.greeted(), .writing(length: 600), .reading(size: 600), opening] {
            var device = state
            #expect(device.handle(tag: 0, message: .fin) == .finish)
            #expect(device.isOver && device.openTag == 0)
        }
    }

    @Test("CANCEL ends any open request, and an early one can be followed at once (BTP-067)")
    func cancel() {
        for request in Message.everyRequest {
            var device = DeviceSession.greeted()
            _ = device.handle(tag: 3, message: request)
            #expect(device.handle(tag: 3, message: .cancel) == .cancel(tag: 3), "\(request.type)")
            #expect(device.handle(tag: 3, message: .cancel) == .none, "a second one is skipped")
            #expect(device.handle(tag: 4, message: .images) == .answer(.images))
        }
    }

    @Test("Each simple request goes to the driver, and its answer ends it (BTP-035)")
    func answering() {
        let requests: [Message] = [
            .list(after: Name()), .stat(.file("a")), .remove(.file("a")), .images,
            .test(Digest()), .confirm(Digest()), .reset, .echo(byteCount: 4),
        ]
        for request in requests {
            var device = DeviceSession.greeted()
            #expect(device.handle(tag: 9, message: request) == .answer(request))
            #expect(device.answered(with: .removed) == .removed)
            #expect(device.openTag == 0 && device.replyTag == 9)
        }
    }

    @Test("A file's name that is none is refused before anybody looks for it (BTP-080, BTP-102)")
    func badNames() {
        for name in ["", ".", "..", "../x", "a/b", "a\u{0}b", "\u{85}"] {
            let object = ObjectReference.file(name)
            let requests: [Message] = [
                .write(name, length: 1), .read(name), .stat(object), .remove(object),
            ]
            for request in requests {
                var device = DeviceSession.greeted()
                let refusal = DeviceStep.refuse(tag: 8, ErrorMessage(.badName))
                #expect(device.handle(tag: 8, message: request) == refusal, "\(name)")
                #expect(device.openTag == 0)
                #expect(device.handle(tag: 9, message: .images) == .answer(.images))
            }
        }
        var device = DeviceSession.greeted()
        let list = Message.list(after: Name(text: "../x"))
        #expect(device.handle(tag: 1, message: list) == .answer(list), "LIST only compares")
    }

    @Test("A name that the kind has no use for is not looked at (BTP-036)")
    func uselessNames() {
        let object = ObjectReference(kind: .sink, number: 5, name: Name(text: "../x"))
        let write = WriteRequest(object: object, length: 1, digest: Digest(), restart: false)
        var device = DeviceSession.greeted()
        #expect(device.handle(tag: 1, message: .write(write)) == .openWrite(write))
    }

    @Test("An ECHO that its answer could not carry is refused (BTP-031)")
    func longEcho() {
        var peer = Hello()
        peer.bodyBytes = 400
        var device = DeviceSession.greeted(peer: peer)
        let longest = Message.echo(byteCount: 400)
        #expect(device.handle(tag: 1, message: longest) == .answer(longest))
        _ = device.answered(with: .echoed(byteCount: 400))
        let refusal = DeviceStep.refuse(tag: 2, ErrorMessage(.notSupported, detail: 400))
        #expect(device.handle(tag: 2, message: .echo(byteCount: 401)) == refusal)
    }
}
