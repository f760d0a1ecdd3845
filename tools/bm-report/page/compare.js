// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several recordings side by side: their numbers, the times of their runs, and their kernels by name.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element, value, count, time, ratio, shortName} = report.format;

/** A table with a row for each of \p rows (`title`, `of(recording)`, `show`, `key`) and a column for each recording. */
function sideBySide(name, recordings, rows) {
  const first = (row) => row.of(recordings[0]);
  const change = (row, recording) => {
    const before = first(row), now = row.of(recording);
    return before && now && now !== before ? element('span', {class: 'soft'}, ` ${ratio(now / before)}`) : '';
  };
  const columns = [
    {
      title: 'Of',
      kind: 'name',
      value: (i) => rows[i].title,
      show: (i) => element('span', {title: rows[i].full}, rows[i].title)
    },
    ...recordings.map(
        (recording, n) => ({
          title: recording.name,
          number: true,
          value: (i) => rows[i].of(recording),
          show: (i) => rows[i].of(recording) === null ? '–' :
                                                        element(
                                                            'span', null,
                                                            value(
                                                                `compare.${n}.${rows[i].key}`, rows[i].of(recording),
                                                                rows[i].show(rows[i].of(recording)), rows[i].unit),
                                                            n ? change(rows[i], recording) : ''),
        }))
  ];
  return new report.table.Table({name, columns, rows: rows.length}).element;
}

const everyName = (recordings, names) => [...new Set(recordings.flatMap(names))];

function runRows(recordings) {
  return everyName(recordings, ({raw}) => raw.runs.map((run) => run.name)).map((name) => ({
                                                                                 title: name,
                                                                                 key: `runs.${name}.time_us`,
                                                                                 show: (us) => time(us * 1000),
                                                                                 unit: 'µs',
                                                                                 of: (recording) => {
                                                                                   const run = recording.run(name);
                                                                                   return run ? run.time_us : null;
                                                                                 }
                                                                               }));
}

function countRows(recordings) {
  return Object.keys(recordings[0].raw.counts)
      .map(
          (key) =>
              ({title: key.replace(/_/g, ' '), key: 'counts.' + key, show: count, of: ({raw}) => raw.counts[key]}));
}

function kernelRows(recordings) {
  const find = (recording, name) => recording.raw.kernels.find((kernel) => kernel.name === name);
  return everyName(recordings, ({raw}) => raw.kernels.map((kernel) => kernel.name))
      .map((name) => ({
             title: shortName(name),
             full: name,
             key: `kernels.${name}.modelled_ns`,
             show: time,
             unit: 'ns',
             of: (recording) => {
               const kernel = find(recording, name);
               return kernel ? kernel.modelled_ns : null;
             }
           }));
}

function runChart(recordings, rows) {
  const {colour, text} = report.chart;
  return {
    textStyle: text(),
    animation: false,
    grid: {left: 8, right: 24, top: 40, bottom: 8, containLabel: true},
    legend: {top: 0, left: 0, textStyle: {color: colour('ink')}, type: 'scroll'},
    tooltip:
        {trigger: 'axis', axisPointer: {type: 'shadow'}, valueFormatter: (us) => us === null ? '–' : time(us * 1000)},
    xAxis: {
      type: 'value',
      axisLabel: {color: colour('soft'), formatter: (us) => time(us * 1000), hideOverlap: true},
      splitLine: {lineStyle: {color: colour('line')}}
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: rows.map((row) => row.title),
      axisLabel: {color: colour('ink')},
      axisLine: {lineStyle: {color: colour('line')}}
    },
    series: recordings.map((recording, n) => ({
                             type: 'bar',
                             name: recording.name,
                             barMaxWidth: 18,
                             itemStyle: {color: colour(n < 7 ? `kernel-${n}` : 'kernel-rest')},
                             data: rows.map((row) => row.of(recording))
                           })),
  };
}

function draw(panel, current, data) {
  const {recordings} = data;
  const runs = runRows(recordings), modelled = runs.filter((row) => row.title !== 'recorded');
  panel.append(element('h2', null, 'Times of the runs'));
  if (modelled.length) {
    const host = element('div', {
      class: 'chart',
      role: 'img',
      'aria-label': 'Modelled times of each recording by scheduler; the table below has them',
      style: {height: 60 + modelled.length * (12 + 20 * recordings.length) + 'px'}
    });
    panel.append(host);
    report.chart.mount(host, () => runChart(recordings, modelled));
  }
  panel.append(
      sideBySide('Times of the runs', recordings, runs),
      element('p', {class: 'soft'}, 'Beside a number: how many times that of the first recording it is.'),
      element('h2', null, 'Counts'), sideBySide('Counts', recordings, countRows(recordings)),
      element('h2', null, 'Kernels, modelled'), sideBySide('Kernels', recordings, kernelRows(recordings)));
}

report.compare = {
  id: 'compare',
  title: 'Compare',
  draw
};
})(window.BlockMaestroReport);
