// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every launch, relation, copy and barrier as tables.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element, value, count, grouped, bytes, countValue, timeValue, shortName, hazards} = report.format;
const gridName = (...arguments_) => report.form.gridName(...arguments_);

const PLACES = ['unknown', 'none', 'device', 'pinned', 'pageable', 'managed'];

/** A column of a table of the data: its numbers as they are, or through \p show. */
function column(recording, table, name, title, show) {
  const of = recording.column(table, name);
  return {title, number: true, value: (i) => of[i], show: (i) => (show || countValue)(`${table}.${i}.${name}`, of[i])};
}

/** Like column, of what is text to people. */
function words(recording, table, name, title, text) {
  return {...column(recording, table, name, title, (key, number) => text(number)), number: false};
}

const yesOrNo = (number) => number ? 'yes' : 'no';
const orNone = (show) => (key, number) => number < 0 ? '–' : show(key, number);

function launchTable(recording) {
  const colours = report.chart.kernelColours(recording);
  const kernel = recording.column('launches', 'kernel');
  const sizes = recording.raw.sizes, block = recording.column('launches', 'block');
  const c = (name, title, show) => column(recording, 'launches', name, title, show);
  return {
    name: 'Launches',
    rows: recording.launches,
    columns: [
      {title: 'Launch', number: true, value: (i) => i, show: (i) => count(i)},
      {
        title: 'Kernel',
        kind: 'name',
        value: (i) => recording.kernelName(kernel[i]),
        show: (i) => element(
            'span', {title: recording.kernelName(kernel[i])}, report.chart.swatch(colours[kernel[i]]),
            shortName(recording.kernelName(kernel[i])))
      },
      {
        title: 'Blocks',
        number: true,
        value: (i) => recording.blocksOf(i),
        show: (i) => value(`launches.${i}.blocks`, recording.blocksOf(i), gridName(recording.gridOf(i)))
      },
      {
        title: 'Threads',
        number: true,
        value: (i) => report.form.size(sizes[block[i]]),
        show: (i) => gridName(sizes[block[i]])
      },
      c('start_ns', 'Started', orNone(timeValue)),
      c('ns', 'Took', timeValue),
      c('block_ns', 'Blocks together', timeValue),
      c('instructions', 'Instructions'),
      c('global_sectors', 'Sectors'),
      c('shared_bytes', 'Shared', (key, n) => value(key, n, bytes(n), 'bytes')),
      c('registers', 'Registers'),
      c('host_ns', 'Host', timeValue),
    ]
  };
}

function relationTable(recording) {
  const form = recording.column('relations', 'form'), bits = recording.column('relations', 'hazards');
  const reason = recording.column('relations', 'reason');
  const {forms} = recording.raw;
  const flag = (name, title) => {
    const of = recording.column('relations', name);
    return {title, value: (i) => of[i], show: (i) => of[i] ? 'yes' : 'no'};
  };
  const detail = element('div');
  const choose = (i) => report.relation.draw(detail, recording, i);
  return {
    name: 'Relations',
    rows: form.length,
    choose,
    detail,
    columns: [
      column(recording, 'relations', 'producer', 'Producer'),
      column(recording, 'relations', 'consumer', 'Consumer'),
      {title: 'Pattern', value: (i) => forms[form[i]].pattern, show: (i) => forms[form[i]].pattern},
      {
        title: 'Edges',
        number: true,
        value: (i) => forms[form[i]].edges,
        show: (i) => countValue(`relations.${i}.edges`, forms[form[i]].edges)
      },
      {title: 'Hazards', value: (i) => bits[i], show: (i) => hazards(bits[i])},
      flag('exact', 'Exact'),
      flag('implied', 'Implied'),
      {
        title: 'Why not exact',
        kind: 'name',
        value: (i) => reason[i],
        show: (i) => reason[i] < 0 ?
            '' :
            element('span', {title: recording.reason(reason[i]).text}, recording.reason(reason[i]).text)
      },
    ]
  };
}

function copyTable(recording) {
  const c = (name, title, show) => column(recording, 'copies', name, title, show);
  const w = (name, title, text) => words(recording, 'copies', name, title, text), place = (n) => PLACES[n];
  return {
    name: 'Copies',
    rows: recording.raw.counts.copies,
    columns: [
      {title: 'Copy', number: true, value: (i) => i, show: (i) => grouped(i)},
      c('before_launch', 'Before launch'),
      w('call', 'Call', (n) => recording.call(n)),
      c('bytes', 'Bytes', (key, n) => value(key, n, bytes(n), 'bytes')),
      w('from', 'From', place),
      w('to', 'To', place),
      w('host_waits', 'Host waits', yesOrNo),
    ]
  };
}

function barrierTable(recording) {
  const c = (name, title) => column(recording, 'barriers', name, title);
  const w = (name, title, text) => words(recording, 'barriers', name, title, text);
  return {
    name: 'Barriers',
    rows: recording.raw.counts.barriers,
    columns: [
      c('before_launch', 'Before launch'),
      c('before_copy', 'Before copy'),
      w('call', 'Call', (n) => recording.call(n)),
      w('host_waits', 'Host waits', yesOrNo),
    ]
  };
}

function draw(panel, recording) {
  for (const [make, note] of [
           [launchTable], [relationTable, 'Choose a relation to see its blocks.'], [copyTable], [barrierTable]]) {
    const options = make(recording);
    if (!options.rows) continue;
    panel.append(element('h2', null, `${options.name} `, element('span', {class: 'soft'}, count(options.rows))));
    if (note) panel.append(element('p', {class: 'soft'}, note));
    const table = new report.table.Table(options);
    panel.append(table.element);
    if (options.detail) panel.append(options.detail);
    table.redraw();
  }
}

report.launches = {
  id: 'launches',
  title: 'Launches',
  draw
};
})(window.BlockMaestroReport);
