"""Runs scenarios against the device that listens at a Unix socket:

    python3 run.py SOCKET [--mtu N] SCENARIO...
"""
import argparse
import time

import firmware, refusals, transfers, values, violations  # noqa: F401, E401
from world import SCENARIOS, World


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("socket")
    parser.add_argument("--mtu", type=int)
    parser.add_argument("scenarios", nargs="+", choices=sorted(SCENARIOS))
    given = parser.parse_args()
    for name in given.scenarios:
        begin = time.monotonic()
        SCENARIOS[name](World(given.socket, given.mtu))
        print(f"{name}: {time.monotonic() - begin:.2f} s")


main()
