"""The device's half of the session (BTP-030 to BTP-103), over a Storage."""
import hashlib
import itertools
import struct
import zlib

from session import Session
from storage import refuse
from wire import *


class Writing:
    def __init__(self, tag, kind, name, length, digest):
        self.tag, self.kind, self.name = tag, kind, name
        self.length, self.digest, self.progress = length, digest, None
        self.offset = self.acked = 0
        self.history = bytearray()


class Reading:
    def __init__(self, tag, data, offset, end, digest):
        self.tag, self.data, self.offset, self.acked = tag, data, offset, offset
        self.end, self.digest, self.history = end, digest, bytearray(data(0, offset))


def source_reader(seed, size):
    """A function of (from, to) for a source, which is read once and in order."""
    stream = itertools.chain.from_iterable(source_bytes(seed))
    return lambda start, end: bytes(itertools.islice(stream, end - start))


class Device(Session):
    closes = False  # BTP-012, BTP-048: the closing is the host's, but after channel scope

    def __init__(self, hello, storage, chatty=False):
        hello.boot_id = storage.boot_id
        super().__init__(hello)
        self.storage, self.chatty = storage, chatty
        self.writing = self.reading = None
        self.finished = self.reset_after_output = False

    # Frames

    @property
    def open_tag(self):
        request = self.writing or self.reading
        return request.tag if request else None

    def take_request_error(self, tag, error):
        if tag == self.open_tag:
            self.writing = self.reading = None

    def take_frame(self, kind, tag, body):
        if self.finished:
            return
        if kind in FROM_DEVICE:
            raise Fault(UNEXPECTED_FRAME, detail=kind)
        if kind == FIN:
            self.writing = self.reading = None
            self.write_frame(FIN, 0)
            self.finished = True
        elif kind in REQUESTS:
            if tag == 0 or self.open_tag is not None:
                raise Fault(UNEXPECTED_FRAME, detail=kind)
            self.refusable(tag, lambda: self.request(kind, tag, Body(body)))
        elif tag == self.open_tag:
            self.refusable(tag, lambda: self.belonging(kind, tag, body))

    def refusable(self, tag, work):
        try:
            work()
        except Fault as fault:
            if fault.scope != REQUEST_SCOPE:
                raise
            self.writing = self.reading = None
            self.output += fault.frame(tag)

    def belonging(self, kind, tag, body):
        """A frame with the open request's tag."""
        if kind == CANCEL:
            self.writing = self.reading = None
            self.write_frame(CANCELED, tag)
        elif kind in (STORED, DEFLATED) and self.writing:
            self.take_block(kind, *split_block(body))
        elif kind == COMMIT and self.writing:
            self.commit()
        elif kind == ACK and self.reading:
            self.take_ack(Body(body).u(8))
        else:
            raise Fault(UNEXPECTED_FRAME, detail=kind)

    def request(self, kind, tag, body):
        needs = {ECHO: FEATURE_TEST, LIST: FEATURE_FILES}.get(kind)
        if kind in (IMAGES, TEST, CONFIRM, RESET):
            needs = FEATURE_FIRMWARE
        if needs is not None:
            self.need(needs)
        work = {ECHO: self.echo, WRITE: self.write, READ: self.read, LIST: self.list,
                STAT: self.stat, REMOVE: self.remove, IMAGES: self.images, TEST: self.images,
                CONFIRM: self.images, RESET: self.reset}[kind]
        work(kind, tag, body)

    def need(self, feature):
        if not self.own.features & feature:
            refuse(NOT_SUPPORTED)

    def busy(self, tag, activity, total):
        if self.chatty:
            self.write_frame(BUSY, tag, struct.pack("<BQQ", activity, total // 2, total))

    # Writing

    def write(self, kind, tag, body):
        what, number, name = read_object(body)
        length, digest, restart = body.u(8), body.take(32), body.u(1) & 1
        self.need({FIRMWARE: FEATURE_FIRMWARE, FILE: FEATURE_FILES}.get(what, FEATURE_TEST))
        if what == SOURCE:
            refuse(NOT_SUPPORTED)
        if length > LONGEST_OBJECT:
            refuse(NO_SPACE, LONGEST_OBJECT)
        found = None
        if what == FILE:
            found = self.storage.open_file(name, length, digest, restart)
        elif what == FIRMWARE:
            found = self.storage.open_image(number, length, digest, restart)
        if isinstance(found, bytes):
            self.write_frame(WRITE_READY, tag, struct.pack("<BQI", 1, length, 0))
            return
        writing = self.writing = Writing(tag, what, name, length, digest)
        crc = 0
        if found is not None:
            writing.progress, writing.history = found, found.data
            writing.offset = writing.acked = len(found.data)
            crc = zlib.crc32(found.data)
        self.busy(tag, 1, length)
        self.write_frame(WRITE_READY, tag, struct.pack("<BQI", 0, writing.offset, crc))

    def take_block(self, kind, offset, raw_length, data):
        writing = self.writing
        if offset != writing.offset:
            refuse(BAD_OFFSET, writing.offset)
        if not 1 <= raw_length <= self.block_size or offset + raw_length > writing.length:
            refuse(BAD_BLOCK)
        if raw_length < self.block_size and offset + raw_length < writing.length:
            refuse(BAD_BLOCK, text="a short block that is not the last")
        if offset + raw_length > writing.acked + self.own.window:
            refuse(WINDOW_EXCEEDED, writing.acked + self.own.window)
        if kind == DEFLATED:
            window = window_in_use(self.peer, self.own)
            if window is None or len(data) >= raw_length:
                refuse(BAD_BLOCK)
            data = inflate(data, raw_length, writing.history, window)
        if data is None or len(data) != raw_length:
            refuse(BAD_BLOCK)
        writing.history += data
        writing.offset += raw_length
        if writing.kind == SINK:
            del writing.history[:-32768]
        if (writing.offset - writing.acked) * 2 >= self.own.window \
                or writing.offset == writing.length:
            self.acknowledge()

    def acknowledge(self):
        writing = self.writing
        writing.acked = writing.offset
        self.write_frame(ACK, writing.tag, struct.pack("<Q", writing.offset))

    def idle(self):
        """Nothing more is there to be read: what is durable is acknowledged (BTP-063)."""
        if self.writing and self.writing.acked < self.writing.offset:
            self.acknowledge()

    def commit(self):
        writing = self.writing
        if writing.offset != writing.length:
            refuse(UNEXPECTED_FRAME, COMMIT)
        self.busy(writing.tag, 2, writing.length)
        if writing.kind != SINK:
            image = writing.kind == FIRMWARE
            if not self.storage.finish(image, writing.name, writing.progress):
                refuse(DIGEST_MISMATCH)
        self.writing = None
        self.write_frame(COMMITTED, writing.tag, writing.digest + struct.pack("<Q", 1000))

    # Reading

    def read(self, kind, tag, body):
        what, number, name = read_object(body)
        offset, length = body.u(8), body.u(8)
        if what in (FIRMWARE, SINK):
            refuse(NOT_SUPPORTED)
        self.need(FEATURE_FILES if what == FILE else FEATURE_TEST)
        if what == FILE:
            content = self.storage.file(name)[0]
            size, data = len(content), lambda start, end: content[start:end]
        else:
            size, data = length, source_reader(number, length)
        limit = 0 if what == SOURCE else size
        if offset > limit:
            refuse(BAD_OFFSET, limit)
        if what == SOURCE and size > LONGEST_OBJECT:
            refuse(NOT_SUPPORTED, LONGEST_OBJECT)
        end = min(size, offset + length)
        digest = hashlib.sha256(data(0, end)).digest() if what == FILE else bytes(32)
        self.busy(tag, 3, size)
        crc = zlib.crc32(data(0, offset))
        self.write_frame(READ_READY, tag, struct.pack("<QQI", size, offset, crc))
        self.reading = Reading(tag, data, offset, end, digest)
        self.send_blocks()

    def send_blocks(self):
        reading = self.reading
        window = window_in_use(self.own, self.peer)
        while reading.offset < reading.end:
            end = min(reading.offset + self.block_size, reading.end)
            if end > reading.acked + self.peer.window:
                return
            raw = reading.data(reading.offset, end)
            past = bytes(reading.history[-32768:])
            self.output += make_block(reading.tag, reading.offset, raw, past, window)
            reading.history += raw
            del reading.history[:-32768]
            reading.offset = end
        self.write_frame(READ_END, reading.tag, struct.pack("<Q", reading.end) + reading.digest)
        self.reading = None

    def take_ack(self, offset):
        if offset > self.reading.offset:
            raise Fault(MALFORMED, text="ACK beyond what was sent")
        if offset > self.reading.acked:
            self.reading.acked = offset
            self.send_blocks()

    # The small requests

    def echo(self, kind, tag, body):
        data = body.rest()
        if len(data) > self.peer.longest_body:
            refuse(NOT_SUPPORTED)
        self.write_frame(ECHOED, tag, data)

    def list(self, kind, tag, body):
        after = body.name()
        names = sorted(n for n in self.storage.files if n > after)
        for name in names[:32]:
            data, modified = self.storage.files[name]
            entry = struct.pack("<QQBB", len(data), modified, 0, len(name)) + name
            self.write_frame(ENTRY, tag, entry)
        self.write_frame(LISTED, tag, bytes((len(names) > 32,)))

    def named_file(self, body):
        what, _, name = read_object(body)
        if what != FILE:
            refuse(NOT_SUPPORTED)
        self.need(FEATURE_FILES)
        return name, self.storage.file(name)

    def stat(self, kind, tag, body):
        _, (data, modified) = self.named_file(body)
        stated = struct.pack("<QQ", len(data), modified) + hashlib.sha256(data).digest()
        self.write_frame(STATED, tag, stated)

    def remove(self, kind, tag, body):
        name, _ = self.named_file(body)
        del self.storage.files[name]
        self.write_frame(REMOVED, tag)

    def images(self, kind, tag, body):
        if kind == TEST:
            self.storage.test(body.take(32))
        elif kind == CONFIRM:
            self.storage.confirm(body.take(32))
        slots = [struct.pack("<BBQQ", *state[:4]) + state[4] for state in self.storage.slot_states()]
        self.write_frame(IMAGE_STATES, tag, bytes((len(slots),)) + b"".join(slots))

    def reset(self, kind, tag, body):
        self.write_frame(RESETTING, tag, struct.pack("<I", 100))
        self.reset_after_output = self.close_pipe = self.over = True
