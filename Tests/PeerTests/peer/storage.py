"""What a device holds: files and two firmware slots, in memory. It outlives sessions and links."""
import hashlib

from wire import (BAD_NAME, Fault, GIVE_UP, NO_SPACE, NOT_FOUND, NOT_PERMITTED, REQUEST_SCOPE,
                  WRONG_IMAGE, is_name)


def refuse(code, detail=0, text=""):
    raise Fault(code, REQUEST_SCOPE, detail, text=text)


class Progress:
    """Durable bytes of an object that is being written."""

    def __init__(self, length, digest):
        self.length, self.digest, self.data = length, digest, bytearray()

    def is_for(self, length, digest):
        return self.length == length and self.digest == digest


class Slot:
    def __init__(self, image=b""):
        self.image, self.progress = image, None

    @property
    def digest(self):
        return hashlib.sha256(self.image).digest()


class Storage:
    def __init__(self, image=b"the image of the factory", slot_bytes=1 << 18, room=1 << 20):
        self.slot_bytes, self.room_bytes = slot_bytes, room
        self.slots, self.running, self.confirmed = [Slot(image), Slot()], 0, True
        self.pending = None
        self.files, self.partial = {}, {}  # name: (bytes, modified); name: Progress
        self.boot_id = 1

    # Files

    def open_file(self, name, length, digest, restart):
        """Bytes that are there whole, or the Progress to go on with."""
        self.check_name(name)
        there = self.files.get(name)
        if there and not restart and len(there[0]) == length:
            if hashlib.sha256(there[0]).digest() == digest:
                return there[0]
        progress = self.partial.get(name)
        if progress is None or restart or not progress.is_for(length, digest):
            self.partial.pop(name, None)
            room = self.room_bytes - sum(len(f[0]) for f in self.files.values())
            room -= sum(p.length for p in self.partial.values())
            if length > room:
                refuse(NO_SPACE, max(room, 0))
            progress = self.partial[name] = Progress(length, digest)
        return progress

    def file(self, name):
        self.check_name(name)
        if name not in self.files:
            refuse(NOT_FOUND)
        return self.files[name]

    @staticmethod
    def check_name(name):
        if not is_name(name):
            refuse(BAD_NAME)

    # Firmware

    def open_image(self, number, length, digest, restart):
        if number != 0:
            refuse(NOT_FOUND)
        if length == 0:
            refuse(WRONG_IMAGE)
        for slot in self.slots:
            if slot.image and slot.digest == digest and len(slot.image) == length and not restart:
                return slot.image
        if length > self.slot_bytes:
            refuse(NO_SPACE, self.slot_bytes)
        if not self.confirmed:
            refuse(NOT_PERMITTED, text="the other slot holds the image to fall back on")
        slot = self.slots[1 - self.running]
        if slot.progress is None or restart or not slot.progress.is_for(length, digest):
            slot.image, slot.progress, self.pending = b"", Progress(length, digest), None
        return slot.progress

    def finish(self, kind_is_image, name, progress):
        """True if what was stored is what was announced; the progress is gone either way."""
        right = hashlib.sha256(progress.data).digest() == progress.digest
        if kind_is_image:
            slot = self.slots[1 - self.running]
            slot.image, slot.progress = bytes(progress.data) if right else b"", None
        else:
            self.partial.pop(name, None)
            if right:
                self.files[name] = (bytes(progress.data), 0)
        return right

    def test(self, digest):
        for number, slot in enumerate(self.slots):
            if slot.image and slot.digest == digest:
                self.pending = number if number != self.running else None
                return
        refuse(NOT_FOUND)

    def confirm(self, digest):
        if self.slots[self.running].digest != digest:
            refuse(WRONG_IMAGE)
        self.confirmed = True

    def reset(self):
        """What the boot loader does."""
        self.boot_id += 1
        if self.pending is not None:
            self.running, self.confirmed, self.pending = self.pending, False, None
        elif not self.confirmed:
            self.running, self.confirmed = 1 - self.running, True

    def slot_states(self):
        """(slot, flags, length, durable, digest) of each."""
        for number, slot in enumerate(self.slots):
            flags = 0
            if number == self.running:
                flags |= 1 | (2 if self.confirmed else 0)
            flags |= 4 if number == self.pending else 0
            if slot.progress is not None:
                progress = slot.progress
                yield (number, flags | 16, progress.length, len(progress.data), progress.digest)
            elif slot.image:
                yield number, flags | 8, len(slot.image), 0, slot.digest
            else:
                yield number, flags, 0, 0, bytes(32)
