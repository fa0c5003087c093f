"""A discrete-event simulation of a fit's schedule: recorded tasks and serial parts, replayed on any number of ranks.

A level's tasks are handed out by rank 0, the costliest first, each to the rank that asks next. A hand-over is a request and an
answer; the request carries the last result. Rank 0 handles one message at a time and works itself. When all results are there,
they are broadcast along a binary tree, since every rank goes on with all of them. Between maps every rank waits for one thread's
work.
"""
import heapq
import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Network:
    latency: float    # seconds of one message
    bandwidth: float  # bytes a second
    handling: float   # seconds of rank 0 per message


# Assumed, as for a fast cluster network.
CLUSTER = Network(latency=2e-6, bandwidth=10e9, handling=1e-6)
THREADS = Network(latency=0.0, bandwidth=math.inf, handling=0.0)


def map_seconds(tasks, ranks, network):
    """From the map's begin to the moment when every rank has every result."""
    order = sorted(range(len(tasks)), key=lambda i: -tasks[i][0])
    free = [(0.0, rank, 0.0) for rank in range(min(ranks, len(tasks)))]  # when it asks, who, bytes it brings
    heapq.heapify(free)
    server = end = 0.0
    for i in order:
        asked, rank, brought = heapq.heappop(free)
        if rank == 0:
            start = asked
        else:
            server = max(server, asked + network.latency + brought / network.bandwidth) + network.handling
            start = server + network.latency
        _, seconds, doubles = tasks[i]
        heapq.heappush(free, (start + seconds, rank, 8.0 * doubles))
    for asked, rank, brought in sorted(free):
        if rank == 0:
            end = max(end, asked)
        else:
            server = max(server, asked + network.latency + brought / network.bandwidth) + network.handling
    end = max(end, server)
    total = 8.0 * sum(doubles for _, _, doubles in tasks)
    return end + (math.ceil(math.log2(ranks)) * (network.latency + total / network.bandwidth) if ranks > 1 else 0.0)


def serial_seconds(run):
    return run["serial_after"] + sum(one["serial_before"] for one in run["maps"])


def fit_seconds(run, ranks, network):
    return serial_seconds(run) + sum(map_seconds(one["tasks"], ranks, network) for one in run["maps"])


def efficiency(run, ranks, network=CLUSTER):
    return fit_seconds(run, 1, network) / (ranks * fit_seconds(run, ranks, network))


def losses(run, ranks, network=CLUSTER):
    """Of the time that `ranks` ranks take: one thread's work, ranks without a task, messages."""
    total = fit_seconds(run, ranks, network)
    without_messages = fit_seconds(run, ranks, THREADS)
    busy = sum(seconds for one in run["maps"] for _, seconds, _ in one["tasks"]) / ranks
    serial = serial_seconds(run)
    return {"serial": serial / total, "idle": (without_messages - serial - busy) / total,
            "messages": (total - without_messages) / total}


def grown(run, factor):
    """The run with `factor` times the samples: as many more tasks of the large maps, and as much more serial work."""
    maps = []
    for one in run["maps"]:
        tasks = one["tasks"]
        is_search = sum(cost for cost, _, _ in tasks) <= 64 and len(tasks) <= 64 and all(t[2] <= 64 * 3 for t in tasks)
        count = len(tasks) if is_search else max(1, round(len(tasks) * factor))
        maps.append({"serial_before": one["serial_before"] * factor, "tasks": [tasks[i % len(tasks)] for i in range(count)]})
    return {"maps": maps, "serial_after": run["serial_after"] * factor}


def last_efficient(run, least=0.8, most=4096):
    """The largest number of ranks, of powers of two and halves between, up to which efficiency stays above `least`."""
    found = 1
    for power in range(0, 13):
        for ranks in (2**power, 3 * 2**power // 2):
            if found < ranks <= most:
                if efficiency(run, ranks) < least:
                    return found
                found = ranks
    return found
