# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: perfetto.py TRACE [JSON]

Reads a timeline back by the definitions of Perfetto's .proto files and says what is in it,
or at which rule of TrackEvent it fails. With what bm-sim --json or bm-dump events --json
printed beside it, the two must agree."""

import collections
import json
import sys
import zlib

# Of Perfetto's messages: the number of each field that is written, its name and its kind, which
# is a wire type or another message.
VARINT, FIXED, BYTES = 0, 1, 2
MESSAGES = {
    "Trace": {1: ("packet", "TracePacket")},
    "TracePacket": {
        6: ("clock_snapshot", "ClockSnapshot"), 8: ("timestamp", VARINT),
        10: ("trusted_packet_sequence_id", VARINT), 11: ("track_event", "TrackEvent"),
        12: ("interned_data", "InternedData"), 13: ("sequence_flags", VARINT),
        50: ("compressed_packets", BYTES), 59: ("trace_packet_defaults", "TracePacketDefaults"),
        60: ("track_descriptor", "TrackDescriptor")},
    "ClockSnapshot": {1: ("clocks", "Clock")},
    "Clock": {1: ("clock_id", VARINT), 2: ("timestamp", VARINT), 3: ("is_incremental", VARINT),
              4: ("unit_multiplier_ns", VARINT)},
    "TracePacketDefaults": {58: ("timestamp_clock_id", VARINT)},
    "TrackDescriptor": {
        1: ("uuid", VARINT), 2: ("name", BYTES), 3: ("process", "ProcessDescriptor"),
        5: ("parent_uuid", VARINT), 8: ("counter", "CounterDescriptor"),
        11: ("child_ordering", VARINT), 12: ("sibling_order_rank", VARINT),
        14: ("description", BYTES)},
    "ProcessDescriptor": {1: ("pid", VARINT), 6: ("process_name", BYTES)},
    "CounterDescriptor": {3: ("unit", VARINT)},
    "TrackEvent": {
        4: ("debug_annotations", "DebugAnnotation"), 9: ("type", VARINT), 10: ("name_iid", VARINT),
        11: ("track_uuid", VARINT), 30: ("counter_value", VARINT), 47: ("flow_ids", FIXED),
        48: ("terminating_flow_ids", FIXED)},
    "DebugAnnotation": {1: ("name_iid", VARINT), 3: ("uint_value", VARINT)},
    "InternedData": {2: ("event_names", "InternedName"),
                     3: ("debug_annotation_names", "InternedName")},
    "InternedName": {1: ("iid", VARINT), 2: ("name", BYTES)},
}
STATE_CLEARED, NEEDS_STATE = 1, 2
SLICE_BEGIN, SLICE_END, INSTANT, COUNTER = 1, 2, 3, 4
PLACES = ("SM", "worker")
BOOTTIME, FIRST_SEQUENCE_CLOCK = 6, 64


class Message(dict):
    """The fields of a message, each a list."""

    def one(self, field):
        assert len(self.get(field, [])) == 1, f"not one {field}"
        return self[field][0]

    def first(self, field, default=None):
        return self.get(field, [default])[0]


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            assert value < 1 << 64, "a number is too long"
            return value, at


def decode(data, kind):
    out, at = Message(), 0
    while at < len(data):
        key, at = varint(data, at)
        assert key >> 3 in MESSAGES[kind], f"{kind} has no field {key >> 3}"
        name, of = MESSAGES[kind][key >> 3]
        wire = of if isinstance(of, int) else BYTES
        assert key & 7 == wire, f"{kind}.{name} has wire type {key & 7}"
        if wire == VARINT:
            value, at = varint(data, at)
        else:
            size, at = (8, at) if wire == FIXED else varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, f"{kind}.{name} is cut off"
        if wire == FIXED:
            value = int.from_bytes(value, "little")
        if not isinstance(of, int):
            value = decode(value, of)
        out.setdefault(name, []).append(value)
    return out


def packets(data):
    for outer in decode(data, "Trace")["packet"]:
        yield from decode(zlib.decompress(outer.one("compressed_packets")), "Trace")["packet"]


def is_place(track):
    return track.split(" ")[0] in PLACES


Slice = collections.namedtuple("Slice", "process track name launch begin end")


class Sequence:
    """What one sequence has said so far."""

    def __init__(self):
        self.cleared = False
        self.clock = self.time = None
        self.names = {"event_names": {}, "debug_annotation_names": {}}

    def state(self, packet):
        flags = packet.one("sequence_flags")
        if flags & STATE_CLEARED:
            self.__init__()
            self.cleared = True
        assert self.cleared and flags in (STATE_CLEARED, NEEDS_STATE), "no state to need"
        for clocks in packet.get("clock_snapshot", []):
            by_id = {clock.one("clock_id"): clock for clock in clocks["clocks"]}
            assert by_id[BOOTTIME].one("timestamp") == 0
            (self.clock,) = (each for each in by_id if each >= FIRST_SEQUENCE_CLOCK)
            assert by_id[self.clock].one("is_incremental") == 1
            assert by_id[self.clock].one("unit_multiplier_ns") == 1
            self.time = by_id[self.clock].one("timestamp")
            defaults = packet.one("trace_packet_defaults")
            assert defaults.one("timestamp_clock_id") == self.clock
        for interned in packet.get("interned_data", []):
            for field, names in interned.items():
                for each in names:
                    assert self.names[field].setdefault(each.one("iid"), each.one("name").decode()) \
                        == each.one("name").decode(), "a number of two names"

    def name(self, event):
        return self.names["event_names"][event.one("name_iid")]

    def annotations(self, event):
        return {self.names["debug_annotation_names"][each.one("name_iid")]: each.one("uint_value")
                for each in event.get("debug_annotations", [])}


class Trace:
    def __init__(self, data):
        self.tracks = {}
        self.slices = []
        self.instants = []
        self.open = collections.defaultdict(list)  # By track: begin, name, launch.
        self.counters = collections.defaultdict(list)  # By track: time, value.
        self.flows = collections.defaultdict(list)
        self.depth = collections.Counter()
        sequences = collections.defaultdict(Sequence)
        for packet in packets(data):
            sequence = sequences[packet.one("trusted_packet_sequence_id")]
            sequence.state(packet)
            for track in packet.get("track_descriptor", []):
                self.describe(track)
            for event in packet.get("track_event", []):
                assert packet.one("timestamp") < 1 << 63, "time goes back"
                sequence.time += packet.one("timestamp")
                self.event(sequence, event)
        assert not any(self.open.values()), "a begin without an end"
        self.check_flows()

    def describe(self, track):
        uuid = track.one("uuid")
        assert uuid not in self.tracks, "a track is described twice"
        assert "process" in track or track.one("parent_uuid") in self.tracks, "no parent"
        self.tracks[uuid] = track

    def event(self, sequence, event):
        track, kind, time = event.one("track_uuid"), event.one("type"), sequence.time
        assert ("counter" in self.tracks[track]) == (kind == COUNTER), "not on its kind of track"
        if kind == COUNTER:
            self.counters[track].append((time, event.one("counter_value")))
        elif kind == INSTANT:
            assert not self.open[track], "an instant inside of a slice"
            self.instants.append((self.name(track), sequence.name(event), time))
        elif kind == SLICE_BEGIN:
            self.open[track].append((time, sequence.name(event), sequence.annotations(event)))
            self.depth[track] = max(self.depth[track], len(self.open[track]))
            for flow in event.get("terminating_flow_ids", []):
                self.flows[flow].append(("head", time, self.open[track][-1]))
        else:
            assert kind == SLICE_END and self.open[track], "an end without a begin"
            began = self.open[track].pop()
            assert began[0] < time, "an empty slice"
            process = self.tracks[self.tracks[track].one("parent_uuid")].one("process")
            self.slices.append(Slice(process.one("process_name").decode(), self.name(track),
                                     began[1], began[2], began[0], time))
            for flow in event.get("flow_ids", []):
                self.flows[flow].append(("start", time, began))

    def name(self, track):
        return self.tracks[track].one("name").decode()

    def check_flows(self):
        for ends in self.flows.values():
            assert [end[0] for end in ends] == ["start", "head"], "a flow without two ends"
            assert ends[0][1] <= ends[1][1], "an arrow goes back in time"

    def check_rows(self):
        """On an SM and between copies nothing overlaps; a launch has its phases in it."""
        for track in self.open:
            inner = 2 if self.name(track).startswith("in flight") else 1
            assert self.depth[track] <= inner, f"{self.name(track)}: slices overlap"

    def check_counters(self, process):
        """What is counted is what slices say, at every time."""
        changes = collections.Counter()
        on_sm = collections.defaultdict(collections.Counter)
        for each in self.slices:
            if each.process == process and is_place(each.track):
                for time, change in ((each.begin, 1), (each.end, -1)):
                    changes[time] += change
                    on_sm[each.track.split(",")[0]][time] += change
        self.compare(process, "blocks running", changes)
        busy = collections.Counter()
        for times in on_sm.values():
            running = 0
            for time, change in sorted(times.items()):
                busy[time] += (running + change > 0) - (running > 0)
                running += change
        (kind,) = {each for each in PLACES for track in self.counters if self.name(track) == each + "s in use"}
        self.compare(process, kind + "s in use", busy)

    def compare(self, process, name, changes):
        expected, value = [], None
        for time, change in sorted(changes.items()):
            value, before = (value or 0) + change, value
            if value != before:
                expected.append((time, value))
        written = [each for each in self.counter(process, name)]
        if written and written[0][1] == 0:
            written = written[1:]
        assert written == expected, f"{name}: {written[:5]}, not {expected[:5]}"

    def counter(self, process, name):
        (found,) = (values for track, values in self.counters.items() if self.name(track) == name
                    and self.tracks[self.tracks[track].one("parent_uuid")].one("process")
                    .one("process_name").decode() == process)
        return found

    def processes(self):
        return [track.one("process").one("process_name").decode()
                for track in self.tracks.values() if "process" in track]


def check_report(trace, report):
    """Every launch and copy begins and ends when the report says."""
    for scheduler in report["schedulers"]:
        of = [each for each in trace.slices if each.process == scheduler["name"]]
        for kind, place in (("launch", "SM "), ("copy", "copies ")):
            times = collections.defaultdict(list)
            for each in of:
                if kind in each.launch and each.track.startswith(place):
                    times[each.launch[kind]] += [each.begin, each.end]
            expected = scheduler["launches" if kind == "launch" else "copies"]
            assert [(min(times[key]), max(times[key])) for key in sorted(times)] == \
                [(each["first_start_ns"], each["last_end_ns"]) for each in expected], kind
        requests = trace.counter(scheduler["name"], "memory requests")
        assert requests[-1][1] == scheduler["memory_requests"]["total"], "memory requests"
        phases = [each for each in of if each.track.startswith("in flight") and each.launch]
        assert len(phases) == len(scheduler["launches"]) + len(scheduler["copies"])


def check_events(trace, events):
    """Every block is a slice, or an instant, at the time and place of its event."""
    ran = sorted((each.begin, each.end, each.launch["launch"], each.track.split(",")[0])
                 for each in trace.slices if is_place(each.track))
    instants = [each for each in trace.instants if is_place(each[0])]
    expected = sorted((each["start_ns"], each["end_ns"], each["launch"], each["where"])
                      for each in events if each["start_ns"] < each["end_ns"])
    assert [(*each[:3], int(each[3].split()[1])) for each in ran] == expected, "blocks"
    assert len(ran) + len(instants) == len(events), "blocks of no time"


def main(path, report=None):
    with open(path, "rb") as file:
        data = file.read()
    trace = Trace(data)
    trace.check_rows()
    for process in trace.processes():
        trace.check_counters(process)
    if report:
        with open(report, encoding="utf-8") as file:
            given = json.load(file)
        if "events" in given:
            check_events(trace, given["events"])
        else:
            check_report(trace, given)
    for process in trace.processes():
        of = [each for each in trace.slices if each.process == process]
        blocks = sum(is_place(each.track) for each in of)
        print(f"{process}: {blocks} blocks, {len(of) - blocks} other slices")
    ran = sum(is_place(each.track) for each in trace.slices)
    print(f"{len(trace.flows)} arrows, {len(data) // ran} bytes a block")
    for track in trace.tracks.values():
        if "description" in track:
            print(track.one("process").one("process_name").decode() + ":",
                  track.one("description").decode())
    for (_, ended, parent), (_, began, child) in \
            [ends for _, ends in sorted(trace.flows.items())][:3]:
        print(f"arrow {parent[1]} at {ended} -> {child[1]} at {began}")
    for track, name, time in trace.instants:
        print(f"{track}: {name} at {time}")
    for each in trace.slices:
        if each.track.startswith("host "):
            print(f"{each.track}: {each.name} from {each.begin} to {each.end}")
    print("tracks:", "; ".join(sorted({trace.name(track).rsplit(",", 1)[0].rstrip("0123456789 ")
                                       for track in trace.open})))


if __name__ == "__main__":
    main(*sys.argv[1:])
