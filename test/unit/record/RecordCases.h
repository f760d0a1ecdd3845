// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the recordings that the tests of runtime/record write, and a
// fixture with a file of its own.

#ifndef BLOCKMAESTRO_TEST_UNIT_RECORD_RECORDCASES_H
#define BLOCKMAESTRO_TEST_UNIT_RECORD_RECORDCASES_H

#include "Writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro::test {

using ByteVector = std::vector<uint8_t>;

class RecordTest : public testing::Test {
protected:
  RecordTest();
  ~RecordTest() override;

  std::unique_ptr<RecordingWriter> open();
  ByteVector bytes() const;

  std::string Path;
};

RecordedLaunch makeLaunch(uint64_t Id, const char *Kernel, Dim3 Grid);
RecordedCopy makeCopy(uint64_t Id, const char *Call, bool HostWaits);

/// One of each kind, between grids of 16x9 blocks.
RecordedRelation makeRelation(uint64_t Producer, uint64_t Consumer);
RecordedRelation makeFull(uint64_t Producer, uint64_t Consumer);
RecordedRelation makeListed(uint64_t Producer, uint64_t Consumer);

/// From or to a copy, which is one block.
RecordedRelation makeOfCopy(uint64_t Producer, bool FromCopy, uint64_t Consumer,
                            bool ToCopy);

/// Three launches with relations in a window of two, a barrier after the
/// second, two copies, an observation and four blocks; one chunk before the
/// barrier, two after it.
void fill(RecordingWriter &To);

/// In all that a program has told.
void expectSameRelation(const RecordedRelation &A, const RecordedRelation &B);

} // namespace blockmaestro::test

#endif
