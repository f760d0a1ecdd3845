// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of the page, and numbers as text. A number that is shown short has its exact value in its title, and in
// data-key and data-value for whoever reads the page by program.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

/** An element: \p properties are attributes, but for `class`, `on...` (listeners) and `style` (an object). */
function element(tag, properties, ...children) {
  const out = document.createElement(tag);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on'))
      out.addEventListener(key.slice(2), value);
    else if (key === 'style')
      Object.assign(out.style, value);
    else
      out.setAttribute(key, value === true ? '' : value);
  }
  out.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return out;
}

const grouped = (number) => Number(number).toLocaleString('en-US', {maximumFractionDigits: 6});

function digits(number) {
  const size = Math.abs(number);
  return size >= 100 ? number.toFixed(0) : size >= 10 ? number.toFixed(1) : number.toFixed(2);
}

function scaled(number, units) {
  const size = Math.abs(number);
  const [step, unit] = units.find(([each]) => size >= each * 0.9995) || units[units.length - 1];
  return step === 1 ? `${grouped(Math.round(number * 100) / 100)}${unit}` : `${digits(number / step)}${unit}`;
}

/** 1,234; 1.23 M from 100,000 on. */
function count(number) {
  if (number === null) return '–';
  return Math.abs(number) < 1e5 ? grouped(number) :
                                  scaled(number, [[1e12, ' T'], [1e9, ' G'], [1e6, ' M'], [1e3, ' k'], [1, '']]);
}

/** 12.3 µs, of nanoseconds. */
function time(ns) {
  return ns === null ? '–' : scaled(ns, [[1e9, ' s'], [1e6, ' ms'], [1e3, ' µs'], [1, ' ns']]);
}

function bytes(number) {
  return scaled(number, [[2 ** 30, ' GiB'], [2 ** 20, ' MiB'], [2 ** 10, ' KiB'], [1, ' B']]);
}

const percent = (number) => number === null ? '–' : `${digits(number)} %`;
const ratio = (number) => number === null ? '–' : `${digits(number)}×`;
const plural = (number, one, many) => `${count(number)} ${number === 1 ? one : many || one + 's'}`;
const hazards = (bits) => ['RAW', 'WAR', 'WAW'].filter((_, i) => bits >> i & 1).join('+');

/** A number as \p text, its exact value in title and attributes. */
function value(key, number, text, unit) {
  const exact = number === null ? 'not known' : grouped(number) + (unit ? ' ' + unit : '');
  return element('span', {'data-key': key, 'data-value': number === null ? '' : number, title: exact}, text);
}

const countValue = (key, number) => value(key, number, count(number));
const timeValue = (key, ns) => value(key, ns, time(ns), 'ns');

/** `lud_diagonal` of `void lud_diagonal<16>(float*, int)`. */
function shortName(name) {
  let depth = 0, out = '';
  for (const letter of name.replace(/^void /, '').replace(/\(anonymous namespace\)::/g, '')) {
    if (letter === '(' && !depth) break;
    if (letter === '<') depth++;
    if (!depth) out += letter;
    if (letter === '>') depth--;
  }
  return out || name;
}

/** The last part of a path. */
const fileName = (path) => path.slice(path.lastIndexOf('/') + 1);
const place = (location) => location ? `${fileName(location.file)}:${location.line}` : '';

report.format = {
  element,
  grouped,
  count,
  time,
  bytes,
  percent,
  ratio,
  plural,
  hazards,
  value,
  countValue,
  timeValue,
  shortName,
  fileName,
  place
};
})(window.BlockMaestroReport);
