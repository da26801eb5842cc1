"""Scenarios: images, resets and what runs after them. The device is fresh at the start of each."""
import hashlib
import time

from drive import LinkLost
from wire import *
from world import fails, scenario

RUNNING, CONFIRMED, PENDING, VERIFIED, PARTIAL = 1, 2, 4, 8, 16
IMAGE = make_object(FIRMWARE)
FACTORY = bytes(n % 251 for n in range(5000))


def sha(data):
    return hashlib.sha256(data).digest()


def running(link):
    slots = link.run(link.host.images())
    found = [slot for slot in slots if slot[1] & RUNNING]
    assert len(found) == 1 and len(slots) <= 4, slots
    return found[0]


def again(world, hello):
    """Connects until the device of that serial has another boot id (BTP-093)."""
    end = time.monotonic() + 5
    while time.monotonic() < end:
        try:
            link = world.link()
        except (LinkLost, OSError):
            continue
        assert link.host.peer.serial == hello.serial
        if link.host.peer.boot_id != hello.boot_id:
            return link
        link.link.close()
    raise AssertionError("the device did not come back")


def reset(world, link):
    link.run(link.host.reset())
    link.wait_closed()
    return again(world, link.host.peer)


@scenario
def an_image_is_written_tested_and_confirmed(world):
    image = world.cargo(90_000)
    link = world.link()
    host = link.host
    slot_bytes = host.peer.geometry[0]
    assert slot_bytes >= 90_000
    slots = link.run(host.images())
    assert running(link)[1] & ~PENDING == RUNNING | CONFIRMED | VERIFIED
    assert running(link)[4] == sha(FACTORY) and running(link)[2] == len(FACTORY)
    assert [s[2:] for s in slots if not s[1] & RUNNING] == [(0, 0, bytes(32))]
    fails(link, host.images(TEST, sha(image)), NOT_FOUND)
    assert link.run(host.push(IMAGE, image))[1] == 0
    assert link.run(host.push(IMAGE, image))[1] == len(image), "it is complete"
    spare = [s for s in link.run(host.images()) if not s[1] & RUNNING][0]
    assert spare[1] == VERIFIED and (spare[2], spare[4]) == (len(image), sha(image))
    fails(link, host.images(CONFIRM, sha(image)), WRONG_IMAGE)
    tested = link.run(host.images(TEST, sha(image)))
    assert [s[1] & PENDING for s in tested if s[4] == sha(image)] == [PENDING]
    link = reset(world, link)
    assert (running(link)[4], running(link)[1] & CONFIRMED) == (sha(image), 0)
    confirmed = link.run(link.host.images(CONFIRM, sha(image)))
    assert [s[1] & 3 for s in confirmed if s[4] == sha(image)] == [RUNNING | CONFIRMED]
    link = reset(world, link)
    assert (running(link)[4], running(link)[1] & CONFIRMED) == (sha(image), CONFIRMED)
    assert link.run(link.host.push(IMAGE, image))[1] == len(image), "what runs is complete"
    link.finish()


@scenario
def an_image_that_is_not_confirmed_is_given_up_at_the_next_reset(world):
    image = world.cargo(20_000)
    link = world.link()
    link.run(link.host.push(IMAGE, image))
    link = reset(world, link)
    assert running(link)[4] == sha(FACTORY), "without TEST nothing changes"
    link.run(link.host.images(TEST, sha(image)))
    link = reset(world, link)
    assert running(link)[4] == sha(image)
    link = reset(world, link)
    assert (running(link)[4], running(link)[1] & CONFIRMED) == (sha(FACTORY), CONFIRMED)
    link = reset(world, link)
    assert running(link)[4] == sha(FACTORY), "it was started once"
    link.finish()


@scenario
def an_image_whose_digest_is_another_never_becomes_bootable(world):
    image = world.cargo(20_000)
    link = world.link()
    host = link.host
    fails(link, host.push(IMAGE, image, digest=sha(b"another")), DIGEST_MISMATCH)
    fails(link, host.images(TEST, sha(b"another")), NOT_FOUND)
    fails(link, host.images(TEST, sha(image)), NOT_FOUND)
    link = reset(world, link)
    assert running(link)[4] == sha(FACTORY)
    assert link.run(link.host.push(IMAGE, image, digest=sha(image)))[1] == 0
    link.finish()


@scenario
def an_image_is_resumed_after_a_lost_link_and_a_reset(world):
    image = world.noise(60_000)
    link = world.link(cut_after_sent=40_000)
    try:
        link.run(link.host.push(IMAGE, image))
        raise AssertionError("the link was to be cut")
    except LinkLost:
        pass
    link = world.link()
    partial = [s for s in link.run(link.host.images()) if s[1] & PARTIAL]
    assert len(partial) == 1 and 0 < partial[0][3] < 60_000, partial
    assert not partial[0][1] & VERIFIED
    link = reset(world, link)
    durable = partial[0][3]
    offset = link.run(link.host.push(IMAGE, image))[1]
    assert offset + link.host.block_size >= durable, (offset, durable)
    assert link.run(link.host.push(IMAGE, image))[1] == len(image)
    link.finish()


@scenario
def a_restart_throws_away_what_is_there(world):
    image = world.cargo(20_000)
    link = world.link()
    host = link.host
    link.run(host.push(IMAGE, image))
    assert link.run(host.push(IMAGE, image, restart=True))[1] == 0
    assert link.run(host.push(IMAGE, image))[1] == len(image)
    link.finish()


@scenario
def a_slow_flash_says_that_it_is_busy(world):
    """For a device whose flash takes seconds to erase."""
    link = world.link()
    link.run(link.host.push(IMAGE, world.cargo(50_000)))
    assert link.host.busy_heard > 0
    link.finish()
