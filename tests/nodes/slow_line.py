#!/usr/bin/env python3
"""Carries Ethernet frames between two network devices, late, and loses some of them.

slow_line.py <device> <device> <milliseconds> <share that is lost>

A kernel with netem does the same; many kernels of containers and virtual machines have none.
"""
import heapq
import random
import select
import socket
import sys
import time

SOL_PACKET, PACKET_VNET_HDR, ETH_P_ALL = 263, 15, 3


def open_device(name):
    line = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    # Frames keep their offloads: checksums that are not worked out yet, and segments still to be cut.
    line.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    line.bind((name, ETH_P_ALL))
    return line


def main():
    devices = [open_device(name) for name in sys.argv[1:3]]
    delay_s, lost = float(sys.argv[3]) / 1000, float(sys.argv[4])
    chance = random.Random(1)
    waiting = []
    number = 0
    while True:
        now = time.monotonic()
        timeout = max(0, waiting[0][0] - now) if waiting else None
        for line in select.select(devices, [], [], timeout)[0]:
            frame, address = line.recvfrom(1 << 17)
            if address[2] == socket.PACKET_OUTGOING or chance.random() < lost:
                continue
            number += 1
            heapq.heappush(waiting, (time.monotonic() + delay_s, number, devices[line is devices[0]], frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, line, frame = heapq.heappop(waiting)
            try:
                line.send(frame)
            except OSError:
                pass  # lost, as on a real line


if __name__ == "__main__":
    main()
