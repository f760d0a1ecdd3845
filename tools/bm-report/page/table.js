// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables whose columns sort. A long one has elements only for the rows in view, so that 100,000 rows open at once.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element} = report.format;
const LONG = 60, ROW_HEIGHT = 30, BEYOND = 20;

function compare(a, b) {
  return typeof a === 'string' ? a.localeCompare(b) : (a === null ? -Infinity : a) - (b === null ? -Infinity : b);
}

function head(columns, sort) {
  const cells = columns.map((column) => {
    const title =
        column.value ? element('button', {type: 'button', onclick: () => sort(column)}, column.title) : column.title;
    return element('th', {scope: 'col', class: column.number ? 'number' : null}, title);
  });
  return {cells, row: element('thead', null, element('tr', null, cells))};
}

function spacer(rows, columns) {
  return element(
      'tr', {class: 'spacer', 'aria-hidden': 'true'},
      element('td', {colspan: columns, style: {height: rows * ROW_HEIGHT + 'px'}}));
}

class Table {
  /** \p columns: `title`, `show(row)` (text or element), `value(row)` to sort by, `number`, `kind` (a class of CSS).
     *  `choose(row)` is called for a row that is clicked, or has Enter pressed on it. Rows of several lines are not for
     *  long tables: with `most` that many are there until all are asked for. */
  constructor({name, columns, rows, choose, most}) {
    Object.assign(this, {columns, choose, chosen: -1, sorted: null, falling: false, rows, most: most || Infinity});
    this.order = Array.from({length: rows}, (_, i) => i);
    this.long = rows > LONG && !most;
    const {cells, row} = head(columns, (column) => this.sort(column));
    this.cells = cells;
    this.body = element('tbody');
    this.table = element(
        'table', {class: this.long ? 'fixed' : null, 'aria-label': name, 'aria-rowcount': rows}, row, this.body);
    this.element =
        element('div', {class: this.long ? 'scroll long' : 'scroll', tabindex: this.long ? 0 : null}, this.table);
    this.first = -1;
    if (this.long) this.element.addEventListener('scroll', () => this.draw(), {passive: true});
    this.draw();
  }

  rowElement(row) {
    const cells = this.columns.map(
        (column) => element(
            'td', {class: [column.number ? 'number' : '', column.kind || ''].join(' ').trim() || null},
            column.show(row)));
    const choose = this.choose && (() => {
                     this.chosen = row;
                     this.redraw();
                     this.choose(row);
                   });
    return element(
        'tr', {
          'data-row': row,
          class: this.choose ? (row === this.chosen ? 'choose chosen' : 'choose') : null,
          tabindex: this.choose ? 0 : null,
          onclick: choose || null,
          onkeydown: choose ? (event) => event.key === 'Enter' && choose() : null
        },
        cells);
  }

  moreRow(count) {
    const all = () => {
      this.most = Infinity;
      this.redraw();
    };
    return element(
        'tr', null,
        element(
            'td', {colspan: this.columns.length},
            element('button', {type: 'button', onclick: all}, `Show all ${report.format.count(count)}`)));
  }

  redraw() {
    this.first = -1;
    this.draw();
  }

  draw() {
    const count = this.order.length;
    if (!this.long) {
      this.body.replaceChildren(...this.order.slice(0, this.most).map((row) => this.rowElement(row)));
      if (count > this.most) this.body.append(this.moreRow(count));
      return;
    }
    const height = this.element.clientHeight || 480;
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW_HEIGHT) - BEYOND) & ~7;
    const last = Math.min(count, first + Math.ceil(height / ROW_HEIGHT) + 2 * BEYOND + 8);
    if (first === this.first) return;
    this.first = first;
    this.body.replaceChildren(
        spacer(first, this.columns.length), ...this.order.slice(first, last).map((row) => this.rowElement(row)),
        spacer(count - last, this.columns.length));
  }

  sort(column) {
    this.falling = this.sorted === column ? !this.falling : column.number === true;
    this.sorted = column;
    const keys = this.order.map(column.value);
    const at = new Map(this.order.map((row, i) => [row, keys[i]]));
    const sign = this.falling ? -1 : 1;
    this.order.sort((a, b) => sign * compare(at.get(a), at.get(b)) || a - b);
    this.columns.forEach((each, i) => {
      if (each === column)
        this.cells[i].setAttribute('aria-sort', this.falling ? 'descending' : 'ascending');
      else
        this.cells[i].removeAttribute('aria-sort');
    });
    this.redraw();
  }

  /** Shows only the rows that \p keep says so of. */
  filter(keep) {
    this.order = Array.from({length: this.rows}, (_, i) => i).filter(keep);
    this.sorted = null;
    this.cells.forEach((cell) => cell.removeAttribute('aria-sort'));
    this.element.scrollTop = 0;
    this.redraw();
  }
}

report.table = {Table};
})(window.BlockMaestroReport);
