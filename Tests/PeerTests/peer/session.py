"""What both halves of the session have in common: HELLO, frames in and out, errors."""
from wire import (CHANNEL_SCOPE, ERROR, Fault, FrameReader, HELLO, Hello, KNOWN, REQUEST_SCOPE,
                  UNEXPECTED_FRAME, UNKNOWN_FRAME, frame, read_error)


class Session:
    """Bytes go in by receive(), bytes come out of take_output(). No I/O, no clock."""

    def __init__(self, hello):
        self.own, self.peer = hello, None
        self.reader, self.output = FrameReader(), bytearray()
        self.over = False         # takes and sends nothing more
        self.close_pipe = False   # the pipe is to be closed once the output is out
        self.ended_by = None      # the Fault of either side that ended the session
        self.write_frame(HELLO, 0, hello.body())

    def take_output(self):
        out, self.output = bytes(self.output), bytearray()
        return out

    def write_frame(self, kind, tag, body=b""):
        if not self.over:
            self.output += frame(kind, tag, body)

    def receive(self, data):
        self.reader.feed(data)
        try:
            while not self.over:
                got = self.reader.next()
                if got is None:
                    break
                self.take(*got)
        except Fault as fault:
            self.end(fault)

    def end(self, fault):
        if not self.over:
            self.output += fault.frame(0)
        self.over, self.ended_by = True, fault
        self.close_pipe = fault.scope == CHANNEL_SCOPE or self.closes

    def take(self, kind, tag, body):
        if kind not in KNOWN:
            if kind >= 0x80:
                return
            raise Fault(UNKNOWN_FRAME, detail=kind)
        if kind == ERROR:
            error = read_error(body)
            if error.scope == REQUEST_SCOPE:
                self.take_request_error(tag, error)
            else:
                self.over, self.ended_by, self.close_pipe = True, error, self.closes
        elif kind == HELLO:
            self.take_hello(body)
        elif self.peer is None:
            raise Fault(UNEXPECTED_FRAME, detail=kind)
        else:
            self.take_frame(kind, tag, body)

    def take_hello(self, body):
        if self.peer is not None:
            raise Fault(UNEXPECTED_FRAME, detail=HELLO)
        self.peer = Hello.parse(body)
        self.reader.limit = self.own.longest_body
        self.block_size = min(self.own.block_size, self.peer.block_size)
