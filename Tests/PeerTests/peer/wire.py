"""Frames, fields and blocks of the Barge Transfer Protocol, written from Protocol.md alone.

Nothing here knows of the Swift sources: that is the point. Numbers in comments are requirements.
"""
import struct
import zlib

HELLO, ERROR, FIN, BUSY, ECHO, ECHOED = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
WRITE, WRITE_READY, COMMIT, COMMITTED = 0x10, 0x11, 0x12, 0x13
READ, READ_READY, READ_END, ACK, CANCEL, CANCELED = 0x14, 0x15, 0x16, 0x17, 0x18, 0x19
STORED, DEFLATED = 0x20, 0x21
LIST, ENTRY, LISTED, STAT, STATED, REMOVE, REMOVED = 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36
IMAGES, IMAGE_STATES, TEST, CONFIRM, RESET, RESETTING = 0x40, 0x41, 0x42, 0x43, 0x44, 0x45

REQUESTS = {ECHO, WRITE, READ, LIST, STAT, REMOVE, IMAGES, TEST, CONFIRM, RESET}
FROM_DEVICE = {BUSY, ECHOED, WRITE_READY, COMMITTED, READ_READY, READ_END, CANCELED, ENTRY,
               LISTED, STATED, REMOVED, IMAGE_STATES, RESETTING}
FROM_HOST = REQUESTS | {COMMIT, CANCEL}
KNOWN = FROM_DEVICE | FROM_HOST | {HELLO, ERROR, FIN, ACK, STORED, DEFLATED}

MALFORMED, BAD_CHECK, UNSUPPORTED_VERSION, UNKNOWN_FRAME, UNEXPECTED_FRAME = 1, 2, 3, 4, 5
BODY_TOO_LONG, UNKNOWN_FIELD, WINDOW_EXCEEDED = 6, 7, 8
NOT_FOUND, NO_SPACE, NOT_PERMITTED, BAD_NAME, WRONG_IMAGE = 16, 17, 18, 19, 20
DIGEST_MISMATCH, BAD_OFFSET, BAD_BLOCK, STORAGE_FAILURE, BUSY_OBJECT = 21, 22, 23, 24, 25
NOT_SUPPORTED, CHANGED = 26, 27
REQUEST_SCOPE, SESSION_SCOPE, CHANNEL_SCOPE = 1, 2, 3
RETRY, RESUME, RESTART, GIVE_UP = 1, 2, 3, 4

ADVICE = {BAD_CHECK: RESUME, WINDOW_EXCEEDED: RESUME, DIGEST_MISMATCH: RESTART,
          BAD_OFFSET: RESTART, BAD_BLOCK: RESUME, STORAGE_FAILURE: RETRY, BUSY_OBJECT: RETRY,
          CHANGED: RESTART}

FIRMWARE, FILE, SINK, SOURCE = 1, 2, 3, 4
FEATURE_FIRMWARE, FEATURE_FILES, FEATURE_TEST = 1, 2, 4
LONGEST_OBJECT = (1 << 48) - 1
EVERYTHING = (1 << 64) - 1


class Fault(Exception):
    """Something that the other side did, and the ERROR that answers it."""

    def __init__(self, code, scope=SESSION_SCOPE, detail=0, advice=None, text=""):
        super().__init__(f"code {code} scope {scope} detail {detail} {text}")
        self.code, self.scope, self.detail, self.text = code, scope, detail, text
        self.advice = advice if advice is not None else ADVICE.get(code, GIVE_UP)

    def frame(self, tag):
        text = self.text.encode()[:120]
        body = struct.pack("<BHBQB", self.scope, self.code, self.advice, self.detail, len(text))
        return frame(ERROR, tag if self.scope == REQUEST_SCOPE else 0, body + text)


def frame(kind, tag, body=b""):
    head = struct.pack("<BBH", kind, tag, len(body)) + body
    return head + struct.pack("<I", zlib.crc32(head))


class FrameReader:
    """Gathers frames from a stream that may be cut anywhere (BTP-010)."""

    def __init__(self):
        self.limit = 255
        self.buffer = bytearray()

    def feed(self, data):
        self.buffer += data

    def next(self):
        """The next frame as (type, tag, body), or None. Raises a Fault of channel scope."""
        if len(self.buffer) < 4:
            return None
        kind, tag, length = struct.unpack_from("<BBH", self.buffer)
        if length > self.limit:
            raise Fault(BODY_TOO_LONG, CHANNEL_SCOPE)
        if len(self.buffer) < length + 8:
            return None
        taken = bytes(self.buffer[:length + 8])
        del self.buffer[:length + 8]
        if zlib.crc32(taken[:-4]) != struct.unpack("<I", taken[-4:])[0]:
            raise Fault(BAD_CHECK, CHANNEL_SCOPE)
        return kind, tag, taken[4:-4]


class Body:
    """Reads a body; one that is too short is malformed, what is left over is not looked at."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Fault(MALFORMED, text="short body")
        self.at += count
        return self.data[self.at - count:self.at]

    def u(self, count):
        return int.from_bytes(self.take(count), "little")

    def one_of(self, allowed):
        value = self.u(1)
        if value not in allowed:
            raise Fault(MALFORMED, text=f"{value} is not drawn")
        return value

    def name(self):
        return self.take(self.u(1))

    def rest(self):
        return self.take(len(self.data) - self.at)


def read_object(body):
    kind = body.one_of((FIRMWARE, FILE, SINK, SOURCE))
    return kind, body.u(1), body.name()


def make_object(kind, number=0, name=b""):
    return struct.pack("<BBB", kind, number, len(name)) + name


def read_error(data):
    body = Body(data)
    scope, code = body.one_of((1, 2, 3)), body.u(2)
    advice, detail, length = body.one_of((1, 2, 3, 4)), body.u(8), body.u(1)
    if length > 120:
        raise Fault(MALFORMED, text="long text")
    return Fault(code, scope, detail, advice, body.take(length).decode("utf-8", "replace"))


def is_name(name):
    """BTP-080."""
    try:
        text = name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if not 1 <= len(name) <= 255 or text in (".", ".."):
        return False
    return all(c != "/" and ord(c) >= 0x20 and not 0x7F <= ord(c) <= 0x9F for c in text)


class Hello:
    """What one side announces (BTP-040 to BTP-045)."""

    def __init__(self, **given):
        self.lowest, self.highest = 1, 1
        self.longest_body, self.block_size = 320, 256
        self.inflate_window = self.deflate_window = None
        self.receive_window = None
        self.features, self.boot_id = 0, 0
        self.serial = self.model = self.software = self.geometry = None
        self.extra = b""
        for name, value in given.items():
            assert hasattr(self, name), name
            setattr(self, name, value)

    @property
    def window(self):
        return self.block_size if self.receive_window is None else self.receive_window

    def body(self):
        numbers = ((0x01, "longest_body", 2), (0x02, "block_size", 2), (0x03, "inflate_window", 1),
                   (0x04, "deflate_window", 1), (0x05, "receive_window", 4), (0x06, "features", 4),
                   (0x14, "boot_id", 4))
        out = bytearray(b"BTP\0" + bytes((self.lowest, self.highest)))
        for ident, name, size in numbers:
            if getattr(self, name) is not None:
                out += bytes((ident, size)) + getattr(self, name).to_bytes(size, "little")
        for ident, name in ((0x10, "serial"), (0x11, "model"), (0x13, "software")):
            if getattr(self, name) is not None:
                out += bytes((ident, len(getattr(self, name)))) + getattr(self, name)
        if self.geometry is not None:
            out += bytes((0x12, 10)) + struct.pack("<IIBB", *self.geometry)
        return bytes(out) + self.extra

    def set_field(self, ident, value):
        body = Body(value)
        if ident == 0x01:
            self.longest_body = body.u(2)
        elif ident == 0x02:
            self.block_size = body.u(2)
        elif ident == 0x03:
            self.inflate_window = body.one_of(range(9, 16))
        elif ident == 0x04:
            self.deflate_window = body.one_of(range(9, 16))
        elif ident == 0x05:
            self.receive_window = body.u(4)
        elif ident == 0x06:
            self.features = body.u(4)
        elif ident in (0x10, 0x11, 0x13):
            if not 1 <= len(value) <= 32:
                raise Fault(MALFORMED, text="text field")
            setattr(self, {0x10: "serial", 0x11: "model", 0x13: "software"}[ident], value)
        elif ident == 0x12:
            self.geometry = (body.u(4), body.u(4), body.u(1), body.u(1))
        elif ident == 0x14:
            self.boot_id = body.u(4)
        elif ident >= 0x80:
            raise Fault(UNKNOWN_FIELD, detail=ident)

    def check(self):
        size = self.block_size
        if (not 320 <= self.longest_body or size & (size - 1) or not 256 <= size <= 32768
                or self.longest_body < size + 8 or self.window < size):
            raise Fault(MALFORMED, text="sizes")

    @staticmethod
    def parse(data):
        body, hello = Body(data), Hello()
        if body.take(4) != b"BTP\0":
            raise Fault(MALFORMED, text="magic")
        hello.lowest, hello.highest = body.u(1), body.u(1)
        if not 1 <= hello.lowest <= hello.highest:
            raise Fault(MALFORMED, text="versions")
        if hello.lowest > 1:
            raise Fault(UNSUPPORTED_VERSION)
        while body.at < len(data):
            ident = body.u(1)
            hello.set_field(ident, body.take(body.u(1)))
        hello.check()
        return hello


def window_in_use(sender, receiver):
    """BTP-045: the base-2 logarithm, or None where blocks travel stored."""
    if sender.deflate_window is None or receiver.inflate_window is None:
        return None
    return min(sender.deflate_window, receiver.inflate_window)


def make_block(tag, offset, raw, history, window):
    """A block as it travels: deflated where that is shorter (BTP-052), else stored."""
    head = offset.to_bytes(6, "little") + struct.pack("<H", len(raw))
    if window is not None:
        past = history[-(1 << window):]
        deflater = (zlib.compressobj(6, zlib.DEFLATED, -window, 8, 0, past) if past
                    else zlib.compressobj(6, zlib.DEFLATED, -window))
        packed = deflater.compress(raw) + deflater.flush(zlib.Z_SYNC_FLUSH)
        assert packed.endswith(b"\0\0\xff\xff")
        if len(packed) - 4 < len(raw):
            return frame(DEFLATED, tag, head + packed[:-4])
    return frame(STORED, tag, head + raw)


def split_block(data):
    body = Body(data)
    return body.u(6), body.u(2), body.rest()


def inflate(data, raw_length, history, window):
    """The raw bytes of a deflated block, or None (BTP-051, BTP-053).

    A final empty block behind the tail tells whether the blocks are whole and none was final.
    """
    past = history[-(1 << window):]
    inflater = zlib.decompressobj(-15, past) if past else zlib.decompressobj(-15)
    try:
        raw = inflater.decompress(data + b"\0\0\xff\xff\x01\0\0\xff\xff", raw_length + 1)
    except zlib.error:
        return None
    whole = inflater.eof and not inflater.unused_data and not inflater.unconsumed_tail
    return raw if whole and len(raw) == raw_length else None


def source_bytes(seed):
    """BTP-083: four bytes at a time, without end."""
    x = seed * 0x9E3779B9 & 0xFFFFFFFF
    while True:
        if seed:
            x ^= x << 13 & 0xFFFFFFFF
            x ^= x >> 17
            x ^= x << 5 & 0xFFFFFFFF
        yield x.to_bytes(4, "little")
