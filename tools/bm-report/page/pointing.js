// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the timeline says of a launch or block that is pointed at, and the marks of the blocks that it meets. `view` is the
// timeline's state: `recording`, `panels`, `entry` (its chart) and `marks`, which are these functions' own.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element, timeValue, countValue, shortName} = report.format;
const MOST_MARKED = 3000;

/** What block \p block of a launch waits for (\p into), or what waits for it: [{ launch, blocks }]. */
function neighbours(view, launch, block, into) {
  const {recording} = view;
  const numbers = into ? recording.relationsInto(launch) : recording.relationsOutOf(launch);
  return Array.from(numbers, (number) => recording.relation(number))
      .map((relation) => ({
             launch: into ? relation.producer : relation.consumer,
             implied: relation.implied,
             blocks: into ? report.form.producersOf(relation.form, block) :
                            report.form.consumersOf(relation.form, block),
           }))
      .filter((each) => each.blocks === null || each.blocks.length);
}

function rectangle(panel, i, fill, ink, width) {
  const box = panel.box(i);
  if (!box || box.x + box.width < 0 || box.x > panel.view.width) return null;
  const left = Math.max(0, box.x), right = Math.min(panel.view.width, box.x + box.width);
  return new echarts.graphic.Rect({
    silent: true,
    z: 100,
    style: {fill: width > 2 ? 'none' : fill, stroke: ink, lineWidth: box.height < 5 && width < 2 ? 0 : width},
    shape: {
      x: panel.left + left,
      y: panel.top + panel.band + report.panel.GAP + box.y,
      width: Math.max(2, right - left),
      height: Math.max(2, box.height)
    }
  });
}

function unmark(view) {
  if (view.marks) view.entry.chart.getZr().remove(view.marks);
  view.marks = null;
}

/** Marks a block and its neighbours in every run that has their times. */
function mark(view, launch, block, producers, consumers) {
  unmark(view);
  const group = new echarts.graphic.Group({silent: true});
  const add = (panel, list, colour) => {
    for (const each of list)
      for (const other of (each.blocks || []).slice(0, MOST_MARKED)) addBlock(panel, each.launch, other, colour, 1);
  };
  const addBlock = (panel, l, b, colour, width) => {
    const i = report.spans.find(panel.spans.blocks, l, b);
    const box = i < 0 ? null : rectangle(panel, i, report.chart.colour(colour), report.chart.colour('ink'), width);
    if (box) group.add(box);
  };
  for (const panel of view.panels.filter((each) => each.spans.blocks && each.shown === 'blocks')) {
    add(panel, producers, 'producer');
    add(panel, consumers, 'consumer');
    addBlock(panel, launch, block, 'ink', 3);
  }
  view.marks = group;
  view.entry.chart.getZr().add(group);
}

function neighbourList(view, key, list) {
  const {recording} = view;
  const direct = list.filter((each) => !each.implied);
  const total = direct.reduce((sum, each) => sum + (each.blocks ? each.blocks.length : 0), 0);
  const names = direct.map((each) => {
    const grid = recording.gridOf(each.launch);
    if (!each.blocks) return `launch ${each.launch} (blocks not listed)`;
    const shown = each.blocks.slice(0, 8).map((b) => report.form.name(grid, b)).join(' ');
    return `launch ${each.launch}: ${shown}${each.blocks.length > 8 ? ` and ${each.blocks.length - 8} more` : ''}`;
  });
  return [countValue(key, total), ` blocks${names.length ? ': ' : ''}`, names.join('; ')];
}

function describe(view, panel, launch, block, number, producers, consumers) {
  const {recording} = view, {blocks, ids} = panel.spans, {run} = panel;
  const kernel = recording.kernelName(recording.kernelOf(launch));
  return element(
      'div', {'data-block': `${launch}:${block}`},
      element(
          'strong', null,
          `Block ${report.form.name(recording.gridOf(launch), block)} of launch ${launch}, ${shortName(kernel)}`),
      element(
          'div', null, `${run.name}: ${run.row_name} ${ids[blocks.row[number]]}, from `,
          timeValue('block.start_ns', blocks.start[number]), ' for ', timeValue('block.ns', blocks.length[number]),
          run.times === 'measured' ? ', measured' : ', modelled'),
      element(
          'div', null, report.chart.swatch('producer', true), 'waits for ',
          neighbourList(view, 'block.producers', producers)),
      element(
          'div', null, report.chart.swatch('consumer', true), 'needed by ',
          neighbourList(view, 'block.consumers', consumers)));
}

function describeLaunch(view, panel, launch) {
  const {recording} = view, {launches} = panel.spans;
  return element(
      'div', {'data-launch': launch},
      element('strong', null, `Launch ${launch}, ${shortName(recording.kernelName(recording.kernelOf(launch)))}`),
      element(
          'div', null, `${panel.run.name}: ${report.form.gridName(recording.gridOf(launch))} blocks, from `,
          timeValue('launch.start_ns', launches.start[launch]), ' for ',
          timeValue('launch.ns', launches.end[launch] - launches.start[launch])));
}

/** Describes what was found under the pointer, and marks what a block meets. */
function point(view, found) {
  const {panel, launch, block, number} = found;
  if (block === undefined) return describeLaunch(view, panel, launch);
  const producers = neighbours(view, launch, block, true), consumers = neighbours(view, launch, block, false);
  mark(view, launch, block, producers, consumers);
  return describe(view, panel, launch, block, number, producers, consumers);
}

report.pointing = {
  point,
  unmark
};
})(window.BlockMaestroReport);
