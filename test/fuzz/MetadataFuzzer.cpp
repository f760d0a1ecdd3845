// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: any bytes as the section `.blockmaestro`. The reader refuses them
// with one message, or all who use a record must cope with it: the writer, the
// text, the JSON, and evaluation at launches with odd sizes and arguments.

#include "Evaluate.h"
#include "FootprintText.h"
#include "MetadataReader.h"
#include "MetadataWriter.h"
#include "RecordJson.h"
#include "RecordMutator.h"
#include "Require.h"
#include "blockmaestro/MetadataLayout.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstring>
#include <iterator>

using namespace blockmaestro;

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

namespace {

constexpr uint32_t LargestArguments = 4096;
constexpr uint64_t FirstBase = 0x7f0000000000;
constexpr uint64_t AllocationBytes = 1 << 20;

constexpr struct {
  Dim3 Grid;
  Dim3 Block;
} Shapes[] = {{{1, 1, 1}, {1, 1, 1}},
              {{7, 3, 2}, {32, 4, 2}},
              {{INT32_MAX, 65535, 65535}, {1024, 1, 1}},
              {{1, 65535, 1}, {1, 1, 64}}};

/// What every argument that is no pointer is filled with.
constexpr uint64_t Fillings[] = {0, 1, 100, UINT64_MAX, 0x7fffffff7fffffff};

AllocationMap allocationsOf(const KernelRecord &K) {
  AllocationMap Known;
  for (size_t I = 0; I < K.Parameters.size(); ++I)
    Known.add({FirstBase + I * 2 * AllocationBytes, AllocationBytes});
  for (const Access &A : K.Bytes.Accesses)
    if (A.Base.Kind == RootKind::Global)
      Known.addGlobal(A.Base.Global, {FirstBase / 2, 4096});
  return Known;
}

/// Pointers into the middle of an allocation each, numbers all the same.
std::vector<uint8_t> argumentsOf(const KernelRecord &K, uint64_t Filling) {
  std::vector<uint8_t> Bytes(K.ArgumentBytes);
  for (size_t I = 0; I < Bytes.size(); ++I)
    Bytes[I] = uint8_t(Filling >> (8 * (I % 8)));
  for (size_t I = 0; I < K.Parameters.size(); ++I) {
    const Parameter &P = K.Parameters[I];
    uint64_t Address = FirstBase + I * 2 * AllocationBytes + 4096;
    if (P.Pointer && P.Bytes == sizeof(Address))
      std::memcpy(Bytes.data() + P.Offset, &Address, sizeof(Address));
  }
  return Bytes;
}

void requireSound(const BlockAccess &A) {
  require(!A.Exact || A.How == Reach::Coordinates, "a range is never exact");
  int64_t Last = 0;
  for (const Coordinate &C : A.Coordinates) {
    require(C.Stride > Last || (C.Stride == Last && Last > 0),
            "strides are positive and ascend");
    require(C.Count >= 1, "a coordinate has a value");
    Last = C.Stride;
  }
}

/// At a few of the launches there are; which ones depends on the input.
void evaluateKernel(const KernelRecord &K, uint64_t Choice) {
  if (K.ArgumentBytes > LargestArguments)
    return;
  AllocationMap Known = allocationsOf(K);
  for (int Times = 0; Times < 3; ++Times, Choice /= 32) {
    const auto &Shape = Shapes[Choice % std::size(Shapes)];
    Launch L;
    L.Kernel = &K;
    L.Grid = Shape.Grid;
    L.Block = Shape.Block;
    L.Arguments = argumentsOf(K, Fillings[Choice / 4 % std::size(Fillings)]);
    for (const BlockAccess &A : evaluate(L, Known).Accesses)
      requireSound(A);
  }
}

void show(const ModuleRecord &Record) {
  for (const KernelRecord &K : Record.Kernels)
    require(toText(K).back() == '\n', "text ends with a line");
  std::string Json = llvm::formatv("{0:2}", llvm::json::Value(toJson(Record)));
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(Json);
  require(bool(Parsed), "JSON is JSON");
}

void requireRoundTrip(const ModuleRecord &Record) {
  std::vector<uint8_t> Bytes = serialize(Record);
  const uint8_t *Data = Bytes.data();
  size_t Size = Bytes.size();
  Result<ModuleRecord> Again = readRecord(Data, Size);
  require(Again.ok() && Size == 0, "what was read can be written and read");
  require(serialize(*Again) == Bytes, "and is the same");
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  const uint8_t *Next = Data;
  size_t Left = Size;
  if (Seed % 4 != 0)
    if (Result<ModuleRecord> Record = readRecord(Next, Left); Record.ok()) {
      mutateFields(*Record, Seed);
      std::vector<uint8_t> Bytes = serialize(*Record);
      if (Bytes.size() <= MaxSize) {
        std::copy(Bytes.begin(), Bytes.end(), Data);
        return Bytes.size();
      }
    }
  Size = LLVMFuzzerMutate(Data, Size, MaxSize);
  return Seed % 16 == 0 ? Size : fixHeader(Data, Size);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Result<std::vector<ModuleRecord>> Records = readMetadata(Data, Size);
  if (!Records.ok()) {
    require(!Records.status().message().empty(), "an error has a message");
    return 0;
  }
  for (const ModuleRecord &Record : *Records) {
    requireRoundTrip(Record);
    show(Record);
    for (const KernelRecord &K : Record.Kernels)
      evaluateKernel(K, metadataChecksum(Data, Size));
  }
  return 0;
}
