"""Scenarios: bytes that break the page's rules, and what must answer them."""
import struct

from refusals import block_body, hello, write_body
from wire import *
from world import file, scenario

def errs(world, data, code, scope=SESSION_SCOPE, detail=None, greeted=True):
    """Sends bytes and expects this ERROR, silence after it, and a device that still works."""
    raw = world.raw(hello() if greeted else None)
    if not greeted:
        raw.next_of(HELLO)
    raw.send(data + frame(ECHO, 77, b"must not be taken"))
    while True:
        kind, tag, body = raw.next()
        if kind not in (WRITE_READY, ACK, READ_READY, STORED, DEFLATED, READ_END):
            break
    assert kind == ERROR, f"{kind:#x} where code {code} was due"
    error = read_error(body)
    assert (tag, error.code, error.scope) == (0, code, scope), f"{error}, tag {tag}"
    assert detail is None or error.detail == detail, error.detail
    if scope == CHANNEL_SCOPE and not world.mtu:
        assert raw.next() is None, "the device closes the channel"
    assert not raw.rest(), "an error that ends the session is followed by nothing"
    raw.close()
    raw = world.raw(hello())
    raw.send(frame(ECHO, 1, b"next session"))
    assert raw.next() == (ECHOED, 1, b"next session")
    raw.close()

def bad_check(data):
    return data[:-1] + bytes((data[-1] ^ 1,))

@scenario
def frames_that_cannot_be_read_end_the_channel(world):
    errs(world, bad_check(frame(ECHO, 1, b"x")), BAD_CHECK, CHANNEL_SCOPE)
    errs(world, bad_check(frame(0x90, 1, b"x")), BAD_CHECK, CHANNEL_SCOPE)
    errs(world, struct.pack("<BBH", ECHO, 1, 65535), BODY_TOO_LONG, CHANNEL_SCOPE)
    errs(world, struct.pack("<BBH", 0x90, 1, 65535), BODY_TOO_LONG, CHANNEL_SCOPE)
    errs(world, struct.pack("<BBH", HELLO, 0, 256), BODY_TOO_LONG, CHANNEL_SCOPE, greeted=False)
    errs(world, bad_check(frame(HELLO, 0, hello().body())), BAD_CHECK, CHANNEL_SCOPE, greeted=False)

@scenario
def frames_at_the_wrong_time_end_the_session(world):
    write = frame(WRITE, 1, write_body(file(b"z"), 10_000))
    read = frame(READ, 1, make_object(SOURCE, 1) + struct.pack("<QQ", 0, 1 << 30))
    error = struct.pack("<BHBQB", 1, 1, 1, 0, 0)
    for data, detail in (
            (frame(HELLO, 0, hello().body()), HELLO),
            (frame(ECHO, 0, b"x"), ECHO),
            (write + frame(ECHO, 2, b"x"), ECHO),
            (write + frame(WRITE, 2, write_body(file(b"z"), 10)), WRITE),
            (write + frame(ACK, 1, struct.pack("<Q", 0)), ACK),
            (read + frame(STORED, 1, block_body(0, 1, b"x")), STORED),
            (read + frame(COMMIT, 1), COMMIT),
            (read + frame(LIST, 2, b"\0"), LIST)):
        errs(world, data, UNEXPECTED_FRAME, detail=detail)
    for kind in sorted(FROM_DEVICE):
        body = {BUSY: struct.pack("<BQQ", 1, 0, 0), ECHOED: b"", CANCELED: b"", REMOVED: b"",
                LISTED: b"\0", IMAGE_STATES: b"\0"}.get(kind, bytes(90))
        errs(world, frame(kind, 1, body), UNEXPECTED_FRAME, detail=kind)
    for kind, body in ((FIN, b""), (ECHO, b"x"), (LIST, b"\0"), (ACK, bytes(8)), (COMMIT, b""),
                       (CANCEL, b""), (STORED, block_body(0, 1, b"x"))):
        errs(world, frame(kind, 1, body), UNEXPECTED_FRAME, detail=kind, greeted=False)

@scenario
def bodies_that_are_not_as_drawn_end_the_session(world):
    write = frame(WRITE, 1, write_body(file(b"z"), 10_000))
    read = frame(READ, 1, make_object(SOURCE, 1) + struct.pack("<QQ", 0, 1 << 30))
    for data in (
            frame(WRITE, 1, write_body(file(b"z"), 1)[:-1]),
            frame(WRITE, 1, write_body(b"\x05\0\0", 1)), frame(WRITE, 1, write_body(b"\0\0\0", 1)),
            frame(WRITE, 1, b"\x02\0\xffabc"), frame(READ, 1, file(b"z") + bytes(15)),
            frame(LIST, 1, b"\x02a"), frame(LIST, 1), frame(STAT, 1, b"\x02\0"),
            frame(TEST, 1, bytes(31)), frame(CONFIRM, 1),
            frame(STORED, 1, bytes(7)), frame(ACK, 1, bytes(7)),
            read + frame(ACK, 1, struct.pack("<Q", 1 << 29)),
            write + frame(STORED, 1, bytes(7))):
        errs(world, data, MALFORMED)
    for data in (struct.pack("<BHBQB", 9, 1, 1, 0, 0), struct.pack("<BHBQB", 2, 1, 9, 0, 0),
                 struct.pack("<BHBQB", 2, 1, 1, 0, 5) + b"four",
                 struct.pack("<BHBQB", 2, 1, 1, 0, 121) + bytes(121)):
        errs(world, frame(ERROR, 0, data), MALFORMED)

@scenario
def unknown_frames_are_skipped_or_refused_by_their_type(world):
    for kind in (0x00, 0x07, 0x1A, 0x22, 0x37, 0x46, 0x7F):
        errs(world, frame(kind, 1, b"x"), UNKNOWN_FRAME, detail=kind)
    errs(world, frame(0x7F, 1), UNKNOWN_FRAME, detail=0x7F, greeted=False)
    raw = world.raw()
    raw.send(frame(0x80, 9, b"x" * 255) + frame(HELLO, 200, hello().body())
             + frame(0xFF, 1, bytes(300)) + frame(ECHO, 1, b"a"))
    raw.next_of(HELLO)
    assert raw.next() == (ECHOED, 1, b"a")
    raw.send(frame(WRITE, 2, write_body(make_object(SINK, 8, b"a name"), 5, flags=0xFE) + b"more")
             + frame(0xA0, 2))
    assert raw.next_of(WRITE_READY)[2][:1] == b"\0"
    raw.send(frame(STORED, 2, block_body(0, 5, b"bytes")) + frame(0xA0, 3))
    assert raw.next_of(ACK)[2] == struct.pack("<Q", 5)
    raw.send(frame(COMMIT, 2, b"later versions append"))
    raw.next_of(COMMITTED)
    raw.send(frame(FIN, 7, b"?"))
    raw.next_of(FIN)
    raw.close()

@scenario
def hellos_are_read_as_the_page_draws_them(world):
    def says(body, code, detail=None):
        errs(world, frame(HELLO, 0, body), code, detail=detail, greeted=False)

    start = b"BTP\0\x01\x01"
    says(b"BTP\x01\x01\x01", MALFORMED)
    says(b"BTP\0\x00\x01", MALFORMED)
    says(b"BTP\0\x02\x01", MALFORMED)
    says(b"BTP\0\x01", MALFORMED)
    says(b"BTP\0\x02\x09", UNSUPPORTED_VERSION)
    says(start + b"\x80\0", UNKNOWN_FIELD, 0x80)
    says(start + b"\xff\x03abc", UNKNOWN_FIELD, 0xFF)
    for fields in (b"\x01\x01\x40", b"\x01\x02\x3f\x01", b"\x02\x02\xff\x00", b"\x02\x02\x80\x00",
                   b"\x02\x02\x00\x00", b"\x02\x02\x01\x80", b"\x02\x02\x00\x02",
                   b"\x03\x01\x08", b"\x03\x01\x10", b"\x04\x01\x00", b"\x03\x00",
                   b"\x05\x04\xff\x00\x00\x00", b"\x05\x03\xff\xff\xff", b"\x06\x03\0\0\0",
                   b"\x10\x00", b"\x11\x21" + b"x" * 33, b"\x13\x00", b"\x12\x09" + bytes(9),
                   b"\x14\x03\0\0\0", b"\x07", b"\x07\x02a", b"\x01\xff"):
        says(start + fields, MALFORMED)
    for body in (start, start + b"\x7f\x02ab" + b"\x01\x04\x00\x04zz" + b"\x02\x02\x00\x02",
                 b"BTP\0\x01\xff\x06\x04\xff\xff\xff\xff", start + b"\x10\x01\xff",
                 start + b"\x02\x02\x00\x80" + b"\x02\x02\x00\x01",

                 start + b"\x05\x04\xff\xff\xff\xff"):
        raw = world.raw()
        raw.send(frame(HELLO, 0, body) + frame(ECHO, 1, b"well"))
        raw.next_of(HELLO)
        assert raw.next() == (ECHOED, 1, b"well")
        raw.close()

@scenario
def an_error_from_the_host_ends_the_session_in_silence(world):
    for scope in (SESSION_SCOPE, CHANNEL_SCOPE):
        for greeted in (True, False):
            raw = world.raw(hello() if greeted else None)
            raw.send(frame(ERROR, 0, struct.pack("<BHBQB", scope, 999, 4, 0, 2) + b"so")
                     + frame(ECHO, 1, b"nobody listens"))
            if not greeted:
                raw.next_of(HELLO)
            assert not raw.rest()
            raw.close()
