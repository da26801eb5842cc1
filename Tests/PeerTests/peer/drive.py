"""Sockets and a clock around the halves: the only part with effects.

The CoC pipe is the plain stream. The GATT pipe's values travel as a u16, little-endian, and so
many bytes.
"""
import select
import socket
import struct
import time

from gatt import GattDevice, GattHost, StreamPipe


class LinkLost(Exception):
    pass


class Link:
    """One link over a pair of file descriptors (the same one twice for a socket)."""

    def __init__(self, source, sink, pipe, cut_after_sent=None, cut_after_received=None):
        self.source, self.sink, self.pipe = source, sink, pipe
        self.framed = not isinstance(pipe, StreamPipe)
        self.buffer = bytearray()
        self.left = {"sent": cut_after_sent, "received": cut_after_received}
        self.closed = False

    def spend(self, way, data):
        """What of the data gets through before the cut."""
        if self.left[way] is None:
            return data
        through = data[:self.left[way]]
        self.left[way] -= len(through)
        return through

    def flush(self):
        for value in self.pipe.take_output():
            data = struct.pack("<H", len(value)) + value if self.framed else value
            through = self.spend("sent", data)
            try:
                self.sink(through)
            except (BrokenPipeError, ConnectionResetError):
                raise LinkLost from None
            if len(through) < len(data) or self.left["sent"] == 0:
                raise LinkLost

    def poll(self, seconds):
        """Waits for bytes at most so long; gives the stream's bytes, or None if none came."""
        self.pipe.fresh = False
        ready, _, _ = select.select([self.source], [], [], seconds)
        now = time.monotonic()
        if not ready:
            return None
        try:
            data = self.source.recv(65536)
        except ConnectionResetError:
            raise LinkLost from None
        through = self.spend("received", data)
        if not through or len(through) < len(data):
            raise LinkLost
        if not self.framed:
            return self.pipe.received(data, now)
        self.buffer += data
        out, fresh = bytearray(), False
        while len(self.buffer) >= 2:
            length = struct.unpack_from("<H", self.buffer)[0]
            if len(self.buffer) < 2 + length:
                break
            value = bytes(self.buffer[2:2 + length])
            del self.buffer[:2 + length]
            out += self.pipe.received(value, now)
            if self.pipe.fresh:
                out, fresh, self.pipe.fresh = bytearray(), True, False
        self.pipe.fresh = fresh
        return bytes(out)

    def close(self):
        if not self.closed:
            self.closed = True
            self.source.close()


class StandardStreams:
    """Standard input and output in the shape of a socket."""

    def __init__(self, source, sink):
        self.source, self.sink = source, sink

    def fileno(self):
        return self.source.fileno()

    def recv(self, count):
        return self.source.read1(count)

    def sendall(self, data):
        self.sink.write(data)
        self.sink.flush()

    def close(self):
        self.source.close()
        self.sink.close()


def connect(path):
    end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    end.connect(path)
    return end


def make_pipe(mtu, is_device, grant=16):
    if mtu is None:
        return StreamPipe()
    return (GattDevice if is_device else GattHost)(mtu, grant)


def serve(end, pipe, make_session, patience=60, **cuts):
    """The device's side of one link, to its end. True if the device is to reset."""
    link = Link(end, end.sendall, pipe, **cuts)
    session = make_session() if pipe.open else None
    quiet_since = time.monotonic()
    try:
        while time.monotonic() - quiet_since < patience:
            if session:
                pipe.send(session.take_output())
            pipe.tick(time.monotonic(), bool(session and session.reading))
            link.flush()
            if session and session.close_pipe and not pipe.pending():
                return session.reset_after_output
            data = link.poll(0.05)
            if pipe.fresh:
                session = make_session()
            if data is None:
                if session:
                    session.idle()
                continue
            quiet_since = time.monotonic()
            if session and not pipe.lost:
                session.receive(data)
    except LinkLost:
        return False
    finally:
        link.close()
    raise AssertionError("nobody spoke any more")


class HostLink:
    """The host's side of one link, with one session on it."""

    def __init__(self, end, pipe, host, patience=60, **cuts):
        self.link, self.pipe, self.host = Link(end, end.sendall, pipe, **cuts), pipe, host
        self.patience = patience
        if self.link.framed:
            pipe.begin()
        self.until(lambda: host.peer is not None)

    def until(self, done):
        try:
            self.turn_until(done)
        except LinkLost:
            self.link.close()
            raise

    def turn_until(self, done):
        quiet_since = time.monotonic()
        while not done():
            if self.pipe.lost:
                raise LinkLost
            if self.pipe.open:
                self.pipe.send(self.host.take_output())
            self.pipe.tick(time.monotonic(), self.host.waiting)
            self.link.flush()
            if self.host.over:
                return
            if time.monotonic() - quiet_since > self.patience:
                raise AssertionError("the device fell silent")
            data = self.link.poll(0.05)
            if data is not None:
                quiet_since = time.monotonic()
                self.host.receive(data)
        self.pipe.send(self.host.take_output())
        self.link.flush()

    def run(self, work):
        """Runs an operation; raises what it failed with."""
        self.host.start(work)
        self.until(lambda: self.host.work is None)
        if self.host.error is not None:
            raise self.host.error
        if self.host.work is not None:
            raise self.host.ended_by or LinkLost()
        return self.host.result

    def finish(self):
        self.host.start(self.host.finish())
        self.until(lambda: self.host.peer_finished)
        self.link.close()
        assert self.host.peer_finished, self.host.ended_by

    def wait_closed(self, seconds=10):
        """Until the device has ended the link."""
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                self.link.poll(0.05)
        except LinkLost:
            self.link.close()
            return
        raise AssertionError("the device did not end the link")
