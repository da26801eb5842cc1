"""Runs scenarios against the device that listens at a Unix socket:

    python3 run.py SOCKET [--mtu N] SCENARIO...

Without arguments it takes one scenario after the other from standard input, each a line of JSON
with socket, mtu and scenario, and answers each with a line: a JSON string, empty if all went well.
"""
import argparse
import json
import sys
import time
import traceback

import firmware, refusals, transfers, values, violations  # noqa: F401, E401
from world import SCENARIOS, World


def run_all_asked_for():
    for line in sys.stdin:
        job = json.loads(line)
        said = ""
        try:
            SCENARIOS[job["scenario"]](World(job["socket"], job.get("mtu")))
        except Exception:
            said = traceback.format_exc()
        print(json.dumps(said), flush=True)


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


main() if len(sys.argv) > 1 else run_all_asked_for()
