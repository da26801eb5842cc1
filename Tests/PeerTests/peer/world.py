"""What a scenario works with: links to the other side's device, and expectations."""
import random
import socket
import struct
import time

from drive import HostLink, Link, LinkLost, connect, make_pipe
from host import Host
from wire import *

SCENARIOS = {}


def scenario(function):
    SCENARIOS[function.__name__] = function
    return function


class World:
    """Makes links to the device at a path. Each has a HELLO of its own."""

    def __init__(self, path, mtu):
        self.path, self.mtu = path, mtu
        self.random = random.Random(20)

    def link(self, grant=16, hello=None, **cuts):
        fields = dict(longest_body=8200, block_size=4096, inflate_window=15, deflate_window=15,
                      receive_window=16384, software=b"peer.py")
        fields.update(hello or {})
        host = Host(Hello(**fields))
        return HostLink(connect(self.path), make_pipe(self.mtu, False, grant), host, **cuts)

    def raw(self, hello=None):
        return RawLink(self, hello)

    def text(self, count):
        lines = b"".join(b"%05d the cargo moves through channels\n" % n for n in range(count // 38 + 1))
        return lines[:count]

    def noise(self, count):
        return self.random.randbytes(count)

    def cargo(self, count):
        """Half of it deflates, half does not."""
        return self.text(count // 2) + self.noise(count - count // 2)


class RawLink:
    """Frames by hand on a pipe: for what a Host would never send."""

    def __init__(self, world, hello=None):
        self.pipe = make_pipe(world.mtu, False)
        end = connect(world.path)
        self.link = Link(end, end.sendall, self.pipe)
        self.reader = FrameReader()
        self.reader.limit = 65535
        self.frames, self.ended = [], False
        if self.link.framed:
            self.pipe.begin()
            self.link.flush()
            self.gather(lambda: self.pipe.open)
        if hello is not None:
            self.send(frame(HELLO, 0, hello.body()))
            kind, tag, body = self.next()
            assert (kind, tag) == (HELLO, 0), kind
            self.peer = Hello.parse(body)

    def send(self, data):
        self.pipe.send(data)
        try:
            self.link.flush()
        except LinkLost:
            self.ended = True

    def gather(self, done, seconds=5):
        end = time.monotonic() + seconds
        while not done() and not self.ended and not self.pipe.lost:
            assert time.monotonic() < end, "nothing came"
            try:
                self.link.flush()
                data = self.link.poll(0.05)
            except LinkLost:
                self.ended = True
                return
            self.reader.feed(data or b"")
            while True:
                got = self.reader.next()
                if got is None:
                    break
                self.frames.append(got)

    def next(self):
        """The next frame; None at the end of the link."""
        self.gather(lambda: self.frames)
        return self.frames.pop(0) if self.frames else None

    def next_of(self, kind):
        got = self.next()
        assert got is not None and got[0] == kind, f"{got} where {kind:#x} was due"
        return got

    def error(self):
        """The next frame, which must be an ERROR: (tag, Fault)."""
        got = self.next_of(ERROR)
        return got[1], read_error(got[2])

    def silent(self, seconds=0.04):
        """True if nothing comes for a while, and the link stands."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self.link.flush()
                data = self.link.poll(0.01)
            except LinkLost:
                return False
            if data:
                self.reader.feed(data)
                return False
        return not self.frames

    def rest(self):
        """All that still comes once the host's side has ended: no clock is needed to know it."""
        self.link.source.shutdown(socket.SHUT_WR)
        try:
            while not self.ended:
                data = self.link.poll(5)
                assert data is not None, "the device did not let go of the link"
                self.reader.feed(data)
        except LinkLost:
            self.ended = True
        while (got := self.reader.next()) is not None:
            self.frames.append(got)
        return self.frames

    def close(self):
        self.link.close()


def fails(link, work, code, detail=None, advice=None):
    """Runs an operation that the device must refuse, with this code and request scope."""
    try:
        link.run(work)
    except Fault as fault:
        assert fault.code == code, f"{fault} where code {code} was due"
        assert fault.scope == REQUEST_SCOPE, fault
        assert detail is None or fault.detail == detail, f"{fault} where detail {detail} was due"
        assert fault.advice == (advice or ADVICE.get(code, GIVE_UP)), f"advice {fault.advice}"
        return fault
    raise AssertionError(f"nothing failed where code {code} was due")


def file(name):
    return make_object(FILE, 0, name)
