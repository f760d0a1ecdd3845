// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of the picture of the graph: places as boxes, edges as curves with an arrow and their pattern. An edge to the
// next layer goes straight down; a longer one passes on the left of what lies between, one that goes back on the right.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const NEAR = 125, ARROW = 8;

const bezier = (p, t) => {
  const u = 1 - t;
  const at = (a, b, c, d) => u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
  return [at(p.x1, p.cpx1, p.cpx2, p.x2), at(p.y1, p.cpy1, p.cpy2, p.y2)];
};

function down(from, to, beside) {
  const x1 = from.x + from.width / 2 + 26 * beside, x2 = to.x + to.width / 2 + 26 * beside;
  const y1 = from.y + from.height, y2 = to.y - 1, bend = (y2 - y1) / 2;
  return {x1, y1, x2, y2, cpx1: x1, cpy1: y1 + bend, cpx2: x2, cpy2: y2 - bend, labelAt: [x1, y1 + 24]};
}

function around(from, to, beside, side) {
  const edge = (box) => side < 0 ? box.x : box.x + box.width;
  const same = from === to, x1 = edge(from), x2 = edge(to) + side;
  const y1 = from.y + from.height * (same ? 0.75 : 0.5), y2 = to.y + to.height * (same ? 0.25 : 0.5);
  const out = side * (34 + 16 * beside + Math.min(120, Math.abs(y2 - y1) / 6));
  const far = side < 0 ? Math.min(x1, x2) + out : Math.max(x1, x2) + out;
  return {x1, y1, x2, y2, cpx1: far, cpy1: y1, cpx2: far, cpy2: y2};
}

/** The curve of an edge between two boxes; \p beside: how many edges between the two come before it. */
function curve(from, to, back, beside) {
  const gap = to.y - from.y - from.height;
  if (back) return around(from, to, beside, 1);
  return gap > 0 && gap < NEAR ? down(from, to, beside) : around(from, to, beside, -1);
}

function arrow(p, fill) {
  const [x, y] = bezier(p, 0.97), length = Math.hypot(p.x2 - x, p.y2 - y) || 1;
  const dx = (p.x2 - x) / length * ARROW, dy = (p.y2 - y) / length * ARROW;
  return {
    type: 'polygon',
    style: {fill},
    shape: {
      points: [[p.x2, p.y2], [p.x2 - dx - dy * 0.5, p.y2 - dy + dx * 0.5], [p.x2 - dx + dy * 0.5, p.y2 - dy - dx * 0.5]]
    }
  };
}

/** The shapes of an edge: `line` (colour, width, dashed), `text` or null. */
function edgeShapes(p, line, text) {
  const {colour} = report.chart, [x, y] = p.labelAt || bezier(p, 0.5);
  const shapes = [
    {
      type: 'bezierCurve',
      shape: p,
      style: {stroke: line.colour, lineWidth: line.width, fill: 'none', lineDash: line.dashed ? [5, 4] : null},
      emphasis: {style: {lineWidth: line.width + 2.5}}
    },
    {type: 'bezierCurve', shape: p, style: {stroke: line.colour, opacity: 0, lineWidth: 14, fill: 'none'}},
    arrow(p, line.colour)
  ];
  if (text) {
    const width = text.length * 6 + 8;
    shapes.push(
        {
          type: 'rect',
          z2: 9,
          shape: {x: x - width / 2, y: y - 8, width, height: 16, r: 3},
          style: {fill: colour('surface')}
        },
        {
          type: 'text',
          z2: 10,
          style: {text, x, y, align: 'center', verticalAlign: 'middle', fontSize: 11, fill: colour('ink')}
        });
  }
  return shapes;
}

/** The shapes of a place: its box, and its lines of text. */
function placeShapes(box, line, lines) {
  const {colour} = report.chart, {x, y, width, height} = box;
  const text = (each, at, fill, size) => ({
    type: 'text',
    style: {text: each, x: x + width / 2, y: y + at, align: 'center', verticalAlign: 'middle', fill, fontSize: size}
  });
  return [
    {
      type: 'rect',
      shape: {x, y, width, height, r: 6},
      style: {fill: colour('raised'), stroke: line.colour, lineWidth: 2, lineDash: line.dashed ? [5, 4] : null},
      emphasis: {style: {lineWidth: 3.5}}
    },
    text(lines[0], height / 2 - 8, colour('ink'), 12), text(lines[1], height / 2 + 10, colour('soft'), 11)
  ];
}

/** The shapes of a repeat that is open: a frame whose caption closes it. */
function frameShapes(box, caption) {
  const {colour} = report.chart, {x, y, width, height} = box;
  return [
    {
      type: 'rect',
      silent: true,
      shape: {x, y, width, height, r: 8},
      style: {fill: 'none', stroke: colour('soft'), lineWidth: 1, lineDash: [3, 3]}
    },
    {
      type: 'rect',
      z2: 8,
      shape: {x: x + 6, y: y + 5, width: Math.min(width - 12, 190), height: 20, r: 4},
      style: {fill: colour('raised')},
      emphasis: {style: {fill: colour('line')}}
    },
    {
      type: 'text',
      z2: 9,
      silent: true,
      style: {text: caption, x: x + 12, y: y + 15, verticalAlign: 'middle', fontSize: 12, fill: colour('ink')}
    }
  ];
}

report.edges = {
  curve,
  edgeShapes,
  placeShapes,
  frameShapes
};
})(window.BlockMaestroReport);
