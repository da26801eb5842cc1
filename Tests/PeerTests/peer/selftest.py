"""Both halves of this peer against each other, and the page's worked example."""
import random, socket, sys, threading
from drive import *
from wire import *
from device import Device
from host import Host, Canceled
from storage import Storage
import time

def pair(mtu, dh, hh, storage, grant_d=16, grant_h=16, chatty=False, host_cuts={}, dev_cuts={}):
    a, b = socket.socketpair()
    done = []
    def run():
        done.append(serve(a, make_pipe(mtu, True, grant_d), lambda: Device(Hello(**dh), storage, chatty), **dev_cuts))
        if done[0]: storage.reset()
    t = threading.Thread(target=run); t.start()
    return t, b

DH = dict(longest_body=4104, block_size=1024, inflate_window=12, deflate_window=11, receive_window=4096, features=7, serial=b"S-1")
HH = dict(longest_body=8200, block_size=4096, inflate_window=15, deflate_window=15, receive_window=16384, software=b"peer.py")
rnd = random.Random(1)
data = b"".join(b"%03d the cargo moves\n" % (i % 1000) for i in range(2000)) + rnd.randbytes(5000) + b"x" * 777
for mtu in (None, 23, 185, 247, 517):
    for g in (1, 4, 16, 64):
        st = Storage()
        t, b = pair(mtu, dict(DH), HH, st, g, g, chatty=True)
        h = Host(Hello(**HH)); hl = HostLink(b, make_pipe(mtu, False, g), h)
        t0 = time.time()
        f = make_object(FILE, 0, b"cargo.txt")
        assert hl.run(h.push(f, data))[1] == 0
        assert hl.run(h.push(f, data))[1] == len(data)
        assert hl.run(h.pull(f)) == data
        assert hl.run(h.list()) == [(b"cargo.txt", len(data), 0)]
        assert hl.run(h.pull(make_object(SOURCE, 5), length=10001))[:4] != bytes(4)
        assert hl.run(h.echo(b"abc")) == b"abc"
        hl.run(h.push(make_object(FIRMWARE), data[:5000])); dg = hashlib.sha256(data[:5000]).digest() if 0 else None
        hl.finish(); t.join()
        print(mtu, g, h.deflated_blocks, h.stored_blocks, h.busy_heard, round(time.time() - t0, 2))
        if mtu is None: break
