// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a relation is apart from its launches, as bytes: this
// repeats from launch to launch. On the data's way: inside runtime/record,
// between Writer and Reader. The bytes are docs/recording.md. Invariants: what
// has been unpacked fits the two grids, whatever the bytes. Threads: pure
// functions.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_RELATIONBODY_H
#define BLOCKMAESTRO_RUNTIME_RECORD_RELATIONBODY_H

#include "blockmaestro/Recording.h"

#include <string>

namespace blockmaestro::record {

std::string packRelation(const RecordedRelation &What);

/// Fills everything but Producer and Consumer; returns null or what is wrong.
const char *unpackRelation(const std::string &Body, Dim3 ProducerGrid,
                           Dim3 ConsumerGrid, RecordedRelation &What);

} // namespace blockmaestro::record

#endif
