// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of the timeline as a picture: the launches on top, then a row for each SM or worker. Zoomed out the rows show
// how much ran; nearer every block is drawn, and its coordinates where they fit. The picture is an image in a custom
// series of ECharts, drawn for the stretch of time that is in view.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

/** More blocks than this in view are drawn as load. */
const MOST_BLOCKS = 30000;
const LAUNCH_HEIGHT = 9, GAP = 6;

class Panel {
  /** \p rows: the numbers of the rows to show, \p height: of all of them, in pixels. */
  constructor(recording, run, rows, height) {
    Object.assign(this, {recording, run, rows, height, spans: report.spans.of(recording, run)});
    this.band = this.spans.launches.lanes * LAUNCH_HEIGHT;
    this.total = this.band + GAP + height;
    this.names = report.chart.kernelColours(recording);
    this.shown = 'load';
  }

  colours() {
    const used = [...new Set(this.names), 'idle', 'soft'];
    const of = Object.fromEntries(used.map((name) => [name, report.chart.colour(name)]));
    return {of, kernel: this.names.map((name) => of[name])};
  }

  /** The picture of the time from \p from to \p to, \p width pixels wide. */
  picture(width, from, to) {
    const scale = window.devicePixelRatio || 1;
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.round(this.total * scale);
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    this.view = {width, from, to, perNs: width / (to - from)};
    const colours = this.colours();
    this.drawLaunches(pen, colours);
    pen.translate(0, this.band + GAP);
    this.drawRows(pen, colours);
    return canvas;
  }

  x(time) {
    return (time - this.view.from) * this.view.perNs;
  }
  get rowHeight() {
    return this.height / this.rows.length;
  }

  drawLaunches(pen, colours) {
    const {ordered, start, end, lane} = this.spans.launches, {from, to} = this.view;
    const drawn = new Float64Array(this.spans.launches.lanes).fill(-1);
    ordered.each(from, to, (i) => {
      const x = Math.max(-2, this.x(start[i])), right = Math.min(this.view.width + 2, this.x(end[i]));
      if (right < drawn[lane[i]]) return;
      const wide = Math.max(1, right - x - (right - x > 3 ? 1 : 0));
      pen.fillStyle = colours.kernel[this.recording.kernelOf(i)];
      pen.fillRect(x, lane[i] * LAUNCH_HEIGHT, wide, LAUNCH_HEIGHT - 1);
      drawn[lane[i]] = x + 0.5;
    });
  }

  drawRows(pen, colours) {
    const {blocks} = this.spans, {from, to} = this.view, height = this.rowHeight;
    pen.fillStyle = colours.of.idle;
    this.rows.forEach((row, k) => pen.fillRect(0, k * height, this.view.width, height > 3 ? height - 1 : height));
    const listed = blocks ?
        this.rows.reduce((sum, row) => sum + (blocks.rows[row] ? blocks.rows[row].atMost(from, to) : 0), 0) :
        0;
    const near = blocks !== null && listed <= MOST_BLOCKS;
    this.shown = near && from < blocks.until && to > blocks.from ? 'blocks' : 'load';
    if (!near)
      this.drawLoad(pen, colours, from, to);
    else {
      this.drawLoad(pen, colours, from, Math.min(to, blocks.from));
      this.drawLoad(pen, colours, Math.max(from, blocks.until), to);
      this.drawBlocks(pen, colours);
    }
  }

  /** The load from \p from to \p to, pixel by pixel; neighbours that are alike are one stroke. */
  drawLoad(pen, colours, from, to) {
    const first = Math.max(0, Math.floor(this.x(from))), last = Math.min(this.view.width, Math.ceil(this.x(to)));
    if (!this.spans.load || last <= first) return;
    pen.fillStyle = colours.of.soft;
    this.rows.forEach((row, k) => {
      let begin = first, before = this.shareAt(row, first);
      for (let x = first + 1; x <= last; x++) {
        const share = x < last ? this.shareAt(row, x) : -1;
        if (share === before) continue;
        this.fillLoad(pen, before, k, begin, x);
        [begin, before] = [x, share];
      }
    });
    pen.globalAlpha = 1;
  }

  /** How full \p row is on average over the time of the pixel at \p x, in 32 steps. */
  shareAt(row, x) {
    const time = this.view.from + x / this.view.perNs;
    return Math.ceil(this.spans.load.average(row, time, time + 1 / this.view.perNs) * 32) / 32;
  }

  fillLoad(pen, share, k, from, to) {
    if (!share) return;
    const height = this.rowHeight;
    pen.globalAlpha = 0.12 + 0.83 * share;
    pen.fillRect(from, k * height, to - from, height > 3 ? height - 1 : height);
  }

  /** Where the block of number \p i in the spans is in the picture; null where its row is not shown. */
  box(i) {
    const {blocks} = this.spans, k = this.rows.indexOf(blocks.row[i]);
    if (k < 0) return null;
    const lane = (this.rowHeight > 3 ? this.rowHeight - 1 : this.rowHeight) / blocks.share[i];
    const x = this.x(blocks.start[i]), width = Math.max(0.4, blocks.length[i] * this.view.perNs);
    return {x, width, y: k * this.rowHeight + blocks.lane[i] * lane, height: lane};
  }

  drawBlocks(pen, colours) {
    const {blocks} = this.spans, {from, to} = this.view;
    for (const row of this.rows) {
      if (!blocks.rows[row]) continue;
      blocks.rows[row].each(from, to, (i) => this.drawBlock(pen, colours, i));
    }
  }

  drawBlock(pen, colours, i) {
    const {x, y, width, height} = this.box(i), launch = this.spans.blocks.owner[i];
    pen.fillStyle = colours.kernel[this.recording.kernelOf(launch)];
    pen.fillRect(x, y, width > 4 ? width - 1 : width, height > 4 ? height - 1 : height);
    if (height < 12 || width < 44) return;
    const left = Math.max(x, 0), right = Math.min(x + width, this.view.width);
    if (right - left < 44) return;
    pen.fillStyle = '#fff';
    pen.font = '11px sans-serif';
    pen.textBaseline = 'middle';
    const name =
        report.form.name(this.recording.gridOf(launch), i - this.spans.blocks.begin[launch - this.spans.blocks.first]);
    pen.strokeStyle = 'rgb(0 0 0 / 65%)';
    pen.lineWidth = 2.5;
    pen.strokeText(name, left + 4, y + height / 2, right - left - 8);
    pen.fillText(name, left + 4, y + height / 2, right - left - 8);
  }

  /** What is at a point of the picture: { launch, block } or { launch }, or null. */
  at(x, y) {
    if (!this.view) return null;
    const time = this.view.from + x / this.view.perNs;
    return y < this.band ? this.launchAt(time, Math.floor(y / LAUNCH_HEIGHT)) : this.blockAt(time, y - this.band - GAP);
  }

  launchAt(time, lane) {
    const {ordered, lane: lanes} = this.spans.launches;
    const slack = 2 / this.view.perNs;
    let found = null;
    ordered.each(time - slack, time + slack, (i) => {
      if (lanes[i] === lane) found = {launch: i};
    });
    return found;
  }

  blockAt(time, y) {
    const {blocks} = this.spans, k = Math.floor(y / this.rowHeight);
    if (!blocks || this.shown !== 'blocks' || k < 0 || k >= this.rows.length || !blocks.rows[this.rows[k]]) return null;
    let found = -1, distance = Infinity;
    blocks.rows[this.rows[k]].each(time, time, (i) => {
      const box = this.box(i), away = Math.abs(box.y + box.height / 2 - y);
      if (away < distance) [found, distance] = [i, away];
    });
    if (found < 0) return null;
    const launch = blocks.owner[found];
    return {launch, block: found - blocks.begin[launch - blocks.first], number: found};
  }
}

report.panel = {
  Panel,
  LAUNCH_HEIGHT,
  GAP
};
})(window.BlockMaestroReport);
