// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the numbers of the page are from, and whose library draws it.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const {element} = report.format;

function rows(recording, data) {
  const {raw} = recording;
  const simulation = raw.simulation;
  return [
    ['Made by', data.tool],
    ['Recording', raw.file],
    ['Program', raw.program],
    ['Device', raw.device],
    ['Executor', raw.executor],
    ['Launches in flight', raw.window],
    ['Cut off', raw.truncated ? 'yes: the program did not end in order' : 'no'],
    ['Records of kernels', raw.program_file || raw.program_problem || 'none'],
    ['Simulated machine', simulation ? raw.machine : raw.simulation_problem || 'not simulated'],
    [
      'Durations of simulated blocks',
      simulation ?
          (simulation.durations === 'events' ? 'as recorded' : 'modelled from what blocks did (recorded costs)') :
          '–'
    ],
    [
      'Durations of recorded blocks',
      raw.runs.some((run) => run.is_recorded) ? `measured on ${raw.device}` : 'none recorded'
    ],
  ];
}

function draw(panel, recording, data) {
  panel.append(
      element('h2', null, 'About this report'),
      element(
          'div', {class: 'scroll'},
          element(
              'table', {'aria-label': 'About this report'},
              element(
                  'tbody', null,
                  rows(recording, data)
                      .map(
                          ([title, text]) => element(
                              'tr', null, element('th', {scope: 'row'}, title),
                              element('td', {'data-about': title}, String(text))))))),
      element(
          'p', null,
          'The page is one file and loads nothing. Numbers that are shown short have their exact value in their title.'),
      element(
          'p', null,
          `Charts are drawn by Apache ECharts ${
              echarts
                  .version}, which the page carries: Copyright 2017-2023 The Apache Software Foundation, Apache License 2.0. `,
          'This product includes software developed at The Apache Software Foundation (https://www.apache.org/). ECharts embeds ZRender, Copyright (c) 2017, Baidu Inc., and parts of d3.js, Copyright (c) 2010-2016, Michael Bostock, both BSD 3-Clause.'));
}

report.about = {
  id: 'about',
  title: 'About',
  draw
};
})(window.BlockMaestroReport);
