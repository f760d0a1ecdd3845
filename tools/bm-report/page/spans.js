// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ran when in one run: launches and blocks as spans of time on lanes, found by time. A lane holds spans one after
// the other; blocks of one SM that run at once are on lanes of their own.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const MOST_LAUNCH_LANES = 6;

/** Gives each span the first free lane. \p order: numbers of spans by start. Returns how many lanes there are. */
function assignLanes(order, start, end, lane, most) {
  const free = [];
  for (const i of order) {
    let at = free.findIndex((until) => until <= start[i]);
    if (at < 0) at = free.length < most ? free.length : most - 1;
    free[at] = Math.max(free[at] || 0, end[i]);
    lane[i] = at;
  }
  return Math.max(1, free.length);
}

/** Like assignLanes, of blocks that share a row: \p share gets how many lanes those have that overlap, one through the
   *  other, so that a block which runs alone has the row for itself. */
function shareRow(order, start, end, lane, share) {
  let first = 0, until = -1;
  const close = (last) => {
    if (last === first) return;
    const lanes = assignLanes(order.subarray(first, last), start, end, lane, 1 << 16);
    for (let k = first; k < last; k++) share[order[k]] = lanes;
    first = last;
  };
  order.forEach((i, k) => {
    if (start[i] >= until) close(k);
    until = Math.max(until, end[i]);
  });
  close(order.length);
}

/** Spans by start, with the longest one's time, so that those of a stretch of time are found by halving. */
class Ordered {
  constructor(numbers, start, end) {
    this.numbers = Uint32Array.from(numbers).sort((a, b) => start[a] - start[b] || a - b);
    Object.assign(this, {start, end});
    this.longest = this.numbers.reduce((most, i) => Math.max(most, end[i] - start[i]), 0);
  }

  /** The first place in the order whose span starts at or behind \p time. */
  firstFrom(time) {
    let low = 0, high = this.numbers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start[this.numbers[middle]] < time)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  /** At most this many are between \p from and \p to. */
  atMost(from, to) {
    return this.firstFrom(to) - this.firstFrom(from - this.longest);
  }

  each(from, to, visit) {
    const last = this.firstFrom(to);
    for (let k = this.firstFrom(from - this.longest); k < last; k++) {
      const i = this.numbers[k];
      if (this.end[i] >= from) visit(i);
    }
  }
}

/** The launches of \p run, with lanes, as `ordered`, `lane` and `lanes`. */
function launchSpans(recording, run) {
  const start = recording.expanded(run.launches, 'start_ns', run.name + '.launches');
  const end = recording.expanded(run.launches, 'end_ns', run.name + '.launches');
  const ran = Array.from(start.keys()).filter((i) => start[i] >= 0);
  const ordered = new Ordered(ran, start, end), lane = new Uint8Array(start.length);
  return {ordered, start, end, lane, lanes: assignLanes(ordered.numbers, start, end, lane, MOST_LAUNCH_LANES)};
}

/** For each block of the data its launch, and where each launch's blocks begin. */
function owners(recording, blocks) {
  const begin = [0];
  for (let l = 0; l < blocks.launches; l++) begin.push(begin[l] + recording.blocksOf(blocks.first_launch + l));
  const owner = new Uint32Array(begin[blocks.launches]);
  for (let l = 0; l < blocks.launches; l++) owner.fill(blocks.first_launch + l, begin[l], begin[l + 1]);
  return {begin, owner};
}

/** The blocks of \p run that the data has: by row in order of time, with lanes; null where it has none. */
function blockSpans(recording, run) {
  const blocks = run.blocks;
  if (!blocks || !blocks.launches) return null;
  const of = (name) => recording.expanded(blocks, name, run.name + '.blocks');
  const row = of('row'), start = of('start_ns'), length = of('ns');
  const end = start.map((from, i) => from + length[i]);
  const {begin, owner} = owners(recording, blocks);
  const byRow = Array.from({length: run.rows}, () => []);
  row.forEach((r, i) => r >= 0 && byRow[r].push(i));
  const lane = new Uint16Array(row.length), share = new Uint16Array(row.length);
  const rows = byRow.map((numbers) => new Ordered(numbers, start, end));
  for (const ordered of rows) shareRow(ordered.numbers, start, end, lane, share);
  const ran = (i) => row[i] >= 0;
  const until = end.reduce((last, each, i) => ran(i) ? Math.max(last, each) : last, 0);
  const from = start.reduce((first, each, i) => ran(i) ? Math.min(first, each) : first, until);
  return {
    row,
    start,
    end,
    length,
    owner,
    begin,
    lane,
    share,
    rows,
    from,
    until,
    first: blocks.first_launch,
    launches: blocks.launches
  };
}

/** The number in \p spans of a block of a launch; -1 where it is not there, or did not run. */
function find(spans, launch, block) {
  const l = launch - spans.first;
  if (l < 0 || l >= spans.launches) return -1;
  const i = spans.begin[l] + block;
  return spans.row[i] < 0 ? -1 : i;
}

/** How much ran when, as sums from the beginning of each row, so that any stretch of time has its average at once. */
class Load {
  constructor({levels, buckets, bucket_ns: bucket}, rows) {
    Object.assign(this, {buckets, bucket, sums: new Float64Array(rows * (buckets + 1))});
    const bytes = report.data.bytesOf(levels);
    for (let row = 0; row < rows; row++)
      for (let b = 0, at = row * (buckets + 1); b < buckets; b++, at++)
        this.sums[at + 1] = this.sums[at] + bytes[row * buckets + b] / 255;
  }

  until(row, time) {
    const place = Math.max(0, Math.min(this.buckets, time / this.bucket)),
          whole = Math.min(this.buckets - 1, Math.floor(place));
    const at = row * (this.buckets + 1) + whole;
    return this.sums[at] + (this.sums[at + 1] - this.sums[at]) * (place - whole);
  }

  /** The share of the most that ran on \p row from \p from to \p to. */
  average(row, from, to) {
    return (this.until(row, to) - this.until(row, from)) * this.bucket / (to - from);
  }
}

const kept = new WeakMap();

/** Both of a run, made once. */
function of (recording, run) {
  if (!kept.has(run))
    kept.set(run, {
      launches: launchSpans(recording, run),
      blocks: blockSpans(recording, run),
      load: run.load ? new Load(run.load, run.rows) : null,
      ids: recording.expanded(run, 'row_ids', run.name)
    });
  return kept.get(run);
}

report.spans = {
  of,
  find
};
})(window.BlockMaestroReport);
