#!/usr/bin/env python3
"""Checks traces of runs (EPIOS_PROTOCOL_TRACE) against the specification of the protocol.

usage: check_trace.py <trace...>            all files of one run
       check_trace.py --mutate <trace...>   also changes them, step by step: each change must be refused

The specification is what protocol.pml, reading.pml, levels.pml and opening.pml model: states of clients, servers and file threads, and guards of
their steps. A run is right if the steps in its traces, each actor's in their order, can be merged to one order in which every guard
holds. Guards only become true by what others do and no step takes away what another one waits for, so that one order is found by
taking any step that is possible. What is left when none is possible is refused, as is a step that never can be. Rules have the
numbers of protocol.pml; clocks are not needed.
"""
import collections
import sys

RECORD, FINALIZE, SYNC, PART_END, READ, LEFT_OUT = "1", "2", "3", "4", "5", "6"
OPEN_CONTEXT, CONTEXT_OPENED, RESERVE, SYNC_NOW, SEAL, OVER, MAKE_FILES = "1", "2", "3", "4", "5", "6", "7"


class Refused(Exception):
    """A run that the specification does not have."""


Step = collections.namedtuple("Step", "actor verb args where")
Actor = collections.namedtuple("Actor", "kind group component rank")


def steps_of(path, lines):
    for number, line in enumerate(lines, 1):
        words = line.split()
        if len(words) < 6:
            raise Refused(f"{path}:{number}: is no step: '{line}'")
        kind, group, component, rank, context, verb = words[:6]
        args = dict(word.split("=", 1) for word in words[6:])
        args["context"] = (group, context)
        yield Step(Actor(kind, group, component, int(rank)), verb, args, f"{path}:{number}: {line}")


def numbers(text):
    return [int(number) for number in text.split(",") if number]


class Context:
    """What the definitions say, as far as steps show it, and the state of a context."""

    def __init__(self):
        self.parts = collections.defaultdict(dict)  # (server, event) -> sender -> sequence: who sends it a part
        self.stamps = {}  # event -> what all clients call it
        self.clients = {}  # (component, rank) -> its number in the context
        self.opened = set()  # those of them that have opened it
        self.channels = {}  # client -> servers that it has channels to
        self.sizes = {}  # (server, sender) -> bytes
        self.answers = set()  # (server, event, client)
        self.servers = {}  # rank -> State
        self.gatherers = {}  # server -> its number among gatherers
        self.downstream = set()
        self.has_failed = False
        self.opening = None  # as clients call it
        self.is_refused = False  # by any server

    def state(self, server):
        return self.servers.setdefault(server, State())

    def sender(self, actor):
        if actor.kind == "server":
            return self.gatherers[actor.rank]
        return self.clients[actor.component, actor.rank]


class State:
    """Of a context on one server."""

    def __init__(self):
        self.event = self.sequence = -1
        self.kind = None
        self.awaits = self.is_open = self.is_closed = self.has_finalized = False
        self.held = collections.deque()  # events whose parts are not released
        self.put = {}  # (sender, event) -> bytes that have been sent
        self.used = collections.Counter()  # bytes under way by sender
        self.passed = collections.defaultdict(set)  # event -> clients without a channel that are past it
        self.requests = []  # events of READ
        self.status = set()
        self.answered = collections.defaultdict(list)  # client -> events
        self.last_answered = -1
        self.executed = collections.Counter()  # records by stream
        self.outcome = collections.Counter()
        self.lost = set()  # paths
        self.written = set()
        self.published = set()
        self.due = None  # how many say what they have, before it is open here
        self.said = set()  # those that have
        self.commands = set()  # that it has carried out, or given
        self.has_made = self.has_replied = False


class ClientState:
    def __init__(self):
        self.event = -1
        self.sequence = collections.Counter()
        self.current = None
        self.due = collections.defaultdict(collections.deque)  # server -> answers asked for
        self.has_ended = False


class Replay:
    def __init__(self, traces):
        self.queues = collections.OrderedDict()
        self.contexts = collections.defaultdict(Context)
        self.orders = collections.defaultdict(list)  # by group
        self.obeyed = collections.Counter()  # by server
        self.client_states = collections.defaultdict(ClientState)
        self.asked = collections.defaultdict(dict)  # opening -> client's number in it -> servers, of those that have asked
        self.depth_of = {}  # client and context -> answers that each of its channels has room for
        for path, lines in traces.items():
            for step in steps_of(path, lines):
                # A thread has one order over all of its contexts: rule 4 is about that.
                self.queues.setdefault(step.actor, collections.deque()).append(step)
        self.learn()

    def learn(self):
        """Who sends what is known from the definitions; here from those who do."""
        steps = [step for queue in self.queues.values() for step in queue]
        for step in steps:
            of = self.contexts[step.args["context"]]
            if step.verb == "open" and step.actor.kind == "client":
                number = int(step.args["as"])
                of.clients[step.actor.component, step.actor.rank] = number
                of.channels[number] = numbers(step.args["channels"])
            elif step.verb == "collect":
                of.opening = self.opening_of(step, step.args["component"])
                if int(step.args["gathers"]) >= 0:
                    of.gatherers[step.actor.rank] = int(step.args["gathers"])
                if step.args["downstream"] == "1":
                    of.downstream.add(step.actor.rank)
            elif step.verb == "reply":
                of.is_refused = of.is_refused or step.args["error"] == "1"
            elif step.verb == "channel":
                of.sizes[step.actor.rank, int(step.args["sender"])] = int(step.args["bytes"])
            elif step.verb == "reads":
                self.depth_of[step.actor, step.args["context"]] = int(step.args["depth"])
            elif step.verb == "answer" and step.actor.kind == "server":
                of.answers.add((step.actor.rank, int(step.args["event"]), int(step.args["client"])))
            elif step.verb == "failed":
                of.has_failed = True
        for step in steps:
            of = self.contexts[step.args["context"]]
            if step.verb == "put":
                if step.actor.kind == "client" and (step.actor.component, step.actor.rank) not in of.clients:
                    raise Refused(f"{step.where}: of a client that has not opened the context")
                if step.actor.kind == "server" and step.actor.rank not in of.gatherers:
                    raise Refused(f"{step.where}: of a server that does not gather")
                of.parts[int(step.args["server"]), int(step.args["event"])][of.sender(step.actor)] = int(step.args["sequence"])

    def run(self):
        did = True
        while did:
            did = False
            for queue in self.queues.values():
                while queue and self.take(queue[0]):
                    queue.popleft()
                    did = True
        for queue in self.queues.values():
            if queue:
                raise Refused(f"{queue[0].where}: never comes to its turn ({self.why(queue[0])})")
        self.check_end()
        return self

    def take(self, step):
        rule = getattr(self, f"{step.actor.kind}_{step.verb}".replace("-", "_"), None)
        if rule is None:
            raise Refused(f"{step.where}: the specification has no such step")
        self.reason = ""
        return rule(step, self.contexts[step.args["context"]])

    def why(self, step):
        self.take(step)
        return self.reason or "its guard does not hold"

    def wait(self, reason):
        self.reason = reason
        return False

    @staticmethod
    def need(holds, step, what):
        if not holds:
            raise Refused(f"{step.where}: {what}")

    # Clients.

    def of_client(self, step):
        return self.client_states[step.actor, step.args["context"]]

    @staticmethod
    def opening_of(step, component):
        return step.actor.group, component, step.args["opening"]

    def client_ask(self, step, of):
        self.asked[self.opening_of(step, step.actor.component)][int(step.args["as"])] = numbers(step.args["servers"])
        return True

    def client_open(self, step, of):
        client, servers = int(step.args["as"]), numbers(step.args["channels"])
        self.need(not of.is_refused, step, "opening: a server has refused the context")
        if self.asked[of.opening].get(client) is None:
            return self.wait("opening: it has not asked for the context")
        self.need(self.asked[of.opening][client] == servers, step, f"opening: it has asked servers {self.asked[of.opening][client]}")
        if not all(of.state(server).has_replied for server in servers):
            return self.wait("opening: not all servers have answered")
        of.opened.add(client)
        self.of_client(step)  # which has to come to its end
        return True

    def client_reads(self, step, of):
        return True

    def client_stamp(self, step, of):
        own, event = self.of_client(step), int(step.args["event"])
        self.need(event == own.event + 1, step, f"rule 1: event {own.event + 1} is the next one")
        called = tuple(step.args[name] for name in ("kind", "stream", "record", "concerned"))
        self.need(of.stamps.setdefault(event, called) == called, step, f"rule 5: others call this event {of.stamps[event]}")
        self.need(own.current is None or self.has_noted(own.current, step, of), step,
                  "rule 8b: what servers do together was not noted for the leader")
        own.event, own.current = event, {"event": event, "called": called, "passed": False}
        return True

    def has_noted(self, current, step, of):
        kind = current["called"][0]
        without = 0 not in of.channels[of.sender(step.actor)]
        return kind != FINALIZE or not without or current["passed"]

    def client_put(self, step, of):
        own, server, event = self.of_client(step), int(step.args["server"]), int(step.args["event"])
        self.need(event == own.event, step, f"rule 8a: event {own.event} is under way")
        concerned = of.stamps[event][3]
        self.need(concerned[server] == "1", step, "the server is not concerned")
        earlier = sum(of.stamps[e][3][server] == "1" for e in range(event))
        self.need(int(step.args["sequence"]) == earlier, step, f"{earlier} events have concerned the server before")
        sender = of.sender(step.actor)
        is_answered = (server, event, sender) in of.answers
        if is_answered:
            depth = self.depth_of.get((step.actor, step.args["context"]))
            self.need(depth is not None, step, "rule 9: it has no channel for answers")
            if len(own.due[server]) >= depth:
                return self.wait("rule 9: there is no room for the answer")
        if not self.fits(step, of, server):
            return self.wait("rule 2: its channel is full")
        if is_answered:
            own.due[server].append(event)
        self.send(step, of, server, sender, event)
        return True

    def fits(self, step, of, server):
        sender = of.sender(step.actor)
        size = of.sizes.get((server, sender))
        self.need(size is not None, step, "the server has no channel for it")
        state = of.state(server)
        return of.has_failed or state.used[sender] + int(step.args["bytes"]) <= size

    def send(self, step, of, server, sender, event):
        state = of.state(server)
        self.need((sender, event) not in state.put, step, "a part is sent twice")
        state.put[sender, event] = int(step.args["bytes"])
        state.used[sender] += int(step.args["bytes"])

    def client_pass(self, step, of):
        own, event = self.of_client(step), int(step.args["event"])
        self.need(event == own.event, step, f"rule 8b: event {own.event} is under way")
        own.current["passed"] = True
        of.state(0).passed[event].add(of.sender(step.actor))
        return True

    def client_answer(self, step, of):
        own, server, event = self.of_client(step), int(step.args["server"]), int(step.args["event"])
        client = of.sender(step.actor)
        due = own.due[server]
        self.need(bool(due) and due[0] == event, step, f"rule 9: the answers to {list(due)} come first")
        if event not in of.state(server).answered[client]:
            return self.wait("no server has answered")
        of.state(server).answered[client].remove(event)
        due.popleft()
        return True

    def client_end(self, step, of):
        own = self.of_client(step)
        self.need(own.current is not None and own.current["called"][0] == FINALIZE, step, "its last event is no end")
        self.need(self.has_noted(own.current, step, of), step, "rule 8b: the end was not noted for the leader")
        if not all(of.state(s).is_closed for s in range(len(own.current["called"][3]))):
            return self.wait("servers have not closed the context")
        own.has_ended = True
        return True

    # Servers.

    def server_collect(self, step, of):
        self.need(OPEN_CONTEXT in of.state(step.actor.rank).commands, step, "opening: the leader has not commanded it")
        of.state(step.actor.rank).due = int(step.args["parts"])
        return True

    def server_part(self, step, of):
        state, sender = of.state(step.actor.rank), int(step.args["sender"])
        self.need(state.due is not None, step, "opening: the context is not known here")
        self.need(len(state.said) < state.due and sender not in state.said, step, f"opening: {state.due} say what they have, once")
        if step.actor.rank in of.downstream:
            gatherers = [of.state(rank) for rank, number in of.gatherers.items() if number == sender]
            if not gatherers or len(gatherers[0].said) != gatherers[0].due:
                return self.wait("opening: the gatherer has not heard all clients")
        elif step.actor.rank not in self.asked[of.opening].get(sender, ()):
            return self.wait("opening: the client has not said so")
        state.said.add(sender)
        return True

    def server_make(self, step, of):
        state = of.state(step.actor.rank)
        self.need(MAKE_FILES in state.commands, step, "rule 4: the leader has not commanded it")
        self.need(of.has_failed or len(state.said) == state.due, step, f"opening: {state.due} say what they have, {len(state.said)} have")
        state.has_made = True
        return True

    def server_reply(self, step, of):
        state = of.state(step.actor.rank)
        self.need(of.has_failed or state.has_made, step, "opening: its files are not made")
        if step.actor.rank in of.gatherers and not all(of.state(rank).has_replied for rank in of.downstream):
            return self.wait("opening: those that write have not answered the gatherer")
        state.has_replied = True
        return True

    def server_channel(self, step, of):
        return True

    def server_open(self, step, of):
        self.need(of.state(step.actor.rank).has_replied, step, "opening: clients have not been answered")
        of.state(step.actor.rank).is_open = True
        return True

    def server_execute(self, step, of):
        state, event = of.state(step.actor.rank), int(step.args["event"])
        kind, senders = step.args["kind"], set(numbers(step.args["senders"]))
        self.need(state.is_open, step, "the context is not open here")
        self.need(event > state.event, step, f"rule 1: event {state.event} has been executed")
        self.need(int(step.args["sequence"]) == state.sequence + 1, step, f"rule 1: number {state.sequence + 1} is the next one")
        self.need(not state.awaits, step, "rule 4: the leader's command for the event before has not come")
        expected = of.parts.get((step.actor.rank, event), {})
        self.need(senders == set(expected), step, f"rule 1: {sorted(expected)} send parts of it")
        self.need(set(expected.values()) == {state.sequence + 1}, step, "its parts have other numbers")
        missing = [sender for sender in senders if (sender, event) not in state.put]
        if missing:
            return self.wait(f"rule 1: parts of {missing} have not come")
        called = of.stamps.get(event)
        self.need(called is not None and called[:3] == (kind, step.args["stream"], step.args["record"]), step,
                  f"rule 5: clients call this event {called}")
        if kind == FINALIZE and not self.have_all_passed(step, of, event):
            return self.wait("rule 8b: not all clients have passed it")
        state.event, state.kind, state.sequence = event, kind, state.sequence + 1
        state.held.append(event)
        if kind == RECORD:
            state.executed[step.args["stream"]] += 1
        if kind == READ:
            state.requests.append(event)
        state.has_finalized = state.has_finalized or kind == FINALIZE
        return True

    def have_all_passed(self, step, of, event):
        if step.actor.rank != 0 or 0 in of.downstream:
            return True
        without = {client for client, channels in of.channels.items() if 0 not in channels}
        return without <= of.state(0).passed[event]

    def server_release(self, step, of):
        state = of.state(step.actor.rank)
        self.need(bool(state.held), step, "nothing is held")
        event = state.held.popleft()
        for sender in of.parts[step.actor.rank, event]:
            state.used[sender] -= state.put[sender, event]
        return True

    def server_await(self, step, of):
        state = of.state(step.actor.rank)
        self.need(step.actor.rank != 0, step, "rule 4: the leader waits for nobody's command")
        self.need(state.kind in (SYNC, PART_END), step, "no command comes for such an event")
        state.awaits = True
        return True

    def server_put(self, step, of):
        server, event = int(step.args["server"]), int(step.args["event"])
        state = of.state(step.actor.rank)
        self.need(event == state.event, step, f"rule 10: event {state.event} is passed on")
        if not self.fits(step, of, server):
            return self.wait("rule 2: the channel between levels is full")
        self.send(step, of, server, of.sender(step.actor), event)
        return True

    def server_status(self, step, of):
        event = int(step.args["event"])
        self.need(event in of.state(step.actor.rank).requests, step, "nobody has asked for it")
        of.state(step.actor.rank).status.add(event)
        return True

    def server_answer(self, step, of):
        state, event, client = of.state(step.actor.rank), int(step.args["event"]), int(step.args["client"])
        self.need(event in state.requests, step, "nobody has asked for it")
        readers = [server for server, mark in enumerate(of.stamps[event][3]) if mark == "1"]
        if not all(event in of.state(reader).status for reader in readers):
            return self.wait("rule 3 of reading: others that read the record have not said how they fared")
        self.need(state.last_answered <= event, step, "rule 9: answers come in the order of requests")
        state.last_answered = event
        state.answered[client].append(event)
        return True

    def server_failed(self, step, of):
        return True

    def server_closed(self, step, of):
        state = of.state(step.actor.rank)
        self.need(state.has_finalized, step, "its end has not been executed")
        self.need(not state.held, step, "rule 2: parts are not given back")
        self.need(set(state.requests) == state.status, step, "rule 9: requests are not answered")
        if step.actor.rank not in of.gatherers:
            for stream, count in state.executed.items():
                if state.outcome[stream] < count:
                    return self.wait(f"records of stream {stream} are neither written nor lost")
        state.is_closed = True
        return True

    def server_order(self, step, of):
        target = self.contexts[step.actor.group, step.args["of"]]
        kind, event = step.args["kind"], int(step.args["event"])
        self.need(step.actor.rank == 0, step, "rule 4: only the leader commands")
        state = target.state(0)
        if kind in (SYNC_NOW, SEAL) and event >= 0:
            self.need(state.event == event, step, f"rule 4: the leader is at event {state.event}")
            if not self.have_all_passed(step, target, event):
                return self.wait("rule 8b: not all clients have passed it")
        if kind == SEAL and event < 0:
            self.need(state.has_finalized, step, "a file is closed before its context ends")
        if kind == RESERVE:
            self.need(state.kind == RECORD, step, "room is for records")
        if kind == CONTEXT_OPENED and target.opened != set(self.asked[target.opening]):
            return self.wait("opening: not all clients have opened the context")
        state.commands.add(kind)
        self.orders[step.actor.group].append((self.command(step)))
        return True

    @staticmethod
    def command(step):
        return tuple(step.args[name] for name in ("kind", "of", "file", "part", "records", "event", "last", "failed"))

    def server_obey(self, step, of):
        orders, at = self.orders[step.actor.group], self.obeyed[step.actor]
        if at >= len(orders):
            return self.wait("rule 4: the leader has not commanded it")
        self.need(orders[at] == self.command(step), step, f"rule 4: the leader's next command is {orders[at]}")
        target = self.contexts[step.actor.group, step.args["of"]]
        state, kind, event = target.state(step.actor.rank), step.args["kind"], int(step.args["event"])
        if not target.has_failed:
            if kind in (SYNC_NOW, SEAL) and event >= 0:
                self.need(state.awaits and state.event == event, step, f"rule 4: this server is at event {state.event}")
            if kind == SEAL and event < 0:
                self.need(state.has_finalized, step, "a file is closed before this server's last event")
        if event >= 0 and step.args["last"] == "1":
            state.awaits = False
        state.commands.add(kind)
        self.obeyed[step.actor] += 1
        return True

    # File threads.

    def files_written(self, step, of):
        return self.note_outcome(step, of, of.state(step.actor.rank).written)

    def files_lost(self, step, of):
        return self.note_outcome(step, of, of.state(step.actor.rank).lost)

    def note_outcome(self, step, of, paths):
        state, stream = of.state(step.actor.rank), step.args["stream"]
        self.need(step.args["path"] not in state.published, step, "the file has its final name")
        if step.args["once"] == "0" and state.outcome[stream] >= state.executed[stream]:
            return self.wait("the record has not been executed, or has been written or lost before")
        if step.args["once"] == "1" and state.executed[stream] == 0:
            return self.wait("the record has not been executed")
        state.outcome[stream] += 1
        paths.add(step.args["path"])
        return True

    def files_published(self, step, of):
        state, path = of.state(step.actor.rank), step.args["path"]
        self.need(path not in state.lost, step, "a file that has lost a record gets its final name")
        self.need(path not in state.published, step, "a file gets its final name twice")
        if not state.has_finalized and state.kind != PART_END:
            return self.wait("the end of the file, or of a part, has not been executed")
        state.published.add(path)
        return True

    def check_end(self):
        for name, of in self.contexts.items():
            if of.has_failed or name[1] == "-1":
                continue
            for rank, state in of.servers.items():
                if not state.is_closed:
                    raise Refused(f"context {name}: server {rank} has not closed it")
                if state.written - state.lost - state.published:
                    raise Refused(f"context {name}: {sorted(state.written - state.lost - state.published)} got no final names")
                left = {client: events for client, events in state.answered.items() if events}
                if left:
                    raise Refused(f"context {name}: answers of server {rank} were not taken: {left}")
        for (actor, context), own in self.client_states.items():
            if not own.has_ended and not self.contexts[context].has_failed:
                raise Refused(f"{actor}: has not come to the end of context {context}")
        for group, orders in self.orders.items():
            servers = {actor for actor in self.queues if actor.kind == "server" and actor.group == group and actor.rank > 0}
            for server in servers:
                if self.obeyed[server] != len(orders):
                    raise Refused(f"{server}: has obeyed {self.obeyed[server]} of {len(orders)} commands")


def mutations(traces):
    """Left out steps, and exchanged ones: the first, the middle and the last of each kind."""
    for path, lines in traces.items():
        places = collections.defaultdict(list)
        for at, line in enumerate(lines):
            places[tuple(line.split()[i] for i in (0, 5))].append(at)
        for (kind, verb), its in places.items():
            for at in sorted({its[0], its[len(its) // 2], its[-1]}):
                yield f"{path}:{at + 1}: without '{lines[at]}'", path, lines[:at] + lines[at + 1:]
            for one, two in list(zip(its, its[1:]))[:3]:
                if lines[one] == lines[two] or lines[one].split()[:5] != lines[two].split()[:5] or verb in UNORDERED:
                    continue
                if verb == "answer" and may_exchange(lines[one], lines[two]):
                    continue
                changed = list(lines)
                changed[one], changed[two] = lines[two], lines[one]
                yield f"{path}: lines {one + 1} and {two + 1} exchanged", path, changed


# Steps whose order among themselves is nobody's concern.
UNORDERED = {"channel", "part", "status", "written", "lost", "published", "put", "reads", "open"}


def may_exchange(one, two):
    """Answers of different servers, and answers to one request, are in any order."""
    first, second = (dict(word.split("=") for word in line.split()[6:]) for line in (one, two))
    return first.get("server") != second.get("server") or first["event"] == second["event"]


def main():
    wants_mutations = sys.argv[1:2] == ["--mutate"]
    traces = {}
    for path in sys.argv[2 if wants_mutations else 1:]:
        with open(path, encoding="utf-8") as file:
            traces[path.rsplit("/", 1)[-1]] = file.read().splitlines()
    if not any(traces.values()):
        sys.exit("check_trace: there are no steps. Was EPIOS_PROTOCOL_TRACE set?")
    try:
        replay = Replay(traces).run()
    except Refused as problem:
        sys.exit(f"check_trace: {problem}")
    print(f"check_trace: {sum(map(len, traces.values()))} steps of {len(replay.queues)} actors, {len(replay.contexts) - 1} contexts")
    if not wants_mutations:
        return
    kept = []
    count = 0
    for what, path, lines in mutations(traces):
        count += 1
        try:
            Replay(traces | {path: lines}).run()
            kept.append(what)
        except (Refused, KeyError):
            pass
    print(f"check_trace: {count} changed traces, {count - len(kept)} refused")
    if kept or count == 0:
        sys.exit("check_trace: not refused:\n  " + "\n  ".join(kept))


if __name__ == "__main__":
    main()
