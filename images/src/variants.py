"""Writes the images that neither the linker nor imgtool writes: UF2, signed HEX, and broken ones.

Called by scripts/build-images with the directory of the images and the address of the slot.
"""

import pathlib
import struct
import sys

from intelhex import IntelHex

# Chosen for these images; it names no real chip.
FAMILY_ID = 0x42415247
UF2_PAYLOAD = 256
TLV_MAGIC = struct.pack("<H", 0x6907)


def uf2(data: bytes, address: int) -> bytes:
    """The UF2 blocks of some bytes, by the specification in microsoft/uf2."""
    pieces = [data[i : i + UF2_PAYLOAD] for i in range(0, len(data), UF2_PAYLOAD)]
    blocks = []
    for number, piece in enumerate(pieces):
        head = struct.pack(
            "<8I", 0x0A324655, 0x9E5D5157, 0x2000, address + number * UF2_PAYLOAD,
            len(piece), number, len(pieces), FAMILY_ID)
        blocks.append(head + piece.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


def write_hex(data: bytes, address: int, path: pathlib.Path) -> None:
    image = IntelHex()
    image.frombytes(data, offset=address)
    image.write_hex_file(str(path), eolstyle="native")


def flipped(data: bytes, offset: int) -> bytes:
    """The same bytes with one bit of one of them flipped."""
    return data[:offset] + bytes([data[offset] ^ 0x10]) + data[offset + 1 :]


def formats(images: pathlib.Path, version: str, slot: int) -> None:
    header_size = 0x200
    plain = (images / f"sample-{version}.bin").read_bytes()
    (images / f"sample-{version}.uf2").write_bytes(uf2(plain, slot + header_size))
    signed = (images / f"sample-{version}-ecdsa-p256.bin").read_bytes()
    (images / f"sample-{version}-ecdsa-p256.uf2").write_bytes(uf2(signed, slot))
    write_hex(signed, slot, images / f"sample-{version}-ecdsa-p256.hex")


def broken(images: pathlib.Path, target: pathlib.Path, version: str) -> None:
    # Ed25519 signatures are deterministic, so these files come out the same each time.
    signed = (images / f"sample-{version}-ed25519.bin").read_bytes()
    tlvs = signed.rindex(TLV_MAGIC)
    (target / "body-bit-flipped.bin").write_bytes(flipped(signed, 0x300))
    (target / "signature-bit-flipped.bin").write_bytes(flipped(signed, len(signed) - 10))
    (target / "cut-short.bin").write_bytes(signed[: len(signed) // 2])
    # The first record claims to be longer than the area that it lies in.
    (target / "bad-tlv.bin").write_bytes(
        signed[: tlvs + 6] + struct.pack("<H", 0x4000) + signed[tlvs + 8 :])

    lines = (images / f"sample-{version}.hex").read_text().splitlines(keepends=True)
    wrong = lines[4].rstrip()
    wrong = wrong[:-1] + ("0" if wrong[-1] != "0" else "1") + "\n"
    (target / "bad-checksum.hex").write_text("".join(lines[:4] + [wrong] + lines[5:]))
    (target / "no-end-record.hex").write_text("".join(lines[:-1]))
    # One byte at the address of the stack pointer, with another value; the sum of all is zero.
    overlap = bytes([1, 0xC2, 0x00, 0x00, 0x55])
    record = ":" + (overlap + bytes([-sum(overlap) & 0xFF])).hex().upper() + "\n"
    (target / "overlap.hex").write_text("".join(lines[:-1] + [record] + lines[-1:]))
    far = [":020000048000" + f"{-(2 + 4 + 0x80) & 0xFF:02X}\n", ":0100000000FF\n"]
    (target / "two-gigabyte-gap.hex").write_text("".join(lines[:-1] + far + lines[-1:]))

    blocks = (images / f"sample-{version}.uf2").read_bytes()
    (target / "missing-block.uf2").write_bytes(blocks[:512] + blocks[1024:])


def main() -> None:
    images = pathlib.Path(sys.argv[1])
    slot = int(sys.argv[2], 0)
    versions = sys.argv[3:]
    for version in versions:
        formats(images, version, slot)
    target = images / "broken"
    target.mkdir(exist_ok=True)
    broken(images, target, versions[-1])


main()
