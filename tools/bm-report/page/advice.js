// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What would help: a mechanism for each place in the program, what it would gain, and what stands in the way.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element, percent, value, timeValue, place} = report.format;

function obstacle(cause) {
  return element(
      'div', null, cause.location ? [element('code', {title: cause.location.file}, place(cause.location)), ' '] : '',
      cause.text);
}

function columns(recording, rows) {
  return [
    {title: 'Mechanism', value: (i) => rows[i].mechanism, show: (i) => rows[i].mechanism},
    {
      title: 'Where',
      kind: 'name',
      value: (i) => rows[i].launch,
      show: (i) => report.overview.launchText(recording, rows[i].launch, rows[i].times)
    },
    {
      title: 'Gains',
      number: true,
      value: (i) => rows[i].gain_ns,
      show: (i) => timeValue(`advice.${i}.gain_ns`, rows[i].gain_ns)
    },
    {
      title: 'Of all',
      number: true,
      value: (i) => rows[i].gain_percent,
      show: (i) => value(`advice.${i}.gain_percent`, rows[i].gain_percent, percent(rows[i].gain_percent))
    },
    {
      title: 'Applies',
      value: (i) => rows[i].applies ? 0 : 1,
      show: (i) =>
          element('span', {class: rows[i].applies ? 'tag good' : 'tag bad'}, rows[i].applies ? 'yes' : 'not yet')
    },
    {
      title: 'How',
      kind: 'wide',
      show: (i) => element(
          'div', null, rows[i].text,
          rows[i].obstacles.length ? element('div', {class: 'soft'}, 'In the way: ', rows[i].obstacles.map(obstacle)) :
                                     null)
    },
  ];
}

function filter(rows, table) {
  const names = [...new Set(rows.map((row) => row.mechanism))];
  const box = element(
      'select',
      {onchange: (event) => table.filter((i) => !event.target.value || rows[i].mechanism === event.target.value)},
      element('option', {value: ''}, 'every mechanism'), names.map((name) => element('option', {value: name}, name)));
  return element('div', {class: 'tools'}, element('label', null, 'Show ', box));
}

function draw(panel, recording) {
  const rows = recording.raw.advice;
  panel.append(element('h2', null, 'What would help'));
  if (!rows || !rows.length) {
    panel.append(element(
        'p', {class: 'soft'},
        rows ? 'No mechanism would make a launch faster than it is.' :
               recording.raw.simulation_problem || 'This recording was not simulated.'));
    return;
  }
  const table =
      new report.table.Table({name: 'What would help', columns: columns(recording, rows), rows: rows.length, most: 30});
  panel.append(
      element(
          'p', null,
          `Gains are modelled by bm-sim for ${
              recording.raw
                  .machine}: what the launches take less than where each waits for all before it. They do not add up: one time can be gained in several ways.`),
      filter(rows, table), table.element);
}

report.advice = {
  id: 'advice',
  title: 'Advice',
  draw
};
})(window.BlockMaestroReport);
