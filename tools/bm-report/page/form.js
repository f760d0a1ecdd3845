// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of relations: which blocks of the producer a block of the consumer waits for, and the other way round. Blocks
// are numbered x fastest; a set of blocks is an ascending list of numbers without repeats.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

/** How many blocks of the consumer the search for the consumers of a block may look at. */
const MOST_SEARCHED = 4000000;

const size = (grid) => grid[0] * grid[1] * grid[2];
const coordinates =
    (grid, block) => [block % grid[0], Math.floor(block / grid[0]) % grid[1], Math.floor(block / (grid[0] * grid[1]))];
const number = (grid, at) => at[0] + grid[0] * (at[1] + grid[1] * at[2]);

/** As people write it: as many coordinates as the grid has dimensions. */
function name(grid, block) {
  const at = coordinates(grid, block);
  const dimensions = grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
  return `(${at.slice(0, dimensions).join(',')})`;
}

const gridName = (grid) => grid.slice(0, grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1).join('×');

function within(at, low, high) {
  return at.every((value, d) => low[d] <= value && value <= high[d]);
}

/** The box of producers that \p piece gives the consumer at \p c, or null. */
function boxOf(piece, c) {
  if (!within(c, piece.consumer_low, piece.consumer_high)) return null;
  const low = [], high = [];
  for (let j = 0; j < 3; j++) {
    const [a0, a1, a2, d, from, to] = piece.rows[j];
    const centre = a0 * c[0] + a1 * c[1] + a2 * c[2];
    low[j] = Math.max(piece.producer_low[j], Math.floor((centre + from) / d));
    high[j] = Math.min(piece.producer_high[j], Math.floor((centre + to) / d));
    if (low[j] > high[j]) return null;
  }
  return {low, high};
}

function addBox(found, grid, {low, high}) {
  for (let z = low[2]; z <= high[2]; z++)
    for (let y = low[1]; y <= high[1]; y++)
      for (let x = low[0]; x <= high[0]; x++) found.add(number(grid, [x, y, z]));
}

const ascending = (set) => Array.from(set).sort((a, b) => a - b);
const all = (grid) => Array.from({length: size(grid)}, (_, i) => i);

const listColumns = new WeakMap();
function runsOf(list) {
  if (!listColumns.has(list))
    listColumns.set(list, {
      begin: report.data.expand(list.begin),
      first: report.data.expand(list.first),
      last: report.data.expand(list.last)
    });
  return listColumns.get(list);
}

/** The blocks that block \p consumer waits for; null where the data does not list them. */
function producersOf(form, consumer) {
  if (form.kind === 'full') return all(form.producer_grid);
  const found = new Set();
  if (form.kind === 'closed') {
    const c = coordinates(form.consumer_grid, consumer);
    for (const piece of form.pieces) {
      const box = boxOf(piece, c);
      if (box) addBox(found, form.producer_grid, box);
    }
    return ascending(found);
  }
  if (!form.list) return null;
  const {begin, first, last} = runsOf(form.list);
  for (let r = begin[consumer]; r < begin[consumer + 1]; r++)
    for (let p = first[r]; p <= last[r]; p++) found.add(p);
  return ascending(found);
}

function closedNeeds(form, consumer, at) {
  const c = coordinates(form.consumer_grid, consumer);
  return form.pieces.some((piece) => {
    const box = boxOf(piece, c);
    return box && within(at, box.low, box.high);
  });
}

function listedNeeds(form, consumer, producer) {
  const {begin, first, last} = runsOf(form.list);
  for (let r = begin[consumer]; r < begin[consumer + 1]; r++)
    if (first[r] <= producer && producer <= last[r]) return true;
  return false;
}

/** The blocks that wait for block \p producer; null where the data does not list them, or there are too many to look. */
function consumersOf(form, producer) {
  if (form.kind === 'full') return all(form.consumer_grid);
  if (size(form.consumer_grid) > MOST_SEARCHED || (form.kind === 'listed' && !form.list)) return null;
  const at = coordinates(form.producer_grid, producer), found = [];
  for (let c = 0; c < size(form.consumer_grid); c++)
    if (form.kind === 'closed' ? closedNeeds(form, c, at) : listedNeeds(form, c, producer)) found.push(c);
  return found;
}

report.form = {
  size,
  coordinates,
  number,
  name,
  gridName,
  producersOf,
  consumersOf
};
})(window.BlockMaestroReport);
