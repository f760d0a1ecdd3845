// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first tab: what was recorded, what overlaps and what does not, where time is lost, and the kernels.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element, count, time, ratio, percent, value, countValue, timeValue, shortName, plural} = report.format;

const MOST_CAUSES = 3;

function fact(title, shown, note) {
  return element(
      'div', null, element('dt', null, title),
      element('dd', null, shown, note ? element('div', {class: 'note'}, note) : null));
}

function countFacts(recording) {
  const counts = recording.raw.counts;
  const of = (key) => countValue('counts.' + key, counts[key]);
  const implied = recording.column('relations', 'implied').reduce((sum, each) => sum + each, 0);
  return [
    fact('Launches', of('launches'), plural(recording.raw.kernels.length, 'kernel')),
    fact('Blocks', of('blocks'), element('span', null, of('events'), ' with times')),
    fact(
        'Relations', of('relations'),
        element('span', null, countValue('relations.implied', implied), ' follow from others')),
    fact('Edges between blocks', of('edges')),
    fact('Copies', of('copies'), element('span', null, of('copy_relations'), ' relations')),
    fact('Barriers', of('barriers'), element('span', null, of('waits'), counts.waits === 1 ? ' wait' : ' waits')),
  ];
}

function runFacts(recording) {
  return recording.raw.runs.map((run) => {
    const key = `runs.${run.name}.`;
    const kind = run.is_recorded ? 'recorded, ' + run.times : 'modelled';
    const more = run.speedup === null ?
        kind :
        element(
            'span', null, kind + ', ', value(key + 'speedup', run.speedup, ratio(run.speedup)),
            ' as fast as ' + recording.raw.runs.find((each) => !each.is_recorded).name);
    return fact(
        run.is_recorded ? 'As recorded' : run.name, value(key + 'time_us', run.time_us, time(run.time_us * 1000), 'µs'),
        more);
  });
}

function boundFact(recording) {
  const simulation = recording.raw.simulation;
  return simulation ? [fact(
                          'No run can be faster',
                          value('simulation.bound_us', simulation.bound_us, time(simulation.bound_us * 1000), 'µs'),
                          element(
                              'span', null, 'critical path ',
                              value(
                                  'simulation.critical_path_us', simulation.critical_path_us,
                                  time(simulation.critical_path_us * 1000), 'µs')))] :
                      [];
}

/** Relations by pattern: how many, how many are exact. */
function patterns(recording) {
  const form = recording.column('relations', 'form'), exact = recording.column('relations', 'exact');
  const implied = recording.column('relations', 'implied');
  const found = new Map();
  form.forEach((number, i) => {
    const {pattern, edges} = recording.raw.forms[number];
    if (!found.has(pattern)) found.set(pattern, {pattern, relations: 0, edges: 0, exact: 0, implied: 0});
    const row = found.get(pattern);
    row.relations++;
    row.edges += edges;
    row.exact += exact[i];
    row.implied += implied[i];
  });
  return Array.from(found.values()).sort((a, b) => b.relations - a.relations || (a.pattern < b.pattern ? -1 : 1));
}

const PATTERNS = {
  full: 'every block waits for every block: nothing overlaps',
  'n-to-n': 'every block waits for every block: nothing overlaps',
  '1-to-1': 'each block waits for one block of its own',
  overlapped: 'neighbouring blocks share producers',
};

function patternTable(recording) {
  const rows = patterns(recording);
  if (!rows.length) return element('p', {class: 'soft'}, 'No launch depends on another one.');
  const number = (name) => (i) => countValue(`patterns.${rows[i].pattern}.${name}`, rows[i][name]);
  const columns = [
    {
      title: 'Pattern',
      value: (i) => rows[i].pattern,
      show: (i) => element('span', {title: PATTERNS[rows[i].pattern]}, rows[i].pattern)
    },
    ...['relations', 'edges', 'exact', 'implied'].map((name) => ({
                                                        title: name[0].toUpperCase() + name.slice(1),
                                                        number: true,
                                                        value: (i) => rows[i][name],
                                                        show: number(name)
                                                      })),
  ];
  return new report.table.Table({name: 'Relations by pattern', columns, rows: rows.length}).element;
}

/** What a launch is called in tables of positions. */
function launchText(recording, launch, times) {
  const name = shortName(recording.kernelName(recording.kernelOf(launch)));
  return `${name}, launch ${count(launch)}${times > 1 ? ` and ${count(times - 1)} like it` : ''}`;
}

/** The strongest causes, each in a line. */
function causes(list) {
  const more = list.length > MOST_CAUSES ?
      element(
          'div', {class: 'soft', title: list.slice(MOST_CAUSES).map((cause) => cause.text).join('\n')},
          `and ${list.length - MOST_CAUSES} more`) :
      null;
  return element(
      'div', null,
      list.slice(0, MOST_CAUSES)
          .map((cause) => element('div', null, element('span', {class: 'tag'}, cause.what), ' ', cause.text)),
      more);
}

function lossBar(row, most) {
  const part = (ns, colour, title) =>
      element('i', {title, style: {width: Math.max(0, ns) / most * 100 + '%', background: `var(--${colour})`}});
  return element(
      'div', {class: 'bar'},
      part(row.regained_ns, 'kernel-1', 'regained by waiting for blocks: ' + time(row.regained_ns)),
      part(row.still_lost_ns, 'kernel-6', 'still lost: ' + time(row.still_lost_ns)));
}

function lossColumns(recording, rows) {
  const most = Math.max(1, ...rows.map((row) => row.lost_ns));
  const ns = (title, name) => (
      {title, number: true, value: (i) => rows[i][name], show: (i) => timeValue(`losses.${i}.${name}`, rows[i][name])});
  return [
    {
      title: 'Launch',
      kind: 'name',
      value: (i) => rows[i].launch,
      show: (i) => launchText(recording, rows[i].launch, rows[i].times)
    },
    {title: 'Why it waits', kind: 'wide', show: (i) => causes(rows[i].causes)},
    {
      ...ns('Lost', 'lost_ns'),
      show: (i) => element('div', null, timeValue(`losses.${i}.lost_ns`, rows[i].lost_ns), lossBar(rows[i], most))
    },
    ns('Regained by blocks', 'regained_ns'),
    ns('Still lost', 'still_lost_ns'),
    ns('Takes now', 'kernel_level_ns'),
  ];
}

function losses(recording) {
  const {losses: lost, simulation_problem: problem} = recording.raw;
  if (!lost) return [element('p', {class: 'soft'}, problem || 'This recording was not simulated.')];
  const {chart} = report;
  const out = [
    element(
        'p', null, 'Where each launch waits for whole launches before it (', element('code', null, lost.kernel_level),
        '), ', timeValue('losses.lost_ns', lost.lost_ns),
        ' go by without work that could be done. All times here are modelled by ', element('code', null, 'bm-sim'),
        ` for ${recording.raw.machine}.`),
    element(
        'div', {class: 'legend'},
        element('span', null, chart.swatch('kernel-1'), `regained where blocks wait for blocks (${lost.block_level})`),
        element('span', null, chart.swatch('kernel-6'), 'still lost')),
    new report.table
        .Table(
            {name: 'Where time is lost', columns: lossColumns(recording, lost.rows), rows: lost.rows.length, most: 12})
        .element,
  ];
  if (lost.left_out.positions)
    out.push(element(
        'p', {class: 'soft'}, plural(lost.left_out.positions, 'more place'), ' lose ',
        timeValue('losses.left_out.lost_ns', lost.left_out.lost_ns), ' together.'));
  return out;
}

function notExact(recording) {
  const exact = recording.column('relations', 'exact');
  const wide = exact.reduce((sum, each) => sum + (each ? 0 : 1), 0);
  return wide ?
      element(
          'p', null, countValue('relations.not_exact', wide),
          ' relations are larger than they need be: blocks wait for more than they use. The kernels below say which line is the cause.') :
      null;
}

function draw(panel, recording) {
  panel.append(
      element('h2', null, 'What was recorded'), element('dl', {class: 'facts'}, countFacts(recording)),
      element('h2', null, 'How long it takes'),
      element('dl', {class: 'facts'}, runFacts(recording), boundFact(recording)),
      element('h2', null, 'Where time is lost'), ...losses(recording), element('h2', null, 'What overlaps'),
      patternTable(recording));
  const wide = notExact(recording);
  if (wide) panel.append(wide);
  panel.append(element('h2', null, 'Kernels'), ...report.kernels.draw(recording));
}

report.overview = {
  id: 'overview',
  title: 'Overview',
  draw,
  launchText,
  causes
};
})(window.BlockMaestroReport);
