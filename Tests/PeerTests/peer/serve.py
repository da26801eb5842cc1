"""A device at a Unix socket, in memory, one link after the other, until standard input ends:

    python3 serve.py SOCKET [--mtu N] [--block N] … [--fault NAME]

It says "ready", and at its end one line of JSON: how each session ended.
"""
import argparse
import json
import select
import socket
import sys

from drive import make_pipe, serve
from faults import FAULTS, OddDevice
from storage import Storage
from wire import Hello


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("socket")
    parser.add_argument("--mtu", type=int)
    parser.add_argument("--grant", type=int, default=16, help="data values at a time")
    parser.add_argument("--block", type=int, default=4096)
    parser.add_argument("--window", type=int, default=16384)
    parser.add_argument("--inflate", type=int, default=12)
    parser.add_argument("--deflate", type=int, default=12)
    parser.add_argument("--features", type=int, default=7)
    parser.add_argument("--busy", action="store_true", help="says BUSY whenever it may")
    parser.add_argument("--cut-received", type=int, nargs="*", default=[],
                        help="the first links end after so many bytes from the host")
    parser.add_argument("--cut-sent", type=int, nargs="*", default=[],
                        help="the first links end after so many bytes to the host")
    parser.add_argument("--fault", choices=sorted(FAULTS))
    parser.add_argument("--dead-image", action="store_true",
                        help="a new image does not run: the old one is back after the reset")
    return parser.parse_args()


class Server:
    def __init__(self, given):
        self.given, self.storage, self.done, self.sessions = given, Storage(), [], []

    def make_session(self):
        given = self.given
        hello = Hello(
            longest_body=max(320, given.block + 8), block_size=given.block,
            receive_window=given.window, inflate_window=given.inflate or None,
            deflate_window=given.deflate or None, features=given.features, serial=b"PEER-1",
            model=b"peer", software=b"peer.py",
            geometry=(1 << 18, 4096, 4, 0xFF) if given.features & 1 else None)
        session = OddDevice(hello, self.storage, given.busy, given.fault, self.done)
        self.sessions.append(session)
        return session

    def link(self, end):
        given = self.given
        cuts = {"cut_after_received": given.cut_received.pop(0) if given.cut_received else None,
                "cut_after_sent": given.cut_sent.pop(0) if given.cut_sent else None}
        pipe = make_pipe(given.mtu, True, given.grant)
        if serve(end, pipe, self.make_session, **cuts):
            self.storage.reset()
            if given.dead_image:
                self.storage.reset()

    def report(self):
        ends = []
        for session in self.sessions:
            fault = session.ended_by
            ends.append({"finished": session.finished,
                         "code": fault.code if fault else None,
                         "scope": fault.scope if fault else None})
        print(json.dumps(ends), flush=True)


def main():
    given = arguments()
    server = Server(given)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(given.socket)
    listener.listen()
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        if listener in ready:
            server.link(listener.accept()[0])
        elif sys.stdin in ready:
            server.report()
            return


main()
