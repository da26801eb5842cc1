"""Scenarios: a host moves objects to and from the device, and takes up what was cut off."""
import hashlib

from drive import LinkLost
from host import Canceled
from wire import *
from world import fails, file, scenario


@scenario
def files_go_over_and_come_back(world):
    link = world.link()
    host = link.host
    size = host.block_size
    for count in (0, 1, 255, size - 1, size, size + 1, 3 * size, 40_001):
        data = world.cargo(count)
        name = file(b"f%d.bin" % count)
        assert link.run(host.push(name, data))[1] == 0
        assert link.run(host.push(name, data))[1] == count, "the second push finds it complete"
        assert link.run(host.pull(name)) == data
        assert link.run(host.pull(name, bytearray(data[:count // 3]), 10)) == data[:count // 3 + 10]
        stated = link.run(host.stat(name))
        assert (stated[0], stated[2]) == (count, hashlib.sha256(data).digest())
        assert (b"f%d.bin" % count, count) in [f[:2] for f in link.run(host.list())]
        link.run(host.remove(name))
        fails(link, host.pull(name), NOT_FOUND)
        fails(link, host.stat(name), NOT_FOUND)
        fails(link, host.remove(name), NOT_FOUND)
    assert host.deflated_blocks and host.stored_blocks
    link.finish()


@scenario
def every_window_and_block_size_works(world):
    data = world.cargo(30_000)
    sizes = ((256, None, None, 256), (256, 9, 9, 256), (512, 10, 9, 700), (1024, 9, 15, 5000),
             (4096, 15, 15, 4096), (32768, 15, 12, 32768), (2048, None, 12, 4095))
    for block, inflating, deflating, window in sizes:
        hello = dict(block_size=block, inflate_window=inflating, deflate_window=deflating,
                     receive_window=window, longest_body=max(320, block + 8))
        link = world.link(grant=5, hello=hello)
        host = link.host
        link.run(host.push(file(b"w"), data, restart=True))
        assert (host.deflated_blocks > 0) == (deflating is not None)
        host.deflated_blocks = 0
        assert link.run(host.pull(file(b"w"))) == data
        assert (host.deflated_blocks > 0) == (inflating is not None)
        link.finish()


def push_until_there(world, name, data, cuts):
    """Pushes with the link cut after so many bytes each time.

    Each new offset is at most a block below the last ACK that was heard (BTP-064).
    """
    acked, cuts = 0, list(cuts)
    while cuts:
        cut = cuts.pop(0)
        try:
            link = world.link(cut_after_sent=cut)
        except LinkLost:
            continue
        host = link.host
        try:
            link.run(host.push(name, data))
            link.finish()
        except LinkLost:
            pass
        except Fault as fault:
            # The device has not yet seen the end of the last link. The advice is: retry.
            assert (fault.code, fault.advice) == (BUSY_OBJECT, RETRY), fault
            cuts.insert(0, cut)
            continue
        if host.ready_offset is not None:
            assert host.ready_offset + host.block_size >= acked, (host.ready_offset, acked)
            acked = max(acked, host.acked)


@scenario
def a_push_is_resumed_wherever_it_was_cut(world):
    data = world.noise(30_000)
    for first in list(range(1, 400, 133)) + list(range(400, 32_000, 2603)):
        name = file(b"cut%d" % first)
        push_until_there(world, name, data, (first, 5000, 9000, None))
        link = world.link()
        assert link.run(link.host.pull(name)) == data
        link.run(link.host.remove(name))
        link.finish()


@scenario
def a_pull_is_resumed_wherever_it_was_cut(world):
    data = world.cargo(30_000)
    link = world.link()
    link.run(link.host.push(file(b"p"), data))
    link.finish()
    for first in list(range(1, 400, 57)) + list(range(400, 17_000, 2603)):
        have, total = bytearray(), 0
        for cut in (first, 4000, None):
            try:
                link = world.link(cut_after_received=cut)
                assert link.run(link.host.pull(file(b"p"), have)) == data
                link.finish()
                break
            except LinkLost:
                assert have == data[:len(have)]
    have = bytearray(b"not what the device has")
    link = world.link()
    assert link.run(link.host.pull(file(b"p"), have)) == data, "another prefix starts over"
    longer = bytearray(data + b"more than there is")
    assert link.run(link.host.pull(file(b"p"), longer)) == data, "and so does an offset beyond"
    link.finish()


@scenario
def what_is_given_up_leaves_its_progress_and_the_session(world):
    data = world.noise(60_000)
    link = world.link()
    host = link.host
    for amount in (1, 20_000):
        host.cancel_after = amount
        try:
            link.run(host.push(file(b"c"), data))
            raise AssertionError("it was not canceled")
        except Canceled:
            pass
    host.cancel_after = None
    assert link.run(host.push(file(b"c"), data))[1] > 0
    host.cancel_after = 10_000
    try:
        link.run(host.pull(file(b"c")))
        raise AssertionError("it was not canceled")
    except Canceled:
        host.cancel_after = None
    assert link.run(host.pull(file(b"c"))) == data
    link.finish()


@scenario
def a_prefix_of_other_bytes_is_replaced(world):
    link = world.link()
    host = link.host
    data = world.noise(20_000)
    wrong = data[:5] + b"?" + data[6:]
    digest = hashlib.sha256(data).digest()
    host.cancel_after = 12_000
    try:
        link.run(host.push(file(b"x"), wrong, digest=digest))
    except Canceled:
        host.cancel_after = None
    assert link.run(host.push(file(b"x"), data))[1] == 0
    assert link.run(host.pull(file(b"x"))) == data
    link.finish()


@scenario
def a_file_is_replaced_whole_or_not_at_all(world):
    link = world.link()
    host = link.host
    old, new = world.cargo(9000), world.cargo(12_000)
    link.run(host.push(file(b"v"), old))
    fails(link, host.push(file(b"v"), new, digest=bytes(32)), DIGEST_MISMATCH)
    assert link.run(host.pull(file(b"v"))) == old
    host.cancel_after = 8000
    try:
        link.run(host.push(file(b"v"), new))
    except Canceled:
        host.cancel_after = None
    assert link.run(host.pull(file(b"v"))) == old
    assert [f[:2] for f in link.run(host.list())] == [(b"v", 9000)]
    link.run(host.push(file(b"v"), new))
    assert link.run(host.pull(file(b"v"))) == new
    link.finish()


@scenario
def a_long_list_comes_in_pages(world):
    link = world.link()
    host = link.host
    names = sorted([b"n%03d" % n for n in range(70)] + ["\u00e4 \u2713".encode(), b"A", b"~" * 255])
    for name in names:
        link.run(host.push(file(name), name))
    assert [f[0] for f in link.run(host.list())] == names
    link.finish()


@scenario
def sink_source_and_echo_measure(world):
    link = world.link()
    host = link.host
    sink = make_object(SINK)
    for _ in range(2):
        assert link.run(host.push(sink, world.cargo(50_000), digest=bytes(range(32))))[1] == 0
    assert link.run(host.push(sink, b""))[1] == 0
    for seed in (0, 1, 200):
        data = link.run(host.pull(make_object(SOURCE, seed), length=9003))
        stream = source_bytes(seed)
        assert data == b"".join(next(stream) for _ in range(2251))[:9003]
    assert link.run(host.pull(make_object(SOURCE, 3), length=0)) == b""
    for data in (b"", b"x", world.noise(300)):
        assert link.run(host.echo(data)) == data
    link.finish()


@scenario
def a_long_echo_is_refused(world):
    link = world.link(hello=dict(longest_body=320, block_size=256, receive_window=256))
    assert link.run(link.host.echo(bytes(320))) == bytes(320)
    fails(link, link.host.echo(bytes(321)), NOT_SUPPORTED)
    assert link.run(link.host.echo(b"on")) == b"on"
    link.finish()
