"""The host's half of the session. Each operation is a generator: it yields when it wants a frame.

    host.start(host.push(make_object(FILE, 0, b"a"), data)); then receive() until host.result is set
"""
import hashlib
import struct
import zlib

from session import Session
from wire import *

LAST = {ECHO: ECHOED, WRITE: COMMITTED, READ: READ_END, LIST: LISTED, STAT: STATED,
        REMOVE: REMOVED, IMAGES: IMAGE_STATES, TEST: IMAGE_STATES, CONFIRM: IMAGE_STATES,
        RESET: RESETTING}


class Canceled(Exception):
    """The request was given up, and the device has said so."""


class Host(Session):
    closes = True  # BTP-012

    def __init__(self, hello):
        super().__init__(hello)
        self.tag, self.open_kind, self.work = 0, None, None
        self.inbox, self.result, self.error = [], None, None
        self.finishing = self.peer_finished = False
        self.cancel_after = None  # raw bytes after which a transfer is canceled
        self.busy_heard = 0
        self.ready_offset, self.acked = None, 0  # of the last push
        self.moved = 0            # raw bytes that went over in blocks
        self.deflated_blocks = self.stored_blocks = 0

    # Running an operation

    def start(self, work):
        self.work, self.result, self.error = work, None, None
        self.advance()

    def advance(self):
        """Runs the operation as far as the frames that are there carry it."""
        try:
            while self.work is not None and not self.over:
                next(self.work)
                if not self.inbox:
                    return
        except StopIteration as stop:
            self.work, self.result = None, stop.value
        except Fault as fault:
            self.work, self.error = None, fault
            if fault.scope != REQUEST_SCOPE:
                self.end(fault)
        except Canceled as canceled:
            self.work, self.error = None, canceled

    @property
    def waiting(self):
        return self.peer is None or self.work is not None or self.finishing

    def receive(self, data):
        super().receive(data)
        self.advance()

    def take_request_error(self, tag, error):
        if self.open_kind is not None and tag == self.tag:
            self.inbox.append(error)

    def take_frame(self, kind, tag, body):
        if kind == FIN:
            if not self.finishing:
                raise Fault(UNEXPECTED_FRAME, detail=kind)
            self.peer_finished = self.over = self.close_pipe = True
        elif kind in FROM_HOST:
            raise Fault(UNEXPECTED_FRAME, detail=kind)
        elif self.open_kind is None or tag != self.tag:
            return
        elif kind == BUSY:
            body = Body(body)
            body.one_of((1, 2, 3)), body.u(8), body.u(8)
            self.busy_heard += 1
        else:
            self.inbox.append((kind, body))
            self.advance()

    def request(self, kind, body=b""):
        self.tag = self.tag % 255 + 1
        self.open_kind = kind
        self.inbox.clear()
        self.write_frame(kind, self.tag, body)

    def frame(self, *expected):
        """The next frame of the answer as (type, body). Raises the device's error."""
        while not self.inbox:
            yield
        got = self.inbox.pop(0)
        if isinstance(got, Fault):
            self.open_kind = None
            raise got
        if got[0] not in expected:
            raise Fault(UNEXPECTED_FRAME, detail=got[0])
        if got[0] == LAST[self.open_kind]:
            self.open_kind = None
        return got[0], Body(got[1])

    def cancel(self):
        """BTP-067: until CANCELED, an error, or the request's own last frame."""
        last = LAST[self.open_kind]
        self.write_frame(CANCEL, self.tag)
        while True:
            while not self.inbox:
                yield
            got = self.inbox.pop(0)
            if isinstance(got, Fault) or got[0] in (CANCELED, last):
                self.open_kind = None
                return

    # Operations

    def echo(self, data):
        self.request(ECHO, data)
        return (yield from self.frame(ECHOED))[1].rest()

    def push(self, target, data, digest=None, restart=False, compress=True, commit=True):
        """Writes an object; the answer is (microseconds, offset that the device held)."""
        digest = hashlib.sha256(data).digest() if digest is None else digest
        what = target + struct.pack("<Q", len(data)) + digest
        self.request(WRITE, what + bytes((1 if restart else 0,)))
        _, ready = yield from self.frame(WRITE_READY)
        state, offset, crc = ready.one_of((0, 1)), ready.u(8), ready.u(4)
        self.ready_offset, self.acked = offset, 0
        if offset > len(data) or state == 1 and restart:
            raise Fault(MALFORMED, text="offset beyond the length, or complete after a restart")
        if state == 1:
            self.open_kind = None
            return 0, len(data)
        if crc != zlib.crc32(data[:offset]):
            if restart:
                raise Fault(MALFORMED, text="bytes kept after a restart")
            yield from self.cancel()
            return (yield from self.push(target, data, digest, True, compress, commit))
        yield from self.send_blocks(data, offset, compress)
        self.write_frame(COMMIT, self.tag)
        _, committed = yield from self.frame(COMMITTED)
        if committed.take(32) != digest:
            raise Fault(MALFORMED, text="another digest")
        return committed.u(8), offset

    def send_blocks(self, data, start, compress):
        window = window_in_use(self.own, self.peer) if compress else None
        offset = acked = start
        while acked < len(data):
            while offset < len(data):
                end = min(offset + self.block_size, len(data))
                if end > acked + self.peer.window:
                    break
                past = data[max(0, offset - 32768):offset]
                block = make_block(self.tag, offset, data[offset:end], past, window)
                self.deflated_blocks += block[0] == DEFLATED
                self.stored_blocks += block[0] == STORED
                self.output += block
                self.moved += end - offset
                offset = end
                if self.cancel_after is not None and offset - start >= self.cancel_after:
                    yield from self.cancel()
                    raise Canceled
            _, body = yield from self.frame(ACK)
            ack = body.u(8)
            if ack > offset:
                raise Fault(MALFORMED, text="ACK beyond what was sent")
            acked = self.acked = max(acked, ack)

    def pull(self, target, have=None, length=EVERYTHING):
        """Reads an object on top of what is there in the bytearray `have`; the answer is it."""
        have = bytearray() if have is None else have
        self.request(READ, target + struct.pack("<QQ", len(have), length))
        try:
            _, ready = yield from self.frame(READ_READY)
        except Fault as fault:
            if fault.code == BAD_OFFSET and have and fault.scope == REQUEST_SCOPE:
                have.clear()
                return (yield from self.pull(target, have, length))
            raise
        size, offset, crc = ready.u(8), ready.u(8), ready.u(4)
        if offset != len(have) or offset > size:
            raise Fault(MALFORMED, text="another offset than asked for")
        if crc != zlib.crc32(have):
            yield from self.cancel()
            have.clear()
            return (yield from self.pull(target, have, length))
        end = min(size, offset + length)
        digest = yield from self.take_blocks(have, end)
        if target[0] == FILE and digest != hashlib.sha256(have).digest():
            raise AssertionError("READ_END has another digest than what was read")
        return have

    def take_blocks(self, have, end):
        acked, start = len(have), len(have)
        while True:
            kind, body = yield from self.frame(STORED, DEFLATED, READ_END)
            if kind == READ_END:
                if body.u(8) != end or len(have) != end:
                    raise Fault(MALFORMED, text="another end")
                return body.take(32)
            offset, raw_length, data = split_block(body.rest())
            last = offset + raw_length == end
            right = raw_length == self.block_size or last and 0 < raw_length < self.block_size
            if offset != len(have) or not right or offset + raw_length > end:
                raise Fault(MALFORMED, text="offset or length of a block")
            if offset + raw_length > acked + self.own.window:
                raise Fault(MALFORMED, text="a block beyond the window")
            if kind == DEFLATED:
                data = self.inflated(data, raw_length, bytes(have[-32768:]))
            if data is None or len(data) != raw_length:
                yield from self.cancel()
                raise Canceled
            have += data
            self.moved += raw_length
            self.deflated_blocks += kind == DEFLATED
            self.stored_blocks += kind == STORED
            if self.cancel_after is not None and len(have) - start >= self.cancel_after:
                yield from self.cancel()
                raise Canceled
            if (len(have) - acked) * 2 >= self.own.window:
                acked = len(have)
                self.write_frame(ACK, self.tag, struct.pack("<Q", acked))

    def inflated(self, data, raw_length, past):
        window = window_in_use(self.peer, self.own)
        if window is None or len(data) >= raw_length:
            return None
        return inflate(data, raw_length, past, window)

    def list(self):
        """All files as [(name, size, modified)]."""
        files, after = [], b""
        while True:
            self.request(LIST, bytes((len(after),)) + after)
            count = 0
            while True:
                kind, body = yield from self.frame(ENTRY, LISTED)
                if kind == LISTED:
                    break
                size, modified, _, name = body.u(8), body.u(8), body.u(1), body.name()
                count += 1
                if not is_name(name) or name <= after or count > 32:
                    raise Fault(MALFORMED, text="entry")
                files.append((name, size, modified))
                after = name
            if not body.one_of((0, 1)):
                return files
            if not count:
                raise Fault(MALFORMED, text="more of nothing")

    def stat(self, target):
        self.request(STAT, target)
        body = (yield from self.frame(STATED))[1]
        return body.u(8), body.u(8), body.take(32)

    def remove(self, target):
        self.request(REMOVE, target)
        yield from self.frame(REMOVED)
        return True

    def images(self, kind=IMAGES, digest=b""):
        """IMAGES, TEST or CONFIRM: [(slot, flags, length, durable, digest)]."""
        self.request(kind, digest)
        body = (yield from self.frame(IMAGE_STATES))[1]
        count = body.u(1)
        if count > 4:
            raise Fault(MALFORMED, text="five slots")
        return [(body.u(1), body.u(1), body.u(8), body.u(8), body.take(32))
                for _ in range(count)]

    def reset(self):
        self.request(RESET)
        return (yield from self.frame(RESETTING))[1].u(4)

    def finish(self):
        self.finishing = True
        self.write_frame(FIN, 0)
        while True:
            yield
