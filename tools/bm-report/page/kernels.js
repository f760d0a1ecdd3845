// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels: their numbers, and of each its source lines with what they touch beside them.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element, countValue, timeValue, shortName, fileName, place, plural} = report.format;

function kernelColumns(recording) {
  const kernels = recording.raw.kernels, colours = report.chart.kernelColours(recording);
  const number = (title, name, show = countValue) => ({
    title,
    number: true,
    value: (i) => kernels[i][name],
    show: (i) => show(`kernels.${i}.${name}`, kernels[i][name])
  });
  return [
    {
      title: 'Kernel',
      kind: 'name',
      value: (i) => kernels[i].name,
      show: (i) =>
          element('span', {title: kernels[i].name}, report.chart.swatch(colours[i]), shortName(kernels[i].name))
    },
    number('Launches', 'launches'),
    number('Blocks', 'blocks'),
    number('Recorded', 'ns', timeValue),
    number('Modelled', 'modelled_ns', timeValue),
    number('Instructions', 'instructions'),
    number('Sectors', 'global_sectors'),
    {
      title: 'Not exact',
      number: true,
      value: (i) => inexact(kernels[i]),
      show: (i) => countValue(`kernels.${i}.not_exact`, inexact(kernels[i]))
    },
  ];
}

const inexact = (kernel) => Math.max(0, ...kernel.not_exact.map((each) => each.launches));

function mending(recording, index) {
  const reason = recording.reason(index);
  if (!reason) return null;
  return element(
      'div', null, element('span', {class: 'bad'}, reason.text),
      reason.remark ? element('span', {class: 'soft'}, ` (${reason.remark})`) : '',
      reason.advice ? element('div', null, 'To mend it: ', reason.advice) : '');
}

function accessItem(recording, access) {
  const exact = access.exactness === 'exact';
  return element(
      'li', null, element('span', {class: exact ? 'tag good' : 'tag bad'}, access.exactness), ` ${access.kind} `,
      element('code', null, access.set),
      exact ? null : mending(recording, access.reason_index) || element('div', {class: 'bad'}, access.reason));
}

function sourceOf(recording, file, line) {
  const source = recording.raw.sources.find((each) => each.file === file);
  const piece = source && source.pieces.find((each) => each.first <= line && line < each.first + each.lines.length);
  return piece ? piece.lines[line - piece.first] : null;
}

/** The accesses of a footprint by file and line, and those that no line is known of under ''. */
function byLine(accesses) {
  const out = new Map();
  for (const access of accesses) {
    const key = access.location ? `${access.location.file}\n${access.location.line}` : '';
    if (!out.has(key)) out.set(key, {location: access.location, accesses: []});
    out.get(key).accesses.push(access);
  }
  return out;
}

/** The numbers of the lines of \p file to show: those with accesses and what stands around them in the data. */
function linesToShow(recording, file, touched) {
  const source = recording.raw.sources.find((each) => each.file === file);
  const lines = new Set(touched);
  if (source)
    for (const piece of source.pieces) {
      const inside = touched.filter((line) => piece.first <= line && line < piece.first + piece.lines.length);
      if (!inside.length) continue;
      const from = Math.max(piece.first, Math.min(...inside) - 3);
      const to = Math.min(piece.first + piece.lines.length - 1, Math.max(...inside) + 1);
      for (let line = from; line <= to; line++) lines.add(line);
    }
  return Array.from(lines).sort((a, b) => a - b);
}

function sourceRow(recording, file, line, found) {
  const text = sourceOf(recording, file, line);
  return element(
      'tr', {class: found ? 'touches' : null, 'data-line': line}, element('td', {class: 'number soft'}, line),
      element('td', {class: 'code'}, text === null ? '' : text),
      element(
          'td', null, found ? element('ul', null, found.accesses.map((access) => accessItem(recording, access))) : ''));
}

function sourceTable(recording, footprint) {
  const lines = byLine(footprint.accesses);
  const files =
      [...new Set(Array.from(lines.values()).filter((each) => each.location).map((each) => each.location.file))];
  const tables = files.map((file) => {
    const touched = Array.from(lines.values())
                        .filter((each) => each.location && each.location.file === file)
                        .map((each) => each.location.line);
    const rows = linesToShow(recording, file, touched)
                     .map((line) => sourceRow(recording, file, line, lines.get(`${file}\n${line}`)));
    return [
      element('h3', {title: file}, fileName(file)),
      element(
          'div', {class: 'scroll', tabindex: 0},
          element(
              'table', {class: 'source', 'aria-label': `Lines of ${fileName(file)} and what they touch`},
              element('tbody', null, rows)))
    ];
  });
  const unplaced = lines.get('');
  return [
    tables, unplaced ? element('ul', null, unplaced.accesses.map((access) => accessItem(recording, access))) : null
  ];
}

function reasonList(recording, kernel) {
  if (!kernel.not_exact.length) return null;
  return element('ul', null, kernel.not_exact.map(({reason, launches}) => {
    const {location} = recording.reason(reason);
    return element(
        'li', null, plural(launches, 'launch', 'launches'), ': ',
        place(location) ? element('code', null, place(location) + ' ') : '', mending(recording, reason));
  }));
}

function ableTo(footprint) {
  const tag = (able, text) => element('span', {class: able ? 'tag good' : 'tag'}, (able ? '' : 'no ') + text);
  return element(
      'p', null, tag(footprint.prelaunch, 'prelaunch variant'), ' ',
      tag(footprint.persistent, 'part of persistent kernels'), ' ',
      footprint.no_variant_reason ? element('span', {class: 'soft'}, footprint.no_variant_reason) : '');
}

function kernelDetails(recording, index) {
  const kernel = recording.raw.kernels[index], footprint = kernel.footprint;
  const box = element(
      'details', {'data-kernel': index},
      element(
          'summary', null, element('strong', null, shortName(kernel.name)), ' ',
          element('span', {class: 'soft'}, footprint ? footprint.summary : 'no record of what it touches')));
  box.addEventListener('toggle', () => {
    if (!box.open || box.children.length > 1) return;
    box.append(element(
        'div', null, element('p', {class: 'code'}, kernel.name), reasonList(recording, kernel),
        footprint ? [ableTo(footprint), sourceTable(recording, footprint)] : null));
  });
  return box;
}

function draw(recording) {
  const {kernels, program_problem: problem} = recording.raw;
  const table = new report.table.Table({name: 'Kernels', columns: kernelColumns(recording), rows: kernels.length});
  const details = kernels.map((_, i) => kernelDetails(recording, i));
  if (details.length === 1) details[0].open = true;
  return [
    table.element, element('h3', null, 'What their lines touch'), problem ? element('p', {class: 'soft'}, problem) : '',
    ...details
  ];
}

report.kernels = {draw};
})(window.BlockMaestroReport);
