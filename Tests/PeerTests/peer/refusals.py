"""Scenarios: requests that the device must refuse, and frames that break the protocol."""
import hashlib
import struct

from host import Canceled
from wire import *
from world import fails, file, scenario


def write_body(target, length, digest=bytes(32), flags=0):
    return target + struct.pack("<Q", length) + digest + bytes((flags,))


def block_body(offset, raw_length, data):
    return offset.to_bytes(6, "little") + struct.pack("<H", raw_length) + data


PLAIN = dict(longest_body=4200, block_size=4096, receive_window=4096, deflate_window=15)


def hello(**fields):
    return Hello(**(PLAIN | fields))


@scenario
def names_that_are_none_are_refused(world):
    link = world.link()
    host = link.host
    for name in (b"", b".", b"..", b"a/b", b"/", b"a\0", b"\x1f", b"\x7f", "\u0085".encode(),
                 b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"abc\xe2\x82"):
        for work in (host.push(file(name), b"x"), host.pull(file(name)), host.stat(file(name)),
                     host.remove(file(name))):
            fails(link, work, BAD_NAME)
    for name in (b"...", b".a", b" ", "\u00a0".encode(), b"\\", b"n" * 255):
        link.run(host.push(file(name), name))
        assert link.run(host.pull(file(name))) == name
    link.finish()


@scenario
def what_the_table_does_not_give_a_kind_is_refused(world):
    link = world.link()
    host = link.host
    firmware, sink, source = make_object(FIRMWARE), make_object(SINK), make_object(SOURCE)
    for work in (host.pull(firmware), host.stat(firmware), host.remove(firmware), host.pull(sink),
                 host.stat(sink), host.remove(sink), host.push(source, b"x"), host.stat(source),
                 host.remove(source)):
        fails(link, work, NOT_SUPPORTED)
    fails(link, host.push(make_object(FIRMWARE, 9), b"image"), NOT_FOUND)
    fails(link, host.push(firmware, b""), WRONG_IMAGE)
    link.finish()


@scenario
def what_the_device_does_not_announce_is_refused(world):
    """For a device with neither slots nor files."""
    link = world.link()
    host = link.host
    assert host.peer.features & 3 == 0, host.peer.features
    digest = bytes(32)
    for work in (host.push(file(b"a"), b"x"), host.pull(file(b"a")), host.stat(file(b"a")),
                 host.remove(file(b"a")), host.list(), host.push(make_object(FIRMWARE), b"x"),
                 host.images(), host.images(TEST, digest), host.images(CONFIRM, digest),
                 host.reset()):
        fails(link, work, NOT_SUPPORTED)
    assert link.run(host.echo(b"still here")) == b"still here"
    link.finish()


@scenario
def what_cannot_fit_is_refused_before_anything_is_lost(world):
    """For a device with 64 KiB for files and 128 KiB for an image."""
    link = world.link()
    host = link.host
    kept = world.noise(20_000)
    link.run(host.push(file(b"kept"), kept))
    before = link.run(host.images())
    room = fails(link, host.push(file(b"big"), bytes(70_000)), NO_SPACE).detail
    assert 0 < room < 70_000, room
    fails(link, host.push(make_object(FIRMWARE), bytes(1 << 20)), NO_SPACE)
    link.finish()
    for target in (file(b"big"), make_object(FIRMWARE), make_object(SINK)):
        raw = world.raw(hello())
        raw.send(frame(WRITE, 1, write_body(target, 1 << 48)))
        tag, error = raw.error()
        assert (tag, error.code, error.scope) == (1, NO_SPACE, REQUEST_SCOPE), error
        assert error.detail == LONGEST_OBJECT, error
        raw.close()
    link = world.link()
    assert link.run(link.host.pull(file(b"kept"))) == kept
    assert link.run(link.host.images()) == before
    link.finish()


@scenario
def reads_out_of_range_are_refused(world):
    link = world.link()
    link.run(link.host.push(file(b"r"), bytes(1000)))
    link.finish()
    raw = world.raw(hello())

    def read(tag, target, offset, length):
        raw.send(frame(READ, tag, target + struct.pack("<QQ", offset, length)))
        return raw.error()

    for tag, target, offset, length, code, detail in (
            (1, file(b"r"), 1001, 1, BAD_OFFSET, 1000),
            (2, make_object(SOURCE, 1), 1, 5, BAD_OFFSET, 0),
            (3, make_object(SOURCE, 1), 0, 1 << 48, NOT_SUPPORTED, LONGEST_OBJECT),
            (4, make_object(SOURCE, 1), 0, EVERYTHING, NOT_SUPPORTED, LONGEST_OBJECT)):
        got, error = read(tag, target, offset, length)
        assert (got, error.code, error.scope, error.detail) == (tag, code, REQUEST_SCOPE, detail), error
    raw.send(frame(READ, 5, file(b"r") + struct.pack("<QQ", 1000, EVERYTHING)))
    assert raw.next_of(READ_READY)[2][:16] == struct.pack("<QQ", 1000, 1000)
    end = raw.next_of(READ_END)[2]
    assert end == struct.pack("<Q", 1000) + hashlib.sha256(bytes(1000)).digest()
    raw.close()


class Upload:
    """A WRITE by hand, with what follows it."""

    def __init__(self, world, length=100_000, **fields):
        self.raw = world.raw(hello(**fields))
        self.size = min(4096, self.raw.peer.block_size)
        self.target = write_body(file(b"u"), length)
        self.tag = 0
        self.open()

    def open(self):
        self.tag += 1
        self.raw.send(frame(WRITE, self.tag, self.target))
        state, self.offset, _ = struct.unpack("<BQI", self.raw.next_of(WRITE_READY)[2])
        assert state == 0

    def block(self, offset, raw_length, data, kind=STORED):
        self.raw.send(frame(kind, self.tag, block_body(offset, raw_length, data)))

    def refused(self, code, detail=None):
        while True:
            kind, tag, body = self.raw.next()
            if kind != ACK:
                break
        assert kind == ERROR, kind
        error = read_error(body)
        assert (tag, error.code, error.scope) == (self.tag, code, REQUEST_SCOPE), error
        assert error.advice == ADVICE.get(code, GIVE_UP), error.advice
        assert detail is None or error.detail == detail, error.detail
        before = self.offset
        self.open()
        assert self.offset >= before, "progress is kept"


@scenario
def blocks_that_are_wrong_end_the_request_alone(world):
    up = Upload(world)
    size = up.size
    up.block(0, size, bytes(size))
    up.raw.next_of(ACK)
    up.block(2 * size, size, bytes(size))
    up.refused(BAD_OFFSET, size)
    assert up.offset == size
    up.block(0, size, bytes(size))
    up.refused(BAD_OFFSET, size)
    up.block(size, 0, b"")
    up.refused(BAD_BLOCK)
    up.block(size, size, bytes(size - 1))
    up.refused(BAD_BLOCK)
    up.block(size, size - 1, bytes(size))
    up.refused(BAD_BLOCK)
    if size < 4096:
        up.block(size, 2 * size, bytes(size))
        up.refused(BAD_BLOCK)
    for deflated in (b"\xff\xff\xff", b"", make_block(1, 0, bytes(size - 1), b"", 9)[12:-4],
                     make_block(1, 0, bytes(size + 1), b"", 9)[12:-4],
                     make_block(1, 0, bytes(size), b"", 9)[12:-5]):
        up.block(size, size, deflated, DEFLATED)
        up.refused(BAD_BLOCK)
    assert up.offset == size
    up.block(size, size, make_block(1, 0, bytes(size), b"", 9)[12:-4], DEFLATED)
    up.raw.next_of(ACK)
    up.raw.send(frame(COMMIT, up.tag))
    up.refused(UNEXPECTED_FRAME)
    assert up.offset == 2 * size
    up.raw.close()


@scenario
def a_block_beyond_the_object_is_refused(world):
    up = Upload(world, length=1000)
    up.block(0, up.size, bytes(up.size))
    up.refused(BAD_BLOCK)
    up.raw.close()


@scenario
def a_block_beyond_the_window_is_refused(world):
    """For a device whose flash is so slow that blocks pile up, or one that never notices."""
    up = Upload(world, length=1 << 19)
    window = up.raw.peer.window
    count = window // up.size + 8
    data = b"".join(frame(STORED, up.tag, block_body(n * up.size, up.size, bytes(up.size)))
                    for n in range(count))
    up.raw.send(data)
    acked = 0
    while True:
        kind, tag, body = up.raw.next()
        if kind == ERROR:
            error = read_error(body)
            assert error.code == WINDOW_EXCEEDED and error.detail == acked + window, error
            break
        assert kind == ACK
        assert struct.unpack("<Q", body)[0] > acked, "ACKs rise"
        acked = struct.unpack("<Q", body)[0]
        if acked == count * up.size:
            break
    up.raw.close()


@scenario
def frames_of_a_request_that_is_over_are_skipped(world):
    up = Upload(world, length=4096 * 4)
    raw = up.raw
    up.block(up.size * 3, up.size, bytes(up.size))
    for kind, body in ((STORED, block_body(0, 10, bytes(10))), (DEFLATED, block_body(0, 10, b"x")),
                       (COMMIT, b""), (CANCEL, b""), (ACK, struct.pack("<Q", 1 << 40)),
                       (ERROR, struct.pack("<BHBQB", 1, 1, 1, 0, 0))):
        raw.send(frame(kind, up.tag, body))
    assert raw.error()[1].code == BAD_OFFSET
    raw.send(frame(ECHO, 99, b"after all that"))
    assert raw.next() == (ECHOED, 99, b"after all that")
    up.open()
    raw.send(frame(ERROR, up.tag, struct.pack("<BHBQB", 1, 777, 4, 0, 3) + b"why"))
    raw.send(frame(ECHO, 98, b"and an error ends it"))
    assert raw.next() == (ECHOED, 98, b"and an error ends it")
    up.tag = 100
    up.open()
    raw.send(frame(CANCEL, up.tag))
    assert raw.next() == (CANCELED, up.tag, b"")
    up.open()
    raw.send(frame(FIN, 0) + frame(ECHO, 97, b"not any more"))
    assert raw.next() == (FIN, 0, b"")
    assert raw.silent(), "a device sends nothing after FIN, and leaves the closing to the host"
    raw.close()


@scenario
def a_second_writer_is_told_that_the_device_is_busy(world):
    up = Upload(world)
    link = world.link()
    fails(link, link.host.push(file(b"other"), b"x"), BUSY_OBJECT)
    up.raw.send(frame(CANCEL, up.tag))
    up.raw.next_of(CANCELED)
    link.run(link.host.push(file(b"other"), b"x"))
    assert link.run(link.host.pull(file(b"other"))) == b"x"
    link.finish()
    up.raw.close()
