"""Scenarios: the GATT pipe, value by value."""
import struct
import time

import gatt
from refusals import hello
from wire import *
from world import scenario


class Values:
    """Values by hand. Nothing is answered by itself."""

    def __init__(self, world, limit=64, version=1, opens=True):
        from drive import Link, connect
        self.pipe = ValueList()
        end = connect(world.path)
        self.link = Link(end, end.sendall, self.pipe)
        if opens:
            self.send(struct.pack("<BBI", gatt.OPEN, version, limit))
            kind, version, self.limit = struct.unpack("<BBI", self.next())
            assert kind == gatt.OPENED and version == 1 and 0 < self.limit <= 64, version

    def send(self, *values):
        self.pipe.values += values
        self.link.flush()

    def next(self, seconds=5):
        end = time.monotonic() + seconds
        while not self.pipe.arrived:
            assert time.monotonic() < end, "no value came"
            self.link.poll(0.05)
        return self.pipe.arrived.pop(0)

    def control(self, seconds=5):
        """The next value that is no data."""
        while True:
            value = self.next(seconds)
            if value[0] >= 0x80:
                return value

    def drain(self):
        """All values that come until none has come for a while."""
        while self.link.poll(0.05) is not None:
            pass
        out, self.pipe.arrived = self.pipe.arrived, []
        return out

    def silent(self):
        return not self.drain()

    def close(self):
        self.link.close()


class ValueList:
    """A pipe that takes values as they come and sends them as they are given."""

    def __init__(self):
        self.values, self.arrived, self.fresh = [], [], False

    def received(self, value, now):
        self.arrived.append(value)
        return b""

    def take_output(self):
        out, self.values = self.values, []
        return out


def data(number, stream=b"?"):
    return bytes((number & 0x7F,)) + stream


def credit(limit):
    return struct.pack("<BI", gatt.CREDIT, limit)


def probe(sent):
    return struct.pack("<BI", gatt.PROBE, sent)


def broken(reason):
    return bytes((gatt.BROKEN, reason))


def stream(raw, first=0, size=19):
    parts = [raw[at:at + size] for at in range(0, len(raw), size)]
    return [data(first + n, part) for n, part in enumerate(parts)]


@scenario
def values_that_are_wrong_break_the_pipe_and_open_mends_it(world):
    for values, reason in (
            ([data(1)], gatt.GAP), ([data(0, b"\x80"), data(2)], gatt.GAP),
            ([data(0, b"\x80"), data(0)], gatt.GAP), ([b""], gatt.BAD_VALUE),
            ([b"\0"], gatt.BAD_VALUE), ([b"\x85" + bytes(9)], gatt.BAD_VALUE),
            ([b"\xff"], gatt.BAD_VALUE), ([b"\x82\0\0\0"], gatt.BAD_VALUE),
            ([b"\x83"], gatt.BAD_VALUE), ([b"\x84"], gatt.BAD_VALUE),
            ([b"\x84\x00"], gatt.BAD_VALUE), ([b"\x84\x04"], gatt.BAD_VALUE),
            ([b"\x80\x01\x40\0\0"], gatt.BAD_VALUE), ([b"\0" * 513], gatt.BAD_VALUE),
            ([credit(1000)], gatt.BAD_VALUE)):
        link = Values(world)
        link.send(*values)
        assert link.control() == broken(reason), values
        link.send(data(0), credit(70), b"\xff", broken(1), probe(0))
        assert link.next()[0] == gatt.BROKEN, "a broken pipe takes nothing, but it answers PROBE"
        link.send(struct.pack("<BBI", gatt.OPEN, 1, 64))
        assert link.next()[0] == gatt.OPENED
        assert link.next()[0] == 0, "the new session's HELLO is value 0"
        link.close()


@scenario
def values_beyond_the_limit_break_the_pipe(world):
    link = Values(world)
    # One frame that is longer than all the credit (BTP-023) is taken; the count runs over.
    raw = frame(HELLO, 0, hello().body()) + frame(ECHO, 1, bytes(2000))
    sent, limit = 0, link.limit
    for value in stream(raw, 0, 10):
        while sent == limit:
            got = link.control()
            assert got[0] == gatt.CREDIT, got
            assert struct.unpack("<I", got[1:])[0] > limit
            limit = struct.unpack("<I", got[1:])[0]
            assert limit <= sent + 64
        link.send(value)
        sent += 1
    link.close()
    link = Values(world)
    whole = data(0, struct.pack("<BBH", HELLO, 0, 255))
    link.send(*([whole] + [data(n, b"x") for n in range(1, 300)]))
    got = [link.control()]
    while got[-1][0] != gatt.BROKEN:
        got.append(link.control())
    assert all(value[0] == gatt.CREDIT for value in got[:-1])
    link.close()


@scenario
def limits_are_kept_and_probe_finds_what_was_lost(world):
    link = Values(world, limit=1)
    first = link.next()
    assert first[0] == 0 and len(first) <= world.mtu - 3
    if len(first) - 1 < 40:
        assert link.silent(), "one value was allowed"
        link.send(credit(2))
        assert link.next()[0] == 1
        link.send(credit(2), credit(1))
        assert link.silent(), "a limit that does not rise is ignored"
    link.send(probe(0))
    assert link.control() == credit(link.limit)
    link.send(data(0, b"\x80"), probe(1))
    assert link.control() == credit(link.limit)
    link.send(probe(2))
    assert link.control() == broken(gatt.GAP)
    link.close()


@scenario
def a_device_that_waits_for_credit_asks_for_it(world):
    link = Values(world, limit=0)
    assert link.silent()
    assert link.control(seconds=3) == probe(0)
    link.send(credit(64))
    assert link.next()[0] == 0
    link.close()


@scenario
def a_closed_pipe_answers_probe_with_broken(world):
    link = Values(world, opens=False)
    link.send(data(0), b"\xff", credit(9), broken(1), probe(0))
    assert link.next()[0] == gatt.BROKEN
    link.close()


@scenario
def a_repeated_open_changes_nothing_and_a_late_one_starts_anew(world):
    link = Values(world)
    received = sum(value[0] < 0x80 for value in link.drain())
    link.send(struct.pack("<BBI", gatt.OPEN, 1, 64))
    assert link.next()[0] == gatt.OPENED
    assert link.next() == probe(received)
    assert link.silent(), "HELLO is not said again"
    link.send(*stream(frame(HELLO, 0, hello().body()), 0))
    link.send(struct.pack("<BBI", gatt.OPEN, 1, 64))
    while link.next()[0] != gatt.OPENED:
        pass
    assert link.next()[0] == 0, "a new session says HELLO in value 0"
    link.send(struct.pack("<BBI", gatt.OPEN, 1, 65))
    assert link.control() == broken(gatt.BAD_VALUE)
    link.close()


@scenario
def a_later_version_of_open_is_answered_with_ours(world):
    link = Values(world, version=9)
    link.close()
    link = Values(world, opens=False)
    link.send(struct.pack("<BBI", gatt.OPEN, 0, 64))
    assert link.silent(), "version 0 is none"
    link.send(struct.pack("<BBI", gatt.OPEN, 1, 64) + b"appended later")
    assert link.next()[0] == gatt.OPENED
    link.close()
