// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Charts of ECharts: they take the colours of the page, are drawn anew when these change, and fit their element.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const KERNEL_COLOURS = 7;
const charts = new Set();

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

/** Which colour each kernel has: the seven that take longest have one of their own. */
function kernelColours(recording) {
  const weight = (kernel) => kernel.modelled_ns || kernel.ns || kernel.blocks;
  const order = recording.raw.kernels.map((kernel, i) => i)
                    .sort((a, b) => weight(recording.raw.kernels[b]) - weight(recording.raw.kernels[a]) || a - b);
  const names = [];
  order.forEach((kernel, i) => names[kernel] = i < KERNEL_COLOURS ? `kernel-${i}` : 'kernel-rest');
  return names;
}

function swatch(name, ring) {
  const style = ring ? {borderColor: `var(--${name})`} : {background: `var(--${name})`};
  return report.format.element('i', {class: ring ? 'swatch ring' : 'swatch', style});
}

/** What the colours of kernels are, as elements. */
function kernelLegend(recording) {
  const {element, shortName} = report.format;
  const names = kernelColours(recording);
  const shown = names.map((name, kernel) => ({name, kernel})).filter(({name}) => name !== 'kernel-rest');
  const parts = shown.map(
      ({name, kernel}) => element(
          'span', {title: recording.kernelName(kernel)}, swatch(name), shortName(recording.kernelName(kernel))));
  if (shown.length < names.length)
    parts.push(element('span', null, swatch('kernel-rest'), `${names.length - shown.length} others`));
  return element('div', {class: 'legend'}, parts);
}

/** A chart in \p host, whose options \p options() makes, again for every change of colours or of width.
   *  `ready(chart)` is called when the chart is there. */
function mount(host, options, ready) {
  const chart = echarts.init(host, null, {renderer: 'canvas'});
  const entry = {host, chart, draw: () => chart.setOption(options(), {notMerge: true})};
  let width = host.clientWidth;
  entry.observer = new ResizeObserver(() => {
    if (!host.clientWidth || (host.clientWidth === width && host.clientHeight === chart.getHeight())) return;
    width = host.clientWidth;
    chart.resize();
    entry.draw();
  });
  charts.add(entry);
  entry.draw();
  entry.observer.observe(host);
  if (ready) ready(chart);
  return entry;
}

function unmount(entry) {
  entry.observer.disconnect();
  entry.chart.dispose();
  charts.delete(entry);
}

/** Ends the charts whose elements have left the page. */
function sweep() {
  for (const entry of charts)
    if (!entry.host.isConnected) unmount(entry);
}

const repaints = new Map();

/** Calls \p repaint for each change of colours as long as \p host is in the page. */
function onColours(host, repaint) {
  repaints.set(host, repaint);
}

function recolour() {
  sweep();
  for (const entry of charts) entry.draw();
  for (const [host, repaint] of repaints)
    if (host.isConnected)
      repaint();
    else
      repaints.delete(host);
}

const text = () => ({color: colour('ink'), fontFamily: getComputedStyle(document.body).fontFamily});

report.chart = {
  colour,
  kernelColours,
  kernelLegend,
  swatch,
  mount,
  unmount,
  sweep,
  onColours,
  recolour,
  text
};
})(window.BlockMaestroReport);
