// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small window beside the pointer, for what has no element of its own.
window.BlockMaestroReport = window.BlockMaestroReport || {};
(function(report) {
'use strict';

const box = () => document.getElementById('tip');

/** Shows \p content beside the point of the window. */
function show(x, y, ...content) {
  const tip = box();
  tip.replaceChildren(...content);
  tip.hidden = false;
  const {width, height} = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - width - 6)) + 'px';
  tip.style.top = (y + 16 + height > innerHeight ? Math.max(4, y - height - 12) : y + 16) + 'px';
}

function hide() {
  box().hidden = true;
}

report.tip = {
  show,
  hide
};
})(window.BlockMaestroReport);
