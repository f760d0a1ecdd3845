// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a page for man, from a tool's Manual. Threads: pure functions.

#ifndef BLOCKMAESTRO_TOOLS_MANUAL_MANUALPAGE_H
#define BLOCKMAESTRO_TOOLS_MANUAL_MANUALPAGE_H

#include "Manual.h"

namespace blockmaestro {

/// In the macros of man(7). Without a date: the same for the same Manual.
std::string manualPage(const Manual &Of);

/// The page of another name of the tool: it sends man to the tool's.
std::string aliasPage(const Manual &Of);

} // namespace blockmaestro

#endif
