"""Devices that do something odd: some of it allowed, some of it a violation.

Each fault is a function of (device, type, tag, body) that gives the bytes to send in place of the
device's own frame. `device.done` says whether it has struck before, on whatever link.
"""
import hashlib
import struct

from device import Device
from wire import *

FAULTS = {}


def fault(function):
    FAULTS[function.__name__] = function
    return function


class OddDevice(Device):
    def __init__(self, hello, storage, chatty, odd, done):
        self.odd, self.done, self.over_soon = FAULTS.get(odd), done, False
        super().__init__(hello, storage, chatty)

    def emit(self, data):
        if self.odd is not None:
            data = self.odd(self, data[0], data[1], data[4:-4])
        super().emit(data)
        self.over = self.over or self.over_soon

    def once(self):
        """True the first time."""
        first = not self.done
        self.done.append(True)
        return first


def error(tag, code, scope, advice, text=b""):
    body = struct.pack("<BHBQB", scope, code, advice, 0, len(text)) + text
    return frame(ERROR, tag, body)


# What a host must take in its stride

@fault
def speaks_of_later_versions(device, kind, tag, body):
    """Optional frames and fields that nobody knows, and bytes behind what is drawn."""
    if kind == HELLO:
        return frame(0x80, 3, b"x" * 200) + frame(kind, 9, body + b"\x7f\x03new")
    appended = b"" if kind in (STORED, DEFLATED, ECHOED) else b"more"
    return frame(0xFF, tag, b"?") + frame(kind, tag, body + appended) + frame(0x90, 0)


@fault
def sends_frames_of_requests_that_are_over(device, kind, tag, body):
    own = frame(kind, tag, body)
    if kind in (HELLO, FIN):
        return own
    other = (tag + 100) % 255 + 1
    return (frame(BUSY, other, struct.pack("<BQQ", 2, 0, 0)) + error(other, 24, 1, 1) + own
            + frame(ACK, other, bytes(8)) + frame(LISTED, other, b"\0")
            + frame(STORED, other, bytes(8)) + frame(CANCELED, other))


@fault
def acknowledges_twice(device, kind, tag, body):
    own = frame(kind, tag, body)
    return own + frame(ACK, tag, struct.pack("<Q", 1)) + own if kind == ACK else own


@fault
def sends_a_block_that_does_not_inflate_once(device, kind, tag, body):
    if kind == DEFLATED and device.reading.offset > 10_000 and device.once():
        body = body[:8] + b"\xff" * (len(body) - 8)
    return frame(kind, tag, body)


@fault
def says_that_the_object_changed_once(device, kind, tag, body):
    if kind in (STORED, DEFLATED) and device.reading.offset > 10_000 and device.once():
        raise Fault(CHANGED, REQUEST_SCOPE)
    return frame(kind, tag, body)


@fault
def refuses_a_block_once(device, kind, tag, body):
    if kind == ACK and device.writing.offset > 10_000 and device.once():
        raise Fault(BAD_BLOCK, REQUEST_SCOPE)
    return frame(kind, tag, body)


@fault
def reads_another_digest_back_once(device, kind, tag, body):
    if kind == COMMITTED and device.once():
        device.storage.files.clear()
        return error(tag, DIGEST_MISMATCH, REQUEST_SCOPE, RESTART)
    return frame(kind, tag, body)


@fault
def is_busy_with_another_session_once(device, kind, tag, body):
    if kind == HELLO and device.once():
        device.over_soon = True
        return frame(kind, tag, body) + error(0, BUSY_OBJECT, SESSION_SCOPE, RETRY)
    return frame(kind, tag, body)


# What ends the session, and is no success

@fault
def commits_another_digest(device, kind, tag, body):
    return frame(kind, tag, bytes(32) + body[32:] if kind == COMMITTED else body)


@fault
def acknowledges_what_was_not_sent(device, kind, tag, body):
    return frame(kind, tag, struct.pack("<Q", 1 << 40) if kind == ACK else body)


@fault
def holds_more_than_there_is(device, kind, tag, body):
    if kind == WRITE_READY:
        body = struct.pack("<BQI", 0, 1 << 40, 0)
    return frame(kind, tag, body)


@fault
def has_a_critical_field(device, kind, tag, body):
    return frame(kind, tag, body + b"\x80\x00" if kind == HELLO else body)


@fault
def has_a_hello_that_is_too_long(device, kind, tag, body):
    return frame(kind, tag, body + b"\x7e\xff" + bytes(255) if kind == HELLO else body)


@fault
def speaks_version_two_only(device, kind, tag, body):
    return frame(kind, tag, body[:4] + b"\x02\x02" + body[6:] if kind == HELLO else body)


@fault
def sends_an_unknown_frame(device, kind, tag, body):
    return (frame(0x7F, tag, b"") if kind == WRITE_READY else b"") + frame(kind, tag, body)


@fault
def sends_a_frame_with_a_wrong_check(device, kind, tag, body):
    own = frame(kind, tag, body)
    return own[:-1] + bytes((own[-1] ^ 1,)) if kind == WRITE_READY else own


@fault
def says_fin_unasked(device, kind, tag, body):
    return (frame(FIN, 0) if kind == WRITE_READY else b"") + frame(kind, tag, body)


@fault
def sends_a_request(device, kind, tag, body):
    return (frame(IMAGES, tag) if kind == WRITE_READY else b"") + frame(kind, tag, body)


@fault
def answers_another_request(device, kind, tag, body):
    return (frame(REMOVED, tag) if kind == WRITE_READY else b"") + frame(kind, tag, body)


@fault
def sends_a_short_body(device, kind, tag, body):
    return frame(kind, tag, body[:-1] if kind == WRITE_READY else body)


@fault
def sends_an_activity_that_is_not_drawn(device, kind, tag, body):
    busy = frame(BUSY, tag, struct.pack("<BQQ", 9, 0, 0))
    return (busy if kind == WRITE_READY else b"") + frame(kind, tag, body)


@fault
def leaves_a_gap(device, kind, tag, body):
    if kind in (STORED, DEFLATED):
        body = (int.from_bytes(body[:6], "little") + 1).to_bytes(6, "little") + body[6:]
    return frame(kind, tag, body)


@fault
def sends_a_block_of_nothing(device, kind, tag, body):
    return frame(kind, tag, body[:6] + b"\0\0" if kind in (STORED, DEFLATED) else body)


@fault
def ends_with_another_digest(device, kind, tag, body):
    if kind == READ_END:
        body = body[:8] + hashlib.sha256(b"another").digest()
    return frame(kind, tag, body)


@fault
def ends_early(device, kind, tag, body):
    if kind == READ_END:
        body = struct.pack("<Q", 5) + body[8:]
    return frame(kind, tag, body)


def entry(tag, name):
    return frame(ENTRY, tag, struct.pack("<QQBB", 1, 0, 0, len(name)) + name)


def listing(names, more=0):
    def lists(device, kind, tag, body):
        if kind != LISTED:
            return b"" if kind == ENTRY else frame(kind, tag, body)
        return b"".join(entry(tag, name) for name in names) + frame(LISTED, tag, bytes((more,)))
    return lists


FAULTS["lists_a_way_out"] = listing([b"../out"])
FAULTS["lists_a_name_twice"] = listing([b"a", b"a"])
FAULTS["lists_out_of_order"] = listing([b"b", b"a"])
FAULTS["lists_too_many"] = listing([b"n%02d" % n for n in range(33)])
FAULTS["lists_more_of_nothing"] = listing([], more=1)
FAULTS["lists_more_without_end"] = listing([b"same"], more=1)
FAULTS["lists_what_is_not_drawn"] = listing([b"a"], more=2)


# What is refused, in numbers that nobody knows

@fault
def refuses_with_an_unknown_code(device, kind, tag, body):
    if kind == WRITE_READY:
        device.writing = None
        return error(tag, 999, 1, GIVE_UP, b"the \x1b[31mmoon\x1b[0m is wrong")
    return frame(kind, tag, body)


@fault
def ends_the_session_with_an_unknown_code(device, kind, tag, body):
    return error(0, 999, 2, GIVE_UP, b"so long") if kind == WRITE_READY else frame(kind, tag, body)
