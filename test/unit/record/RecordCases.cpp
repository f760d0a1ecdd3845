// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordCases.h"

#include "RecordingFile.h"
#include "blockmaestro/BlockGraph.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace blockmaestro::test {

RecordTest::RecordTest()
    : Path(testing::TempDir() + "/record-" + std::to_string(::getpid())) {}

RecordTest::~RecordTest() {
  std::remove(Path.c_str());
  std::remove(record::partialName(Path).c_str());
}

std::unique_ptr<RecordingWriter> RecordTest::open() {
  auto Writer = RecordingWriter::open(Path, {"prog", "emulated", "serial", 4});
  EXPECT_TRUE(Writer.ok());
  return std::move(*Writer);
}

ByteVector RecordTest::bytes() const {
  std::ifstream In(Path, std::ios::binary);
  return ByteVector(std::istreambuf_iterator<char>(In), {});
}

RecordedLaunch makeLaunch(uint64_t Id, const char *Kernel, Dim3 Grid) {
  RecordedLaunch What;
  What.Id = Id;
  What.Kernel = Kernel;
  What.Grid = Grid;
  What.Block = {32, 8, 1};
  What.SharedBytes = 4224;
  What.Registers = uint32_t(40 + Id);
  What.RegistersAsRun = uint32_t(300 * Id);
  What.Asked = {7, 1000 * Id};
  return What;
}

/// p = c + Delta in x, all of y, for consumers up to (15, 8).
static EncodedPiece makePiece(int32_t Delta) {
  EncodedPiece P{};
  P.ConsumerHigh[0] = P.ProducerHigh[0] = 15;
  P.ConsumerHigh[1] = P.ProducerHigh[1] = 8;
  P.Rows[0] = {{1, 0, 0}, 1, Delta, Delta};
  P.Rows[1] = {{0, 0, 0}, 1, 0, 8};
  P.Rows[2] = {{0, 0, 0}, 1, 0, 0};
  return P;
}

RecordedRelation makeRelation(uint64_t Producer, uint64_t Consumer) {
  RecordedRelation R;
  R.Producer = Producer;
  R.Consumer = Consumer;
  R.Hazards = HazardRAW | HazardWAR;
  R.Exact = true;
  R.Header = {uint32_t(RelationKind::Closed), 2, {16, 9, 1}};
  R.Pieces = {makePiece(-1), makePiece(1)};
  R.PieceHazards = {HazardRAW, HazardWAR};
  return R;
}

RecordedRelation makeFull(uint64_t Producer, uint64_t Consumer) {
  RecordedRelation R;
  R.Producer = Producer;
  R.Consumer = Consumer;
  R.Hazards = HazardWAW;
  R.Implied = true;
  R.Header = {uint32_t(RelationKind::Full), 0, {16, 9, 1}};
  R.Reason = "index is loaded from memory";
  return R;
}

/// Every second consumer block has two runs, which touch and have other
/// hazards.
RecordedRelation makeListed(uint64_t Producer, uint64_t Consumer) {
  auto List = std::make_shared<BlockList>();
  for (uint32_t C = 0; C < 144; ++C) {
    List->Begin.push_back(uint32_t(List->Runs.size()));
    if (C % 2)
      continue;
    List->Runs.insert(List->Runs.end(), {{C / 2, C}, {C + 1, 143}});
    List->Hazards.insert(List->Hazards.end(), {HazardRAW, HazardWAW});
  }
  List->Begin.push_back(uint32_t(List->Runs.size()));
  RecordedRelation R;
  R.Producer = Producer;
  R.Consumer = Consumer;
  R.Hazards = HazardRAW | HazardWAW;
  R.Header = {uint32_t(RelationKind::Listed), 0, {16, 9, 1}};
  R.List = std::move(List);
  return R;
}

RecordedRelation makeOfCopy(uint64_t Producer, bool FromCopy, uint64_t Consumer,
                            bool ToCopy) {
  RecordedRelation R;
  R.Producer = Producer;
  R.ProducerIsCopy = FromCopy;
  R.Consumer = Consumer;
  R.ConsumerIsCopy = ToCopy;
  R.Hazards = HazardRAW;
  R.Exact = true;
  R.Header = {uint32_t(RelationKind::Full), 0, {16, 9, 1}};
  if (FromCopy)
    R.Header.ProducerGrid[0] = R.Header.ProducerGrid[1] = 1;
  return R;
}

RecordedCopy makeCopy(uint64_t Id, const char *Call, bool HostWaits) {
  RecordedCopy C;
  C.Id = Id;
  C.Call = Call;
  C.Bytes = 4096;
  C.HostWaits = HostWaits;
  C.From = MemoryPlace::Pageable;
  C.To = MemoryPlace::Device;
  C.Asked = {3, uint64_t(1) << 40};
  C.Ranges = {{0x7f0000000000, 4096, true}, {64, 4096, false}};
  return C;
}

void fill(RecordingWriter &To) {
  Dim3 Grid = {16, 9, 1};
  To.launch(makeLaunch(0, "step(float*)", Grid), {});
  RecordedLaunch Second = makeLaunch(1, "step(float*)", Grid);
  Second.Degraded = {"no bound for i", "alias"};
  To.copy(makeCopy(0, "cudaMemcpyAsync", false), {});
  To.launch(Second, {makeRelation(0, 1), makeOfCopy(0, true, 1, false)});
  BlockCost Cost{.Integer = 10, .Other = 5, .GlobalReads = 2};
  To.blockRan({0, 0, 1000, 1500, 3}, &Cost);
  To.blockRan({1, 143, 900, 1400, 0}, &Cost);
  To.barrier("cudaMemcpy", /*HostWaits=*/true, {7, 1500});
  To.barrier("cudaDeviceSynchronize", /*HostWaits=*/true, {7, 1600});
  To.copy(makeCopy(1, "cudaMemset", true),
          {makeOfCopy(1, false, 1, true), makeOfCopy(0, true, 1, true)});
  To.launch(makeLaunch(2, "add", Grid), {makeListed(1, 2), makeFull(0, 2)});
  To.observe({0, 1, 250, 3});
  BlockCost Other{.Other = uint64_t(1) << 63, .SharedWavefronts = 7};
  To.blockRan({2, 7, 2000, 2000, 1}, &Other);
  To.blockRan({2, 6, 2001, 2002, 1}, nullptr);
}

void expectSameRelation(const RecordedRelation &A, const RecordedRelation &B) {
  EXPECT_EQ(A.Producer, B.Producer);
  EXPECT_EQ(A.Consumer, B.Consumer);
  EXPECT_EQ(A.Hazards, B.Hazards);
  EXPECT_EQ(A.Exact, B.Exact);
  EXPECT_EQ(A.Implied, B.Implied);
  EXPECT_EQ(A.Reason, B.Reason);
  EXPECT_EQ(A.Header.Kind, B.Header.Kind);
  EXPECT_EQ(A.Header.PieceCount, B.Header.PieceCount);
  EXPECT_EQ(A.PieceHazards, B.PieceHazards);
  EXPECT_EQ(A.ProducerIsCopy, B.ProducerIsCopy);
  EXPECT_EQ(A.ConsumerIsCopy, B.ConsumerIsCopy);
  EXPECT_EQ(0, memcmp(A.Header.ProducerGrid, B.Header.ProducerGrid, 12));
  ASSERT_EQ(!A.List, !B.List);
  if (A.List) {
    EXPECT_EQ(A.List->Begin, B.List->Begin);
    EXPECT_EQ(A.List->Hazards, B.List->Hazards);
    ASSERT_EQ(A.List->Runs.size(), B.List->Runs.size());
    EXPECT_EQ(0, memcmp(A.List->Runs.data(), B.List->Runs.data(),
                        A.List->Runs.size() * sizeof(BlockRun)));
  }
  ASSERT_EQ(A.Pieces.size(), B.Pieces.size());
  for (size_t I = 0; I < A.Pieces.size(); ++I)
    EXPECT_EQ(0, memcmp(&A.Pieces[I], &B.Pieces[I], sizeof(EncodedPiece)));
}

} // namespace blockmaestro::test
