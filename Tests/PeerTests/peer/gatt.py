"""The GATT pipe's two halves (BTP-019 to BTP-029), without I/O and without a clock of their own."""
import struct

OPEN, OPENED, CREDIT, PROBE, BROKEN = 0x80, 0x81, 0x82, 0x83, 0x84
GAP, OVER_LIMIT, BAD_VALUE = 1, 2, 3


def higher(a, b):
    """BTP-029: whether a is higher than b, modulo 2 to the 32."""
    return 0 < (a - b) & 0xFFFFFFFF < 1 << 31


class StreamPipe:
    """The CoC pipe: what comes is the stream."""

    def __init__(self):
        self.open, self.lost, self.fresh, self.out = True, False, False, bytearray()

    def received(self, data, now):
        return data

    def send(self, data):
        self.out += data

    def tick(self, now, waiting):
        pass

    def pending(self):
        return 0

    def take_output(self):
        out, self.out = [bytes(self.out)] if self.out else [], bytearray()
        return out


class GattPipe:
    def __init__(self, mtu, grant=16):
        self.value_bytes = min(mtu - 3, 512)
        self.grant = grant
        self.open = self.lost = False
        self.fresh = False  # set where a new session begins; the driver clears it
        self.values = []
        self.start(0)

    def start(self, peer_limit):
        self.sent = self.received_count = 0
        self.peer_limit, self.own_limit = peer_limit, self.grant
        self.queue = bytearray()
        self.heard_at = None

    def send(self, data):
        self.queue += data
        self.flush()

    def pending(self):
        return len(self.queue)

    def flush(self):
        while self.open and self.queue and higher(self.peer_limit, self.sent):
            part = bytes(self.queue[:self.value_bytes - 1])
            del self.queue[:len(part)]
            self.values.append(bytes((self.sent & 0x7F,)) + part)
            self.sent = self.sent + 1 & 0xFFFFFFFF

    def control(self, kind, *numbers):
        layout = {OPEN: "<BBI", OPENED: "<BBI", CREDIT: "<BI", PROBE: "<BI", BROKEN: "<BB"}[kind]
        self.values.append(struct.pack(layout, kind, *numbers))

    def take_output(self):
        out, self.values = self.values, []
        return out

    def break_pipe(self, reason):
        self.control(BROKEN, reason)
        self.lost_now()

    def lost_now(self):
        self.open, self.lost = False, True
        self.queue.clear()

    def received(self, value, now):
        """The stream bytes that a value brought."""
        self.heard_at = now
        needed = {OPEN: 6, OPENED: 6, CREDIT: 5, PROBE: 5, BROKEN: 2}
        malformed = not value or len(value) > 512
        if not malformed:
            malformed = len(value) < (2 if value[0] < 0x80 else needed.get(value[0], 999))
        if malformed:
            if self.open:
                self.break_pipe(BAD_VALUE)
            return b""
        if value[0] < 0x80:
            return self.received_data(value) if self.open else b""
        self.received_control(value)
        return b""

    def received_data(self, value):
        if not higher(self.own_limit, self.received_count):
            self.break_pipe(OVER_LIMIT)
            return b""
        if value[0] != self.received_count & 0x7F:
            self.break_pipe(GAP)
            return b""
        self.received_count = self.received_count + 1 & 0xFFFFFFFF
        promised = self.own_limit - self.received_count & 0xFFFFFFFF
        if promised * 2 <= self.grant:
            self.own_limit = self.received_count + self.grant & 0xFFFFFFFF
            self.control(CREDIT, self.own_limit)
        return value[1:]

    def received_control(self, value):
        if value[0] == CREDIT:
            if self.open:
                self.raise_limit(struct.unpack_from("<I", value, 1)[0])
        elif value[0] == PROBE:
            self.probed(struct.unpack_from("<I", value, 1)[0])
        elif value[0] == BROKEN:
            if not 1 <= value[1] <= 3:
                if self.open:
                    self.break_pipe(BAD_VALUE)
            elif self.open:
                self.lost_now()
        else:
            self.received_opening(*struct.unpack_from("<BBI", value))

    def raise_limit(self, limit):
        if not higher(limit, self.peer_limit):
            return
        if limit - self.sent & 0xFFFFFFFF > 64:
            self.break_pipe(BAD_VALUE)
            return
        self.peer_limit = limit
        self.flush()

    def probed(self, sent):
        if not self.open:
            self.control(BROKEN, GAP)
        elif higher(sent, self.received_count):
            self.break_pipe(GAP)
        else:
            self.control(CREDIT, self.own_limit)

    def tick(self, now, waiting):
        """Call now and then: a second of waiting brings a PROBE (BTP-026)."""
        if self.heard_at is None or not (waiting or self.queue):
            self.heard_at = now
        if self.open and now - self.heard_at >= 1:
            self.control(PROBE, self.sent)
            self.heard_at = now


class GattDevice(GattPipe):
    def received_opening(self, kind, version, limit):
        if kind == OPENED or version == 0 or limit > 64:
            if self.open or limit > 64:
                self.break_pipe(BAD_VALUE)
            return
        if self.open and self.received_count == 0:
            self.control(OPENED, 1, self.own_limit)
            self.control(PROBE, self.sent)
            return
        self.start(limit)
        self.open, self.lost, self.fresh = True, False, True
        self.control(OPENED, 1, self.own_limit)


class GattHost(GattPipe):
    def __init__(self, mtu, grant=16):
        super().__init__(mtu, grant)
        self.opening, self.asked_at = False, None

    def begin(self):
        self.start(0)
        self.open, self.lost, self.opening, self.asked_at = False, False, True, None
        self.control(OPEN, 1, self.grant)

    def received(self, value, now):
        if self.opening and value[:1] != bytes((OPENED,)):
            return b""  # BTP-020: all before OPENED
        return super().received(value, now)

    def received_opening(self, kind, version, limit):
        if kind == OPEN:
            if self.open:
                self.break_pipe(BAD_VALUE)
            return
        if not self.opening:
            return
        if version != 1 or limit > 64:
            self.opening = False
            self.break_pipe(BAD_VALUE)
            return
        self.peer_limit = limit
        self.opening, self.open, self.fresh = False, True, True

    def tick(self, now, waiting):
        if self.opening:
            self.asked_at = now if self.asked_at is None else self.asked_at
            if now - self.asked_at >= 1:
                self.control(OPEN, 1, self.grant)
                self.asked_at = now
        super().tick(now, waiting)
