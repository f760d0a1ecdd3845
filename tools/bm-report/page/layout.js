// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the places of the program lie in the picture of the graph. A place is a launch, or a repeat of several; a repeat
// that is open is a box with its own places inside. Places lie in layers, each below those that it waits for.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const WIDTH = 190, HEIGHT = 46, ACROSS = 34, DOWN = 52, INSET = 20, CAPTION = 26;

/** The tree of motifs: for each node its `children` (numbers), `parent`, `count` and `first`. */
function tree(recording) {
  const of = (name) => recording.expanded(recording.raw.motifs, name, 'motifs');
  const counts = of('count'), sizes = of('children'), first = of('first');
  const nodes = [], open = [];
  for (let n = 0; n < counts.length; n++) {
    const parent = open.length ? open[open.length - 1] : null;
    nodes.push({number: n, count: counts[n], first: first[n], children: [], parent: parent ? parent.node.number : -1});
    if (parent) {
      parent.node.children.push(n);
      parent.left--;
    }
    if (sizes[n]) open.push({node: nodes[n], left: sizes[n]});
    while (open.length && open[open.length - 1].left === 0) open.pop();
  }
  return nodes;
}

/** How many launches a node stands for. */
function launchesOf(nodes, n) {
  let times = 1;
  for (let at = n; at >= 0; at = nodes[at].parent) times *= nodes[at].count;
  const leaves = (at) => nodes[at].children.length ? nodes[at].children.reduce((sum, c) => sum + leaves(c), 0) : 1;
  const within = (at) =>
      nodes[at].children.length ? nodes[at].children.reduce((sum, c) => sum + nodes[c].count * within(c), 0) : 1;
  return {times, leaves: leaves(n), launches: nodes[n].children.length ? within(n) : 1};
}

/** The child of \p node that \p n is or lies in; -1 where it lies elsewhere. */
function childOver(nodes, node, n) {
  for (let at = n; at >= 0; at = nodes[at].parent)
    if (nodes[at].parent === node) return at;
  return -1;
}

/** The layer of each child: one more than the last of those that it waits for. */
function layersOf(nodes, node, children, edges) {
  const layer = new Map(children.map((child) => [child, 0]));
  const between = edges.map((edge) => [childOver(nodes, node, edge.from), childOver(nodes, node, edge.to)])
                      .filter(([from, to]) => from >= 0 && to >= 0 && from < to && layer.has(from) && layer.has(to))
                      .sort((a, b) => a[1] - b[1]);
  for (const [from, to] of between) layer.set(to, Math.max(layer.get(to), layer.get(from) + 1));
  return layer;
}

/** Lays out the children of \p node; adds places to \p out, relative to the node. Returns the size of all. */
function inside(context, node, children, out) {
  const {nodes, edges} = context;
  const layer = layersOf(nodes, node, children, edges), rows = [];
  for (const child of children) {
    const row = layer.get(child);
    (rows[row] = rows[row] || []).push({child, ...place(context, child)});
  }
  const width = Math.max(...rows.map((row) => row.reduce((sum, each) => sum + each.width + ACROSS, -ACROSS)));
  let y = 0;
  for (const row of rows) {
    let x = (width - row.reduce((sum, each) => sum + each.width + ACROSS, -ACROSS)) / 2;
    for (const each of row) {
      for (const part of each.parts) out.push({...part, x: part.x + x, y: part.y + y});
      x += each.width + ACROSS;
    }
    y += Math.max(...row.map((each) => each.height)) + DOWN;
  }
  return {width, height: y - DOWN};
}

/** The size of a place and its parts: itself, and what is in it where it is open. */
function place(context, n) {
  const node = context.nodes[n];
  if (!node.children.length || !context.open.has(n))
    return {width: WIDTH, height: HEIGHT, parts: [{node: n, x: 0, y: 0, width: WIDTH, height: HEIGHT, box: false}]};
  const parts = [];
  const size = inside(context, n, node.children, parts);
  const width = size.width + 2 * INSET, height = size.height + 2 * INSET + CAPTION;
  return {
    width,
    height,
    parts: [
      {node: n, x: 0, y: 0, width, height, box: true},
      ...parts.map((part) => ({...part, x: part.x + INSET, y: part.y + INSET + CAPTION}))
    ]
  };
}

/** Places for \p children of the root: { width, height, parts }. \p open: the repeats that show what is in them. */
function arrange(nodes, edges, open, children) {
  const parts = [];
  const {width, height} = inside({nodes, edges, open}, 0, children, parts);
  return {width, height, parts};
}

report.layout = {
  tree,
  launchesOf,
  arrange
};
})(window.BlockMaestroReport);
