#!/usr/bin/env python3
# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens a report in a headless Chromium and holds it against what bm-dump prints.

  browser.py PAGE RECORDING BM-DUMP    numbers, tabs, blocks under the pointer; light, dark and on a phone
  browser.py --problem PAGE            prints the sentence of a page that cannot show its data
"""

import json
import subprocess
import sys

from browser_session import Failure, Session

LOOKS = [("light", 1280, False), ("dark", 1280, True), ("phone", 360, False), ("dark phone", 360, True)]
PAGE = "BlockMaestroReport"


def dump(tool, command, recording, *options):
    return json.loads(subprocess.run([tool, command, recording, "--json", *options], check=True, capture_output=True).stdout)


def require(condition, sentence):
    if not condition:
        raise Failure(sentence)


def shown(session, key):
    """The number that the page shows under `key`."""
    text = session.value(f"document.querySelector('[data-key=\"{key}\"]')?.dataset.value ?? null")
    require(text is not None, f"the page has nothing under {key}")
    return float(text)


def open_tab(session, name):
    session.value(f"document.getElementById('tab-{name}').click()")
    session.settle()
    require(session.value(f"document.getElementById('panel-{name}').hidden === false"), f"{name} does not open")
    require(session.value(f"document.getElementById('panel-{name}').innerText.length") > 40, f"{name} is empty")


def tabs(session):
    return session.value("Array.from(document.querySelectorAll('[role=tab]'), tab => tab.id.slice(4))")


def check_counts(session, recording, graph):
    counts = {"launches": len(recording["launches"]), "relations": recording["relations"], "copies": recording["copies"],
              "barriers": recording["barriers"], "copy_relations": recording["copy_relations"],
              "blocks": sum(launch["blocks"] for launch in recording["launches"]),
              "events": sum(launch["events"] for launch in recording["launches"]),
              "edges": sum(relation["edges"] for relation in graph["relations"])}
    expected = {"counts." + key: number for key, number in counts.items()}
    expected["relations.implied"] = sum(relation["implied"] for relation in graph["relations"])
    for key, number in expected.items():
        require(shown(session, key) == number, f"{key} is {shown(session, key)}, of bm-dump {number}")


def check_kernels(session, recording):
    sums = {}
    for launch in recording["launches"]:
        of = sums.setdefault(launch["kernel"], {"launches": 0, "blocks": 0, "ns": 0, "instructions": 0})
        of["launches"] += 1
        for key in ("blocks", "ns", "instructions"):
            of[key] += launch[key]
    for number, (name, of) in enumerate(sums.items()):
        for key, value in of.items():
            require(shown(session, f"kernels.{number}.{key}") == value, f"{key} of {name} differs from bm-dump's {value}")


def check_patterns(session, graph):
    sums = {}
    for relation in graph["relations"]:
        of = sums.setdefault(relation["pattern"], {"relations": 0, "edges": 0, "exact": 0})
        of["relations"] += 1
        of["edges"] += relation["edges"]
        of["exact"] += relation["exact"]
    for pattern, of in sums.items():
        for key, value in of.items():
            require(shown(session, f"patterns.{pattern}.{key}") == value, f"{key} of {pattern} differs from bm-dump's {value}")


def check_launches(session, recording):
    """The tab of launches: the first row is that of bm-dump, and sorting brings the longest one up."""
    open_tab(session, "launches")
    launches = recording["launches"]
    for key in ("blocks", "ns", "block_ns", "instructions"):
        require(shown(session, f"launches.0.{key}") == launches[0][key], f"{key} of launch 0 differs from bm-dump's")
    first = "document.querySelector('#panel-launches [data-key$=\".ns\"]').dataset"
    button = "Array.from(document.querySelectorAll('#panel-launches thead button')).find(b => b.textContent === 'Took')"
    session.value(button + ".click()")
    longest = max(launch["ns"] for launch in launches)
    require(float(session.value(first + ".value")) == longest, "sorting does not bring the longest launch up")


def neighbours(edges, launch, block):
    """How many blocks `block` of a launch waits for, and how many wait for it, of the relations that no others imply."""
    into = [pair for each in edges["relations"] if each["consumer"] == launch for pair in each["pairs"] if pair[1] == block]
    out = [pair for each in edges["relations"] if each["producer"] == launch for pair in each["pairs"] if pair[0] == block]
    return len(into), len(out)


def check_blocks(session, edges):
    """A block under the pointer says what it waits for, as bm-dump has it, and the blocks are marked in the runs."""
    session.value("scrollTo(0, 0)")
    open_tab(session, "timeline")
    run = session.value(f"{PAGE}.main.state.recording.raw.runs.at(-1).name")
    session.value(f"document.querySelector('[name=run][value=\"{run}\"]').checked || document.querySelector('[name=run][value=\"{run}\"]').click()")
    pairs = [(each["consumer"], pair[1]) for each in edges["relations"] for pair in each["pairs"]]
    launch, block = pairs[len(pairs) // 2]
    session.value(f"document.querySelector('[name=launch]').value = {launch}; document.querySelector('[name=block]').value = {block};"
                  "document.querySelector('[name=go]').click()")
    session.settle()
    found = shown(session, "block.producers"), shown(session, "block.consumers")
    expected = neighbours(edges, launch, block)
    require(found == expected, f"block {block} of launch {launch} waits for and is needed by {found} blocks, of bm-dump {expected}")
    at = session.value(f"{PAGE}.timeline.locate('{run}', {launch}, {block})")
    require(at and at["shown"] == "blocks", f"block {block} of launch {launch} is not in the timeline")
    session.value(f"scrollBy(0, {at['y']} - innerHeight / 2)")
    session.settle()
    at = session.value(f"{PAGE}.timeline.locate('{run}', {launch}, {block})")
    session.move_to(at["x"], at["y"])
    session.settle()
    found = session.value("document.querySelector('#tip [data-block]')?.dataset.block ?? ''")
    require(found == f"{launch}:{block}", f"the pointer is on block {block} of launch {launch}, the page says '{found}'")
    marks = session.value(f"{PAGE}.timeline.locate('{run}', {launch}, {block}).marks")
    require(marks > 1, "the blocks that a block waits for are not marked")


def check_relation(session):
    """A relation on its grids: another block is told of when the pointer goes to it, and by the keys."""
    open_tab(session, "graph")
    text = "document.querySelector('#panel-graph [data-said]').textContent"
    session.value("document.querySelector('#panel-graph .grids figure:last-child canvas').focus()")
    before = session.value(text)
    session.press("ArrowLeft", 37)
    session.press("ArrowUp", 38)
    many = session.value("document.querySelector('#panel-graph .grids figure:last-child canvas').width") > 60
    require(not many or session.value(text) != before, "keys do not go from block to block")
    session.value("document.querySelector('#panel-graph tbody tr.choose').click()")
    require(session.value("document.querySelector('#panel-graph [data-relation]') !== null"), "no relation is drawn")


def check_keys(session):
    session.value("document.getElementById('tab-overview').click(); document.getElementById('tab-overview').focus()")
    session.press("ArrowRight", 39)
    require(session.value("document.activeElement.id") == "tab-timeline", "arrow keys do not go from tab to tab")


def check_colours(session):
    """Behind text is what the theme says, and the button changes it."""
    surface = "getComputedStyle(document.body).backgroundColor"
    seen = {session.value(surface)}
    for _ in range(2):
        session.value("document.getElementById('theme').click()")
        session.settle()
        seen.add(session.value(surface))
    session.value("document.getElementById('theme').click()")
    require(len(seen) == 2, "the button of colours does not change them")


def check_look(name, width, dark, page, recording, graph, edges):
    with Session() as session:
        session.show(width=width, dark=dark)
        session.open(page)
        require(session.value("document.documentElement.dataset.state") == "ready", "the page does not show its data")
        check_counts(session, recording, graph)
        check_kernels(session, recording)
        check_patterns(session, graph)
        for tab in tabs(session):
            open_tab(session, tab)
            wide = session.value("document.documentElement.scrollWidth") - width
            require(wide <= 0, f"{tab} is {wide} pixels wider than the window")
        check_launches(session, recording)
        check_blocks(session, edges)
        check_relation(session)
        check_keys(session)
        check_colours(session)
        require(not session.console, "in the console: " + "; ".join(session.console))
        loaded = [url for url in session.requests if not url.startswith(("file:", "data:", "blob:", "about:"))]
        require(not loaded, f"the page loads {loaded}")
    print(f"{name}: as bm-dump")


def print_problem(page):
    with Session() as session:
        session.show()
        session.open(page)
        print(session.value("document.querySelector('[data-key=problem]')?.textContent ?? 'no problem'"))


def main(arguments):
    if arguments[0] == "--problem":
        print_problem(arguments[1])
        return
    page, file, tool = arguments
    recording, graph = dump(tool, "recording", file), dump(tool, "graph", file, "--all")
    edges = dump(tool, "graph", file, "--edges")
    for look in LOOKS:
        try:
            check_look(*look, page, recording, graph, edges)
        except Failure as failure:
            sys.exit(f"{look[0]}: {failure}")


main(sys.argv[1:])
