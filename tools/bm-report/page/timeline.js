// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timeline: the recorded run and simulated ones below each other, zoomed together. A block under the pointer is
// described, and the blocks that it waits for and that wait for it are marked in every run.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element, time} = report.format;
const TITLE = 24, BELOW = 10, AXIS = 22;
/** Runs whose times are farther apart than this begin with an axis each. */
const UNLIKE = 4;

let view = null;

/** The runs to begin with: as recorded, where whole launches wait, and where blocks do. */
function firstRuns(recording) {
  const {runs, losses} = recording.raw;
  const wanted = ['recorded', losses ? losses.kernel_level : 'baseline', losses ? losses.block_level : 'producer'];
  const found = runs.filter((run) => wanted.includes(run.name));
  return new Set((found.length ? found : runs.slice(0, 2)).map((run) => run.name));
}

function unlike(runs) {
  const lengths = runs.map((run) => run.time_ns);
  return Math.max(...lengths) > UNLIKE * Math.min(...lengths);
}

const shownRuns = () => view.recording.raw.runs.filter((run) => view.names.has(run.name));

function rowHeight(count) {
  return count === 1 ? 140 : Math.max(2, Math.min(14, Math.floor(240 / count)));
}

function makePanels() {
  return shownRuns().map((run) => {
    const rows = view.row === null ? Array.from({length: run.rows}, (_, i) => i) : [Math.min(view.row, run.rows - 1)];
    return new report.panel.Panel(view.recording, run, rows, rows.length * rowHeight(rows.length));
  });
}

/** Places the panels below each other and gives the chart that height. */
function layout() {
  view.panels = makePanels();
  let y = 4;
  for (const panel of view.panels) {
    panel.top = y + TITLE;
    y = panel.top + panel.total + BELOW + (view.common ? 0 : AXIS);
  }
  view.bottom = y;
  view.host.style.height = y + (view.common ? 62 : 40) + 'px';
}

function titleOf({run}) {
  const kind = run.is_recorded ? `recorded, ${run.times}` : 'modelled';
  const speedup = run.speedup ? `, ${report.format.ratio(run.speedup)}` : '';
  return `${run.name}: ${time(run.time_ns)}${speedup} {kind|${kind}}`;
}

/** The image of a panel, for the stretch of time that its axis shows. */
function renderPanel(panel) {
  return (parameters, api) => {
    const {x, y, width} = parameters.coordSys;
    const from = api.coord([0, 0])[0], perNs = (api.coord([panel.run.time_ns, 0])[0] - from) / panel.run.time_ns;
    const first = (x - from) / perNs;
    panel.left = x;
    const image = panel.picture(width, first, first + width / perNs);
    const children = [{type: 'image', silent: true, style: {image, x, y, width, height: panel.total}}];
    return {type: 'group', children: [...children, ...rowLabels(panel, x, y)]};
  };
}

function rowLabels(panel, x, y) {
  const height = panel.rowHeight, step = Math.max(1, Math.ceil(13 / height));
  const fill = report.chart.colour('soft'), top = y + panel.band + report.panel.GAP;
  const label = (text, at) => ({
    type: 'text',
    silent: true,
    style: {text, x: x - 6, y: at, fill, align: 'right', verticalAlign: 'middle', fontSize: 11}
  });
  return [
    label('launches', y + panel.band / 2),
    ...panel.rows.filter((_, k) => k % step === 0)
        .map((row, k) => label(`${panel.run.row_name} ${panel.spans.ids[row]}`, top + (k * step + 0.5) * height))
  ];
}

function axes(panels, lengths) {
  const {colour} = report.chart;
  const last = panels.length - 1;
  const label = {
    color: colour('soft'),
    formatter: (ns) => time(ns),
    hideOverlap: true,
    alignMaxLabel: 'right',
    alignMinLabel: 'left'
  };
  return panels.map((panel, i) => ({
                      type: 'value',
                      gridIndex: i,
                      min: 0,
                      max: lengths[i],
                      axisLabel: {...label, show: i === last || !view.common},
                      axisTick: {show: false},
                      axisLine: {show: false},
                      splitNumber: view.host.clientWidth < 600 ? 3 : 8,
                      splitLine: {show: false},
                    }));
}

function options() {
  layout();
  const {panels} = view, {colour, text} = report.chart;
  const longest = Math.max(...panels.map((panel) => panel.run.time_ns));
  const lengths = panels.map((panel) => view.common ? longest : panel.run.time_ns);
  const gutter = 66, every = panels.map((_, i) => i);
  return {
    textStyle: text(),
    animation: false,
    title: panels.map((panel) => ({
                        text: titleOf(panel),
                        left: 4,
                        top: panel.top - TITLE,
                        textStyle: {
                          color: colour('ink'),
                          fontSize: 13,
                          rich: {kind: {color: colour('soft'), fontSize: 12, padding: [0, 0, 0, 6]}}
                        }
                      })),
    grid: panels.map((panel) => ({
                       left: gutter,
                       right: 14,
                       top: panel.top,
                       height: panel.total,
                       containLabel: false,
                       outerBoundsMode: 'none'
                     })),
    xAxis: axes(panels, lengths),
    yAxis: panels.map((panel, i) => ({type: 'value', gridIndex: i, min: 0, max: 1, show: false})),
    dataZoom: [
      {
        id: 'inside',
        type: 'inside',
        xAxisIndex: every,
        filterMode: 'none',
        zoomOnMouseWheel: 'ctrl',
        moveOnMouseWheel: 'shift',
        minSpan: 0,
        ...view.zoom
      },
      {
        id: 'slider',
        type: 'slider',
        xAxisIndex: every,
        filterMode: 'none',
        left: gutter,
        right: 14,
        bottom: 6,
        height: 22,
        showDataShadow: false,
        brushSelect: false,
        showDetail: false,
        minSpan: 0,
        borderColor: colour('line'),
        ...view.zoom
      },
    ],
    series: panels.map((panel, i) => ({
                         type: 'custom',
                         xAxisIndex: i,
                         yAxisIndex: i,
                         renderItem: renderPanel(panel),
                         clip: false,
                         silent: true,
                         data: [[0, 0]],
                         encode: {x: 0, y: 1}
                       })),
  };
}

function zoomTo(start, end) {
  view.zoom = {start: Math.max(0, start), end: Math.min(100, end)};
  view.entry.chart.dispatchAction({type: 'dataZoom', ...view.zoom});
}

/** Zooms by \p factor around the middle, or moves by \p share of what is in view. */
function zoomBy(factor, share) {
  const {start, end} = view.zoom, middle = (start + end) / 2, half = (end - start) / 2 * factor;
  let from = middle - half + share * (end - start), to = middle + half + share * (end - start);
  if (from < 0) [from, to] = [0, to - from];
  if (to > 100) [from, to] = [Math.max(0, from - (to - 100)), 100];
  zoomTo(from, to);
}

/** Brings a block into view, as the lowest run that has it ran it. */
function zoomToBlock(launch, block) {
  for (const panel of view.panels.slice().reverse()) {
    const {blocks} = panel.spans, i = blocks ? report.spans.find(blocks, launch, block) : -1;
    if (i < 0) continue;
    const length = view.common ? Math.max(...view.panels.map((each) => each.run.time_ns)) : panel.run.time_ns;
    const around = Math.max(1, blocks.length[i]) * 2.5;
    zoomTo((blocks.start[i] - around) / length * 100, (blocks.end[i] + around) / length * 100);
    return;
  }
}

/** What is under a point of the chart, with its panel. */
function under(x, y) {
  const panel = view.panels.find((each) => y >= each.top && y < each.top + each.total);
  if (!panel || panel.left === undefined || x < panel.left || x > panel.left + panel.view.width) return null;
  const found = panel.at(x - panel.left, y - panel.top);
  return found && {panel, ...found};
}

function onMove(event) {
  const found = under(event.offsetX, event.offsetY);
  const key = found ? `${found.panel.run.name}:${found.launch}:${found.block}` : '';
  if (key !== view.pointed) {
    view.pointed = key;
    report.pointing.unmark(view);
    view.described = found ? report.pointing.point(view, found) : null;
  }
  if (!found)
    report.tip.hide();
  else
    report.tip.show(event.event.clientX, event.event.clientY, view.described);
}

function onLeave() {
  view.pointed = '';
  report.pointing.unmark(view);
  report.tip.hide();
}

function onClick(event) {
  const found = under(event.offsetX, event.offsetY);
  if (found) view.detail.replaceChildren(report.pointing.point(view, found));
}

function attach(chart) {
  const zr = chart.getZr();
  zr.on('mousemove', onMove);
  zr.on('globalout', onLeave);
  zr.on('click', onClick);
  chart.on('dataZoom', () => {
    const {start, end} = chart.getOption().dataZoom[0];
    view.zoom = {start, end};
    onLeave();
  });
}

function setCommon(common) {
  view.common = common;
  document.querySelector('[name=common]').checked = common;
}

function runTools() {
  return view.recording.raw.runs.map(
      (run) => element(
          'label', {title: run.what}, element('input', {
            type: 'checkbox',
            name: 'run',
            value: run.name,
            checked: view.names.has(run.name),
            onchange: (event) => {
              if (event.target.checked)
                view.names.add(run.name);
              else
                view.names.delete(run.name);
              if (!view.names.size) view.names.add(run.name), event.target.checked = true;
              if (!view.axisChosen) setCommon(!unlike(shownRuns()));
              redraw();
            }
          }),
          ' ', run.name));
}

function redraw() {
  onLeave();
  layout();
  view.entry.chart.resize();
  view.entry.draw();
}

function rowTool() {
  const most = Math.max(...view.recording.raw.runs.map((run) => run.rows));
  return element(
      'label', null, 'Rows ',
      element(
          'select', {
            name: 'row',
            onchange: (event) => {
              view.row = event.target.value === '' ? null : Number(event.target.value);
              redraw();
            }
          },
          element('option', {value: ''}, 'all'),
          Array.from({length: most}, (_, i) => element('option', {value: i}, `only ${i}`))));
}

function blockTool() {
  const number = (name, most) =>
      element('input', {type: 'number', name, min: 0, max: most, value: 0, 'aria-label': name});
  const {recording} = view, launch = number('launch', recording.launches - 1), block = number('block', 1e9);
  const go = () => {
    const l = Math.min(Number(launch.value), recording.launches - 1),
          b = Math.min(Number(block.value), recording.blocksOf(l) - 1);
    for (const panel of view.panels.slice().reverse()) {
      const i = panel.spans.blocks ? report.spans.find(panel.spans.blocks, l, b) : -1;
      if (i < 0) continue;
      zoomToBlock(l, b);
      view.detail.replaceChildren(report.pointing.point(view, {panel, launch: l, block: b, number: i}));
      return;
    }
    view.detail.replaceChildren(`No run here has the times of block ${b} of launch ${l}.`);
  };
  return element(
      'span', {class: 'group'}, 'Launch ', launch, ' block ', block,
      element('button', {type: 'button', name: 'go', onclick: go}, 'Show'));
}

function zoomTools() {
  const button = (text, label, act) =>
      element('button', {type: 'button', 'aria-label': label, title: label, onclick: act}, text);
  return element(
      'span', {class: 'group'}, button('+', 'Nearer', () => zoomBy(0.4, 0)),
      button('−', 'Farther', () => zoomBy(2.5, 0)), button('←', 'Earlier', () => zoomBy(1, -0.4)),
      button('→', 'Later', () => zoomBy(1, 0.4)), button('All', 'The whole run', () => zoomTo(0, 100)));
}

function onKey(event) {
  const act = {'+': [0.4, 0], '-': [2.5, 0], ArrowLeft: [1, -0.2], ArrowRight: [1, 0.2]}[event.key];
  if (!act) return;
  event.preventDefault();
  zoomBy(...act);
}

function durations(recording) {
  const simulation = recording.raw.simulation;
  const recorded = recording.raw.runs.find((run) => run.is_recorded);
  const simulated = simulation ?
      `Simulated runs are for ${recording.raw.machine}; how long their blocks take is ${
          simulation.durations === 'events' ? 'as recorded' : 'modelled from what the blocks did'}.` :
      '';
  return `${recorded ? `The recorded run is as measured on ${recording.raw.device}.` : 'No times were recorded.'} ${
      simulated}`;
}

function listed(recording) {
  const some = recording.raw.runs.filter((run) => run.blocks && run.blocks.launches < recording.launches);
  if (!some.length) return null;
  const {first_launch: first, launches} = some[0].blocks;
  return element(
      'p', {class: 'soft'},
      `Single blocks are here for launches ${first} to ${
          first + launches - 1}; of the others, how many ran at a time.`);
}

function draw(panel, recording) {
  panel.append(element('h2', null, 'Timeline'));
  if (!recording.raw.runs.length) {
    panel.append(element(
        'p', {class: 'soft'},
        recording.raw.simulation_problem || 'There are no times: none were recorded, and nothing was simulated.'));
    return;
  }
  const host = element('div', {
    class: 'chart',
    tabindex: 0,
    role: 'img',
    'aria-label': 'Timeline of the runs; plus, minus and arrow keys zoom and move',
    onkeydown: onKey
  });
  const detail = element(
      'div', {class: 'card', 'aria-live': 'polite'},
      element('span', {class: 'soft'}, 'Click a block, or name one above, to keep what it waits for here.'));
  view = {
    recording,
    host,
    detail,
    names: firstRuns(recording),
    row: null,
    axisChosen: false,
    zoom: {start: 0, end: 100},
    marks: null,
    pointed: ''
  };
  view.common = !unlike(shownRuns());
  const common = element('input', {
    type: 'checkbox',
    name: 'common',
    checked: view.common,
    onchange: (event) => {
      view.axisChosen = true;
      view.common = event.target.checked;
      redraw();
    }
  });
  panel.append(
      element('p', null, durations(recording)), element('div', {class: 'tools'}, runTools()),
      element(
          'div', {class: 'tools'}, zoomTools(), element('label', null, common, ' One time axis for all'), rowTool(),
          blockTool()),
      report.chart.kernelLegend(recording), host,
      element('p', {class: 'soft'}, 'Drag to move; Ctrl and the wheel, or two fingers, zoom.'), detail);
  const note = listed(recording);
  if (note) panel.append(note);
  layout();
  view.entry = report.chart.mount(host, options, attach);
}

/** For those who drive the page by program: where in the window a block is in the run \p name, or null. */
function locate(name, launch, block) {
  const panel = view.panels.find((each) => each.run.name === name);
  const i = panel && panel.spans.blocks && panel.view ? report.spans.find(panel.spans.blocks, launch, block) : -1;
  if (i === undefined || i < 0) return null;
  const box = panel.box(i), at = view.host.getBoundingClientRect();
  return box && {
    x: at.left + panel.left + box.x + box.width / 2,
    y: at.top + panel.top + panel.band + report.panel.GAP + box.y + box.height / 2,
    shown: panel.shown,
    marks: view.marks ? view.marks.childCount() : 0
  };
}

report.timeline = {
  id: 'timeline',
  title: 'Timeline',
  draw,
  locate,
  zoomToBlock
};
})(window.BlockMaestroReport);
