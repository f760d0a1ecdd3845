// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page as a whole: unpacks the data, makes the tabs, and draws a tab when it is opened. The tab's name is the page's
// fragment, so that a link can lead to it.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element} = report.format;
const byId = (id) => document.getElementById(id);
const THEMES = ['system', 'light', 'dark'];

const state = {
  data: null,
  recording: null,
  tab: '',
  theme: 0
};

function tabs() {
  const all = [report.overview, report.timeline, report.graph, report.launches, report.advice];
  return state.data.recordings.length > 1 ? [...all, report.compare, report.about] : [...all, report.about];
}

function select(id) {
  const part = tabs().find((each) => each.id === id) || tabs()[0];
  state.tab = part.id;
  for (const each of tabs()) {
    const chosen = each === part;
    const button = byId('tab-' + each.id), panel = byId('panel-' + each.id);
    button.setAttribute('aria-selected', chosen);
    button.tabIndex = chosen ? 0 : -1;
    panel.hidden = !chosen;
  }
  const panel = byId('panel-' + part.id);
  if (!panel.hasChildNodes()) part.draw(panel, state.recording, state.data);
  panel.dataset.drawn = 'true';
}

/** Opens the tab \p id, as a click on it does. */
function open(id) {
  history.replaceState(null, '', '#' + id);
  select(id);
}

/** Arrow keys go from tab to tab, as in every list of tabs. */
function onKey(event) {
  const list = tabs(), at = list.findIndex((each) => each.id === state.tab);
  const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1}[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const next = list[(to + list.length) % list.length];
  open(next.id);
  byId('tab-' + next.id).focus();
}

function makeTabs() {
  byId('tabs').replaceChildren(...tabs().map(
      (part) => element(
          'button', {
            id: 'tab-' + part.id,
            type: 'button',
            role: 'tab',
            'aria-controls': 'panel-' + part.id,
            onclick: () => open(part.id)
          },
          part.title)));
  byId('tabs').addEventListener('keydown', onKey);
  byId('panels').replaceChildren(...tabs().map(
      (part) => element(
          'section', {id: 'panel-' + part.id, role: 'tabpanel', 'aria-labelledby': 'tab-' + part.id, hidden: true})));
}

/** Shows the recording of number \p index in all tabs. */
function show(index) {
  state.recording = state.data.recordings[index];
  const raw = state.recording.raw;
  byId('subject').replaceChildren(
      `${raw.program} on ${raw.device}, executor ${raw.executor}`,
      raw.truncated ? element('strong', {class: 'bad'}, ', cut off') : '');
  for (const part of tabs()) byId('panel-' + part.id).replaceChildren();
  report.chart.sweep();
  select(state.tab);
}

function makeChooser() {
  const files = state.data.recordings.map(({name}, i) => element('option', {value: i}, name));
  byId('recording').replaceChildren(...files);
  byId('recording').addEventListener('change', (event) => show(Number(event.target.value)));
  byId('chooser').hidden = files.length < 2;
}

function setTheme(index) {
  state.theme = index;
  const name = THEMES[index];
  if (name === 'system')
    delete document.documentElement.dataset.theme;
  else
    document.documentElement.dataset.theme = name;
  byId('theme').textContent = 'Colours: ' + name;
  byId('theme').setAttribute('aria-label', `Colours: ${name}; the next is ${THEMES[(index + 1) % 3]}`);
  report.chart.recolour();
}

function watchColours() {
  setTheme(0);
  byId('theme').addEventListener('click', () => setTheme((state.theme + 1) % THEMES.length));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => report.chart.recolour());
}

function fail(problem) {
  byId('panels').replaceChildren(
      element('p', {class: 'problem', role: 'alert', 'data-key': 'problem'}, problem.message));
  document.documentElement.dataset.state = 'failed';
}

async function start() {
  try {
    state.data = await report.data.read(byId('data').textContent);
  } catch (problem) {
    fail(problem);
    return;
  }
  byId('data').textContent = '';
  const title = state.data.title || 'BlockMaestro report';
  document.title = title;
  byId('title').textContent = title;
  state.tab = location.hash.slice(1);
  watchColours();
  makeTabs();
  makeChooser();
  show(0);
  addEventListener('hashchange', () => select(location.hash.slice(1)));
  document.documentElement.dataset.state = 'ready';
}

report.main = {
  start,
  open,
  state
};
start();
})(window.BlockMaestroReport);
