// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One relation drawn on the grids of its two launches: the block under the pointer, and the blocks on the other side that
// it waits for or that wait for it.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element, value, countValue, plural, shortName, hazards, place} = report.format;
const MOST_WIDE = 460, MOST_HIGH = 360, LINE = 64;

/** How the blocks of a grid lie in a picture: planes of z below each other; a long row in lines. */
function arrangement(grid) {
  const total = report.form.size(grid);
  const columns =
      grid[1] === 1 && grid[2] === 1 && grid[0] > LINE ? Math.max(LINE, Math.ceil(Math.sqrt(total))) : grid[0];
  const lines = Math.ceil(total / columns);
  const cell = Math.max(1, Math.min(22, Math.floor(Math.min(MOST_WIDE / columns, Math.max(MOST_HIGH / lines, 2)))));
  return {total, columns, lines: Math.min(lines, Math.floor(4000 / cell)), cell, wrapped: columns !== grid[0]};
}

/** One of the two pictures. `mark(own, others)` colours a block and a set of blocks. */
class Grid {
  constructor(title, grid, point) {
    Object.assign(this, {grid, point}, arrangement(grid));
    this.canvas = element('canvas', {
      width: this.columns * this.cell * 2,
      height: this.lines * this.cell * 2,
      tabindex: 0,
      role: 'img',
      'aria-label': `${title}; arrow keys go from block to block`,
      style: {width: this.columns * this.cell + 'px'}
    });
    const note = this.wrapped ? `, in lines of ${this.columns}` : grid[2] > 1 ? ', z by z' : '';
    this.element = element(
        'figure', null, element('figcaption', null, `${title}, ${report.form.gridName(grid)} blocks${note}`),
        this.canvas);
    this.canvas.addEventListener('pointermove', (event) => this.onPointer(event));
    this.canvas.addEventListener('pointerdown', (event) => this.onPointer(event));
    this.canvas.addEventListener('keydown', (event) => this.onKey(event));
    this.own = 0;
  }

  onPointer(event) {
    const scale = this.columns * this.cell / this.canvas.clientWidth;
    const x = Math.floor(event.offsetX * scale / this.cell), y = Math.floor(event.offsetY * scale / this.cell);
    const block = y * this.columns + x;
    if (x >= 0 && x < this.columns && block >= 0 && block < this.total && block !== this.last)
      this.point(this.last = block);
  }

  onKey(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns}[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.own = Math.max(0, Math.min(this.total - 1, this.own + step));
    this.point(this.own);
  }

  mark(own, others, colour) {
    if (own !== null) this.own = own;
    const pen = this.canvas.getContext('2d'), side = this.cell * 2, gap = side > 5 ? 1 : 0;
    const fill = (block, name) => {
      pen.fillStyle = report.chart.colour(name);
      pen.fillRect(block % this.columns * side, Math.floor(block / this.columns) * side, side - gap, side - gap);
    };
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.fillStyle = report.chart.colour('line');
    const drawn = Math.min(this.total, this.columns * this.lines);
    for (let b = 0; b < drawn; b++)
      pen.fillRect(b % this.columns * side, Math.floor(b / this.columns) * side, side - gap, side - gap);
    pen.fillStyle = report.chart.colour(colour);
    for (const b of others || [])
      pen.fillRect(b % this.columns * side, Math.floor(b / this.columns) * side, side - gap, side - gap);
    if (own !== null) fill(own, 'ink');
  }
}

function launchTitle(recording, role, launch) {
  return `${role}: launch ${launch}, ${shortName(recording.kernelName(recording.kernelOf(launch)))}`;
}

/** The numbers of the relation, and how its blocks wait. */
function facts(relation) {
  const {form, reason} = relation;
  return [
    element(
        'p', null,
        element('strong', null, `Launch ${relation.consumer} waits for launch ${relation.producer}: ${form.pattern}`),
        ', ', countValue('relation.edges', form.edges),
        ` edges, ${hazards(relation.hazards)}, ${relation.exact ? 'exact' : 'not exact'}`,
        relation.implied ? ', follows from others' : '', ', ',
        value('relation.bytes', form.bytes, plural(form.bytes, 'byte'), 'bytes')),
    form.pieces.length ?
        element(
            'ul', null,
            form.pieces.map(
                (piece) => element('li', null, hazards(piece.hazards), ' ', element('code', null, piece.formula)))) :
        null,
    reason ? element(
                 'p', {class: 'bad'}, place(reason.location) ? element('code', null, place(reason.location) + ' ') : '',
                 reason.text, reason.advice ? `. To mend it: ${reason.advice}` : '') :
             null,
  ];
}

function sentence(form, side, block, others) {
  const [own, other] =
      side === 'consumer' ? [form.consumer_grid, form.producer_grid] : [form.producer_grid, form.consumer_grid];
  const what = side === 'consumer' ? ' waits for ' : ' is needed by ';
  if (!others) return [`Which blocks block ${report.form.name(own, block)}${what} is not listed here.`];
  const names = others.slice(0, 12).map((b) => report.form.name(other, b)).join(' ');
  return [
    `Block ${report.form.name(own, block)} of the ${side}${what}`, countValue('relation.blocks', others.length),
    ` ${others.length === 1 ? 'block' : 'blocks'}${others.length ? ': ' : ''}${names}${others.length > 12 ? ' …' : ''}`
  ];
}

/** Shows the relation of number \p number in \p host. */
function draw(host, recording, number) {
  const relation = recording.relation(number), {form} = relation;
  const said = element('p', {'aria-live': 'polite', 'data-said': ''});
  let again = null;
  const show = (side, block) => {
    const others = side === 'consumer' ? report.form.producersOf(form, block) : report.form.consumersOf(form, block);
    const own = side === 'consumer' ? consumers : producers, other = side === 'consumer' ? producers : consumers;
    own.mark(block, null, 'ink');
    other.mark(null, others, side === 'consumer' ? 'producer' : 'consumer');
    said.replaceChildren(...sentence(form, side, block, others));
    again = () => show(side, block);
  };
  const producers = new Grid(
      launchTitle(recording, 'Producer', relation.producer), form.producer_grid, (block) => show('producer', block));
  const consumers = new Grid(
      launchTitle(recording, 'Consumer', relation.consumer), form.consumer_grid, (block) => show('consumer', block));
  host.replaceChildren(element(
      'div', {class: 'card', 'data-relation': number}, facts(relation), said,
      element(
          'div', {class: 'legend'}, element('span', null, report.chart.swatch('ink'), 'the block pointed at'),
          element('span', null, report.chart.swatch('producer'), 'what it waits for'),
          element('span', null, report.chart.swatch('consumer'), 'what waits for it')),
      element('div', {class: 'grids'}, producers.element, consumers.element)));
  const middle = form.consumer_grid.map((each) => Math.floor(each / 2));
  show('consumer', report.form.number(form.consumer_grid, middle));
  report.chart.onColours(host.firstChild, () => again());
}

report.relation = {draw};
})(window.BlockMaestroReport);
