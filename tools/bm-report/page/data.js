// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of the page: unpacked once, its columns expanded when they are first asked for. docs/bm-report-data.md says
// what is in it; nothing here changes it.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const SCHEMA = 1;

/** Why there is nothing to show, as a sentence for people. */
class Problem extends Error {}

function bytesOf(base64) {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function unpack(base64) {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

/** Gives each recording the name of its file, with the folder where two have the same. */
function nameAll(recordings) {
  const last = ({raw}) => raw.file.slice(raw.file.lastIndexOf('/') + 1);
  for (const each of recordings)
    each.name = recordings.filter((other) => last(other) === last(each)).length > 1 ? each.raw.file : last(each);
}

/** The report's object, or a Problem. */
async function read(base64) {
  if (typeof DecompressionStream === 'undefined')
    throw new Problem('This browser cannot unpack the data of this page; Chrome 80, Firefox 113 and Safari 16.4 can.');
  let data;
  try {
    data = await unpack(base64);
  } catch (error) {
    throw new Problem('The data of this page is damaged; bm-report makes the page anew from the recording.');
  }
  if (data.schema !== SCHEMA)
    throw new Problem(`The data of this page has form ${data.schema}, and its scripts read form ${SCHEMA} only.`);
  const recordings = data.recordings.map((raw) => new Recording(raw));
  nameAll(recordings);
  return {...data, recordings};
}

function fill(pairs, next) {
  let length = 0;
  for (let i = 1; i < pairs.length; i += 2) length += pairs[i];
  const out = new Float64Array(length);
  let at = 0, value = 0;
  for (let i = 0; i < pairs.length; i += 2)
    for (let n = 0; n < pairs[i + 1]; n++) out[at++] = value = next(value, pairs[i]);
  return out;
}

/** The numbers of a column, whichever form it has. */
function expand(column) {
  if (column.list) return Float64Array.from(column.list);
  if (column.runs) return fill(column.runs, (before, each) => each);
  if (column.steps) return fill(column.steps, (before, each) => before + each);
  let value = 0;
  return Float64Array.from(column.deltas, (each) => value += each);
}

/** For each of \p count ends the numbers of those whose end it is: \p order from begin[end] to begin[end + 1]. */
function indexOf(ends, count) {
  const begin = new Uint32Array(count + 1);
  for (const end of ends) begin[end + 1]++;
  for (let i = 0; i < count; i++) begin[i + 1] += begin[i];
  const next = begin.slice(), order = new Uint32Array(ends.length);
  ends.forEach((end, i) => order[next[end]++] = i);
  return (end) => order.subarray(begin[end], begin[end + 1]);
}

const once = (make) => {
  let made = null;
  return () => made || (made = make());
};

/** One recording: the object of the data as `raw`, and what the parts of the page ask about it. */
class Recording {
  constructor(raw) {
    this.raw = raw;
    this.columns = new Map();
    this.into = once(() => indexOf(this.column('relations', 'consumer'), this.launches));
    this.outOf = once(() => indexOf(this.column('relations', 'producer'), this.launches));
  }

  get launches() {
    return this.raw.counts.launches;
  }

  /** A column of a table of the recording. */
  column(table, name) {
    return this.expanded(this.raw[table], name, table);
  }

  /** A column of any object of the recording; \p prefix tells objects with columns of the same names apart. */
  expanded(object, name, prefix) {
    const key = prefix + '.' + name;
    if (!this.columns.has(key)) this.columns.set(key, expand(object[name]));
    return this.columns.get(key);
  }

  kernelOf(launch) {
    return this.column('launches', 'kernel')[launch];
  }
  gridOf(launch) {
    return this.raw.sizes[this.column('launches', 'grid')[launch]];
  }
  blocksOf(launch) {
    return report.form.size(this.gridOf(launch));
  }
  kernelName(kernel) {
    return this.raw.kernels[kernel].name;
  }
  call(index) {
    return this.raw.calls[index];
  }
  reason(index) {
    return index >= 0 ? this.raw.reasons[index] : null;
  }

  /** Numbers in `relations` of those whose consumer, or producer, is \p launch. */
  relationsInto(launch) {
    return this.into()(launch);
  }
  relationsOutOf(launch) {
    return this.outOf()(launch);
  }

  relation(number) {
    const of = (name) => this.column('relations', name)[number];
    return {
      number,
      producer: of('producer'),
      consumer: of('consumer'),
      form: this.raw.forms[of('form')],
      formNumber: of('form'),
      hazards: of('hazards'),
      exact: of('exact') === 1,
      implied: of('implied') === 1,
      reason: this.reason(of('reason'))
    };
  }

  run(name) {
    return this.raw.runs.find((run) => run.name === name);
  }
}

report.data = {
  Problem,
  bytesOf,
  read,
  expand
};
})(window.BlockMaestroReport);
