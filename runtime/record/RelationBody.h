// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a relation is apart from its launches and its reason, as
// bytes: this repeats from launch to launch. On the data's way: inside
// runtime/record, between Writer and Reader. The bytes are docs/recording.md.
// Invariants: told relative to the two grids; the pairs come back with their
// hazards, piece by piece or run by run. What has been unpacked fits the two
// grids, whatever the bytes. Threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_RELATIONBODY_H
#define BLOCKMAESTRO_RUNTIME_RECORD_RELATIONBODY_H

#include "blockmaestro/Recording.h"

#include <string>

namespace blockmaestro::record {

/// The producer's grid is that of the relation's header.
std::string packRelation(const RecordedRelation &What, Dim3 ConsumerGrid);

/// Fills everything but Producer, Consumer and Reason; returns null or what is
/// wrong. HasReason says whether there is a reason.
const char *unpackRelation(const std::string &Body, Dim3 ProducerGrid,
                           Dim3 ConsumerGrid, RecordedRelation &What,
                           bool &HasReason);

} // namespace blockmaestro::record

#endif
