// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of launches: repeats of the program are boxes that open and close, edges carry the patterns of the relations
// between places. An edge that is chosen shows the blocks of one of its relations.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element, count, countValue, plural, shortName, hazards} = report.format;
const MOST_PLACES = 60, MARGIN = 56, MOST_LABELS = 80, MOST_PARTS = 400;

let view = null;

/** Relations by the places of both ends, their form and hazards: { from, to, back, form, hazards, relations, first, ... }. */
function placeEdges(recording) {
  const positions = recording.expanded(recording.raw.motifs, 'positions', 'motifs');
  const of = (name) => recording.column('relations', name);
  const producer = of('producer'), consumer = of('consumer'), form = of('form'), bits = of('hazards'),
        implied = of('implied'), exact = of('exact');
  const places = view.nodes.length, forms = recording.raw.forms.length, found = new Map();
  for (let i = 0; i < producer.length; i++) {
    const from = positions[producer[i]], to = positions[consumer[i]];
    const key = (((from * places + to) * forms + form[i]) * 8 + bits[i]) * 2 + implied[i];
    const edge = found.get(key);
    if (edge)
      edge.relations++;
    else
      found.set(key, {
        from,
        to,
        form: form[i],
        hazards: bits[i],
        implied: implied[i] === 1,
        exact: exact[i] === 1,
        relations: 1,
        first: i,
        distance: consumer[i] - producer[i]
      });
  }
  return Array.from(found.values()).sort((a, b) => a.first - b.first);
}

/** The place that stands for node \p n in the picture: itself, or the closed repeat around it. */
function standsFor(n, shown) {
  let out = shown.has(n) ? n : -1;
  for (let at = n; at > 0; at = view.nodes[at].parent)
    if (shown.has(at) && !view.open.has(at)) out = at;
  return out;
}

/** Edges between places in the picture, those of one pattern between the same two together. */
function drawnEdges(parts) {
  const shown = new Set(parts.map((part) => part.node)), found = new Map();
  for (const edge of view.edges) {
    if (edge.implied && !view.implied) continue;
    const from = standsFor(edge.from, shown), to = standsFor(edge.to, shown);
    if (from < 0 || to < 0 || (from === to && edge.from !== edge.to)) continue;
    const pattern = view.recording.raw.forms[edge.form].pattern;
    const key = `${from} ${to} ${pattern}`;
    if (!found.has(key)) found.set(key, {from, to, pattern, edges: [], relations: 0});
    found.get(key).edges.push(edge);
    found.get(key).relations += edge.relations;
  }
  return Array.from(found.values());
}

function placeText(n) {
  const {recording, nodes} = view, node = nodes[n];
  if (!node.children.length) {
    const {times} = report.layout.launchesOf(nodes, n);
    const name = shortName(recording.kernelName(recording.kernelOf(node.first)));
    const grid = report.form.gridName(recording.gridOf(node.first));
    return [
      name.length > 26 ? name.slice(0, 25) + '…' : name,
      `launch ${node.first}${times > 1 ? ` ×${count(times)}` : ''} · ${grid} ${grid === '1' ? 'block' : 'blocks'}`
    ];
  }
  const {leaves} = report.layout.launchesOf(nodes, n);
  return [`${plural(leaves, 'launch', 'launches')} × ${count(node.count)}`, `from launch ${node.first} · open`];
}

function placeShapes(part) {
  const {colour, kernelColours} = report.chart, node = view.nodes[part.node];
  const box = {x: part.x + view.left, y: part.y + MARGIN, width: part.width, height: part.height};
  if (part.box) return report.edges.frameShapes(box, `× ${count(node.count)} from launch ${node.first} · close`);
  const leaf = !node.children.length;
  const line = {
    colour: colour(leaf ? kernelColours(view.recording)[view.recording.kernelOf(node.first)] : 'soft'),
    dashed: !leaf
  };
  return report.edges.placeShapes(box, line, placeText(part.node));
}

/** Of each drawn edge how many between the same two places come before it. */
function besides(edges) {
  const seen = new Map();
  return edges.map((edge) => {
    const pair = `${edge.from} ${edge.to}`, before = seen.get(pair) || 0;
    seen.set(pair, before + 1);
    return before;
  });
}

function edgeShapes(edge, beside) {
  const {colour} = report.chart;
  const box = (n) => {
    const part = view.at.get(n);
    return {x: part.x + view.left, y: part.y + MARGIN, width: part.width, height: part.height};
  };
  const back = edge.from >= edge.to, from = box(edge.from), to = edge.from === edge.to ? from : box(edge.to);
  const wide = edge.edges.some((each) => !each.exact), full = edge.pattern === 'full';
  const line = {colour: colour(wide ? 'bad' : full ? 'kernel-6' : 'accent'), width: full ? 3 : 1.8, dashed: back};
  const curve = report.edges.curve(from, to, back, beside),
        times = edge.relations > 1 ? ` ×${count(edge.relations)}` : '';
  return report.edges.edgeShapes(
      curve, line, curve.labelAt || view.drawn.length <= MOST_LABELS ? edge.pattern + times : null);
}

function arrangePage() {
  const root = view.nodes[0].children.slice(view.page * MOST_PLACES, (view.page + 1) * MOST_PLACES);
  view.picture =
      report.layout.arrange(view.nodes, view.edges.filter((edge) => view.implied || !edge.implied), view.open, root);
  view.drawn = drawnEdges(view.picture.parts);
  const {width, height} = view.picture;
  view.host.style.width = Math.max(width + 2 * MARGIN, view.host.parentElement.clientWidth - 2) + 'px';
  view.host.style.height = height + 2 * MARGIN + 'px';
}

/** A series whose item \p i is a group of the shapes that \p shapes(i) gives. */
function shapeSeries(name, length, shapes) {
  return {
    type: 'custom',
    name,
    clip: false,
    data: Array.from({length}, () => [0, 0]),
    xAxisIndex: 0,
    yAxisIndex: 0,
    renderItem: (parameters) => ({type: 'group', children: shapes(parameters.dataIndex)})
  };
}

function options() {
  const {parts} = view.picture, {drawn} = view, beside = besides(drawn);
  view.left = Math.max(MARGIN, (view.host.clientWidth - view.picture.width) / 2);
  view.at = new Map(parts.map((part) => [part.node, part]));
  const axis = {type: 'value', min: 0, max: 1, show: false};
  return {
    textStyle: report.chart.text(),
    animation: false,
    xAxis: axis,
    yAxis: axis,
    grid: {left: 0, right: 0, top: 0, bottom: 0},
    series: [
      shapeSeries('places', parts.length, (i) => placeShapes(parts[i])),
      shapeSeries('edges', drawn.length, (i) => edgeShapes(drawn[i], beside[i]))
    ],
  };
}

function edgeText(edge) {
  const {recording} = view, [one] = edge.edges, relation = recording.relation(one.first);
  return element(
      'div', null, element('strong', null, `${edge.pattern}, ${plural(edge.relations, 'relation')}`),
      element(
          'div', null,
          `launch ${relation.producer} to launch ${relation.consumer}: ${count(relation.form.edges)} edges, ${
              hazards(relation.hazards)}, ${relation.exact ? 'exact' : 'not exact'}`),
      element('div', {class: 'soft'}, 'click to see its blocks'));
}

function placeTip(n) {
  const {recording, nodes} = view, node = nodes[n], {leaves} = report.layout.launchesOf(nodes, n);
  if (node.children.length)
    return element(
        'div', null,
        `${plural(leaves, 'launch', 'launches')}, ${count(node.count)} times, from launch ${node.first} on`);
  return element(
      'div', null, element('strong', null, `Launch ${node.first}`),
      element('div', null, recording.kernelName(recording.kernelOf(node.first))),
      element('div', null, `${report.form.gridName(recording.gridOf(node.first))} blocks`));
}

function toggle(n) {
  if (!view.nodes[n].children.length) return;
  if (view.open.has(n))
    view.open.delete(n);
  else
    view.open.add(n);
  redraw();
}

function choose(edge) {
  report.relation.draw(view.detail, view.recording, edge.edges[0].first);
}

function attach(chart) {
  chart.on('click', (event) => {
    if (event.seriesName === 'edges')
      choose(view.drawn[event.dataIndex]);
    else
      toggle(view.picture.parts[event.dataIndex].node);
  });
  chart.on('mousemove', (event) => {
    const text = event.seriesName === 'edges' ? edgeText(view.drawn[event.dataIndex]) :
                                                placeTip(view.picture.parts[event.dataIndex].node);
    report.tip.show(event.event.event.clientX, event.event.event.clientY, text);
  });
  chart.on('mouseout', report.tip.hide);
  chart.on('globalout', report.tip.hide);
}

function redraw() {
  report.tip.hide();
  arrangePage();
  view.entry.chart.resize();
  view.entry.draw();
}

/** Opens repeats, outer ones first, while the picture stays small enough. */
function openSome() {
  let parts = Math.min(MOST_PLACES, view.nodes[0].children.length);
  for (const node of view.nodes.slice(1)) {
    const inner = node.children.length, parentOpen = node.parent === 0 || view.open.has(node.parent);
    if (!inner || !parentOpen || parts + inner > MOST_PLACES) continue;
    view.open.add(node.number);
    parts += inner;
  }
}

function pageTool() {
  const pages = Math.ceil(view.nodes[0].children.length / MOST_PLACES);
  if (pages < 2) return null;
  const box = element(
      'select', {
        name: 'page',
        onchange: (event) => {
          view.page = Number(event.target.value);
          redraw();
        }
      },
      Array.from({length: pages}, (_, i) => {
        const first = view.nodes[view.nodes[0].children[i * MOST_PLACES]].first;
        return element('option', {value: i}, `from launch ${count(first)}`);
      }));
  return element('label', null, 'Part of the program ', box);
}

function tools() {
  const repeats = view.nodes.filter((node) => node.number && node.children.length);
  const button = (text, act) => element('button', {type: 'button', onclick: act}, text);
  const implied = element('input', {
    type: 'checkbox',
    name: 'implied',
    onchange: (event) => {
      view.implied = event.target.checked;
      redraw();
    }
  });
  const openAll = () => {
    repeats.slice(0, MOST_PARTS).forEach((node) => view.open.add(node.number));
    redraw();
  };
  return element(
      'div', {class: 'tools'},
      repeats.length ? element(
                           'span', {class: 'group'}, button('Open repeats', openAll),
                           button(
                               'Close repeats',
                               () => {
                                 view.open.clear();
                                 redraw();
                               })) :
                       null,
      element('label', null, implied, ' Relations that follow from others'), pageTool());
}

function edgeTable() {
  const {recording, edges, nodes} = view, {forms} = recording.raw;
  const name = (n) =>
      `${shortName(recording.kernelName(recording.kernelOf(nodes[n].first)))}, launch ${nodes[n].first}`;
  const columns = [
    {title: 'Producer', kind: 'name', value: (i) => nodes[edges[i].from].first, show: (i) => name(edges[i].from)},
    {title: 'Consumer', kind: 'name', value: (i) => nodes[edges[i].to].first, show: (i) => name(edges[i].to)},
    {
      title: 'Launches between',
      number: true,
      value: (i) => edges[i].distance,
      show: (i) => count(edges[i].distance - 1)
    },
    {title: 'Pattern', value: (i) => forms[edges[i].form].pattern, show: (i) => forms[edges[i].form].pattern},
    {
      title: 'Relations',
      number: true,
      value: (i) => edges[i].relations,
      show: (i) => countValue(`graph.${i}.relations`, edges[i].relations)
    },
    {
      title: 'Edges in each',
      number: true,
      value: (i) => forms[edges[i].form].edges,
      show: (i) => countValue(`graph.${i}.edges`, forms[edges[i].form].edges)
    },
    {title: 'Hazards', value: (i) => edges[i].hazards, show: (i) => hazards(edges[i].hazards)},
    {title: 'Exact', value: (i) => edges[i].exact ? 1 : 0, show: (i) => edges[i].exact ? 'yes' : 'no'},
    {title: 'Implied', value: (i) => edges[i].implied ? 1 : 0, show: (i) => edges[i].implied ? 'yes' : 'no'},
  ];
  return new report.table.Table({
    name: 'Relations between places',
    columns,
    rows: edges.length,
    choose: (i) => report.relation.draw(view.detail, recording, edges[i].first)
  });
}

function legend() {
  const {swatch} = report.chart;
  return element(
      'div', {class: 'legend'}, element('span', null, swatch('accent'), 'blocks wait for some blocks'),
      element('span', null, swatch('kernel-6'), 'full: for every block'),
      element('span', null, swatch('bad'), 'not exact'),
      element('span', null, 'dashed: from one time of a repeat to the next'));
}

/** The edge to begin with: of those that are not full the one with most edges between blocks. */
function mostTelling() {
  const {forms} = view.recording.raw;
  const weight = (edge) => (edge.implied ? 0 : 2) + (forms[edge.form].kind === 'full' ? 0 : 1);
  const better = (a, b) => weight(a) - weight(b) || forms[a.form].edges - forms[b.form].edges;
  return view.edges.reduce((best, edge) => better(edge, best) > 0 ? edge : best);
}

function draw(panel, recording) {
  panel.append(element('h2', null, 'Graph of launches'));
  if (!recording.launches) {
    panel.append(element('p', {class: 'soft'}, 'No launch was recorded.'));
    return;
  }
  const host =
      element('div', {class: 'chart', role: 'img', 'aria-label': 'Graph of launches; the table below has its edges'});
  view = {
    recording,
    host,
    detail: element('div'),
    open: new Set(),
    implied: false,
    page: 0,
    nodes: report.layout.tree(recording)
  };
  view.edges = placeEdges(recording);
  openSome();
  panel.append(tools(), legend(), element('div', {class: 'chart-scroll', tabindex: 0}, host), view.detail);
  arrangePage();
  view.entry = report.chart.mount(host, options, attach);
  if (!view.edges.length) return;
  const table = edgeTable();
  panel.append(
      element('h2', null, 'Relations between places'), element('p', {class: 'soft'}, 'Choose one to see its blocks.'),
      table.element);
  table.redraw();
  report.relation.draw(view.detail, recording, mostTelling().first);
}

report.graph = {
  id: 'graph',
  title: 'Graph',
  draw
};
})(window.BlockMaestroReport);
