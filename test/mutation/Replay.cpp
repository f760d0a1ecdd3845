// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Replay.h"

#include "Encode.h"
#include "Shuffle.h"

#include <memory>
#include <mutex>
#include <utility>

namespace blockmaestro::test {

namespace {

uint64_t mix(uint64_t A, uint64_t B) {
  uint64_t X = (A + 1) * 0x9e3779b97f4a7c15 + B;
  X = (X ^ (X >> 31)) * 0xbf58476d1ce4e5b9;
  return X ^ (X >> 29);
}

/// A location: its number before Launch wrote to it, and the sum of what that
/// launch's blocks wrote.
struct Cell {
  uint64_t Before = 0;
  uint64_t Launch = ~uint64_t(0);
  uint64_t Written = 0;

  uint64_t whole() const {
    return Launch == ~uint64_t(0) ? Before : mix(mix(Before, Launch), Written);
  }
  uint64_t read(uint64_t By) const { return Launch == By ? Before : whole(); }
  void write(uint64_t By, uint64_t Number) {
    if (Launch != By)
      *this = {whole(), By, 0};
    Written += Number;
  }
};

/// Runs tasks on the memory, one at a time; a BlockRunner for the executor.
class Memory final : public BlockRunner {
public:
  explicit Memory(const Sequence &S)
      : S(S), Cells(S.Locations), Read(S.tasks()) {}

  Status prepare(const Launch &) override { return Status(); }
  Status run(const Launch &What, uint64_t Block, unsigned,
             BlockCost *) override {
    std::lock_guard<std::mutex> Guard(Lock);
    task(What.Id, S.First[What.Id] + uint32_t(Block));
    return Status();
  }

  void task(uint64_t Launch, uint32_t Task) {
    uint64_t Number = mix(Launch, Task);
    for (const Touch &Each : S.Touches[Task])
      if (Each.Reads)
        Number = mix(Number, Cells[Each.Location].read(Launch));
    Read[Task] = Number;
    for (const Touch &Each : S.Touches[Task])
      if (Each.Writes)
        Cells[Each.Location].write(Launch, mix(Number, Each.Location));
  }

  Outcome outcome() const {
    Outcome All = Read;
    for (const Cell &Each : Cells)
      All.push_back(Each.whole());
    return All;
  }

private:
  std::mutex Lock;
  const Sequence &S;
  std::vector<Cell> Cells;
  std::vector<uint64_t> Read;
};

const KernelRecord &anyKernel() {
  static const KernelRecord Kernel = [] {
    KernelRecord K;
    K.Symbol = K.Name = "kernel";
    return K;
  }();
  return Kernel;
}

Task taskOf(const Sequence &S, uint32_t Number,
            const std::vector<Wait> &Needs) {
  auto What = std::make_shared<Launch>();
  What->Id = Number;
  What->Kernel = &anyKernel();
  What->Grid = S.Grids[Number];
  Task Out{What, {}, nullptr, Number};
  for (const Wait &Each : Needs) {
    if (Each.Implied || Each.What.independent())
      continue;
    Encoding Form = encode(Each.What);
    Dependence D;
    D.Producer = Each.Producer;
    D.Header = Form.Header;
    D.Pieces = std::move(Form.Pieces);
    D.List = std::move(Form.List);
    Out.Needs.push_back(std::move(D));
  }
  return Out;
}

} // namespace

Outcome inOrder(const Sequence &S) {
  Memory All(S);
  for (uint32_t L = 0; L < S.launches(); ++L)
    for (uint32_t T = S.First[L]; T < S.First[L + 1]; ++T)
      All.task(L, T);
  return All.outcome();
}

Outcome shuffled(const Sequence &S, const WaitLists &Waits, uint64_t Seed) {
  Memory All(S);
  auto Exec = makeShuffle(All, nullptr, Seed, S.Depth);
  for (uint32_t L = 0; L < S.launches(); ++L)
    if (!Exec->submit(taskOf(S, L, Waits[L])).ok())
      return {};
  return Exec->drain().ok() ? All.outcome() : Outcome();
}

} // namespace blockmaestro::test
