// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a Status as Python's exception blockmaestro.Error, one line.
// On the data's way: from the tree's libraries, which never throw, to Python.
// Threads: plain values.

#ifndef BLOCKMAESTRO_PYTHON_ERROR_H
#define BLOCKMAESTRO_PYTHON_ERROR_H

#include "blockmaestro/Status.h"

#include <stdexcept>

namespace blockmaestro::python {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void throwIfWrong(const Status &Of) {
  if (!Of.ok())
    throw Error(Of.message());
}

} // namespace blockmaestro::python

#endif
