#!/usr/bin/env python3
"""Compares what `epios scale --every-rank --json` says of a job with the steps of a run (EPIOS_PROTOCOL_TRACE).

usage: scale_check.py <ranks.json> <records of each field> <trace...>

Numbers of messages and their bytes follow from the definitions, so that they must be the same: no tolerance.
"""
import collections
import json
import sys

RECORD = "1"


def steps_of(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                kind, _, _, rank, _, verb, *rest = line.split()
                yield kind, int(rank), verb, dict(word.split("=", 1) for word in rest)


def main():
    predicted = json.load(open(sys.argv[1], encoding="utf-8"))
    records = int(sys.argv[2])
    number = {}  # rank of a client -> its number in the context
    kinds = {}  # event -> kind
    run = collections.defaultdict(collections.Counter)  # (client or server, number) -> figures
    for kind, rank, verb, args in list(steps_of(sys.argv[3:])):
        if kind == "client" and verb == "open":
            number[rank] = int(args["as"])
            run["client", number[rank]].update(channels=len(args["channels"].split(",")), opening=int(args["bytes"]))
        elif verb == "stamp":
            kinds[args["event"]] = args["kind"]
    for kind, rank, verb, args in steps_of(sys.argv[3:]):
        if verb == "put" and kinds[args["event"]] == RECORD:
            key = ("client", number[rank]) if kind == "client" else ("gatherer", rank)
            run[key].update(parts=1, bytes=int(args["bytes"]))
        elif verb == "channel":
            run["server", rank].update(channels=1, memory=int(args["bytes"]))
    checked = 0
    wrong = []

    def compare(who, what, said, done):
        nonlocal checked
        checked += 1
        if said != done:
            wrong.append(f"{who[0]} {who[1]}: {what}: predicted {said}, in the run {done}")

    for rank, load in enumerate(predicted["clients"]):
        who = ("client", rank)
        compare(who, "channels", load["channels"], run[who]["channels"])
        compare(who, "bytes of opening", load["opening"]["bytes"], run[who]["opening"])
        compare(who, "parts", records * load["records"]["count"], run[who]["parts"])
        compare(who, "bytes of parts", records * load["records"]["bytes"], run[who]["bytes"])
    passed = collections.Counter()
    for rank, load in enumerate(predicted["servers"]):
        who = ("server", rank)
        compare(who, "channels", load["channels"], run[who]["channels"])
        compare(who, "memory of channels", load["channel_bytes"], run[who]["memory"])
        if rank >= predicted["layout"]["gatherers"] > 0:
            passed.update(parts=records * load["records"]["count"], bytes=records * load["records"]["bytes"])
    if passed:
        done = sum((figures for who, figures in run.items() if who[0] == "gatherer"), collections.Counter())
        for what in "parts", "bytes":
            compare(("all", "gatherers"), what, passed[what], done[what])
    print(f"{checked} figures compared, {len(wrong)} differ")
    print("\n".join(wrong[:20]))
    if wrong or not run:
        sys.exit(1)


main()
