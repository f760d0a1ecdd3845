// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arrows.h"

#include <algorithm>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

Expected<ArrowChoice> parseArrows(StringRef Text) {
  ArrowChoice Out;
  const auto [Name, Most] = Text.split(':');
  if (Name == "none")
    Out.From = ArrowChoice::Parents::None;
  else if (Name == "all")
    Out.From = ArrowChoice::Parents::All;
  const bool Known = Name == "none" || Name == "all" || Name == "critical";
  const bool Bounded = Text.contains(':');
  if (!Known ||
      (Bounded && (Name == "none" || Most.getAsInteger(10, Out.Most))))
    return createStringError(
        "arrows must be none, critical or all, the last two with :N behind "
        "them for at most N, not '" +
        Text + "'");
  return Out;
}

namespace {

class ArrowFinder {
public:
  ArrowFinder(const Workload &Work, const std::vector<BlockTimes> &Ran,
              const ArrowChoice &Which)
      : Work(Work), Ran(Ran), Which(Which), At(Work.Launches.size()),
        Last(Work.Launches.size()) {
    for (size_t I = 0; I < At.size(); ++I)
      At[I].resize(Work.Launches[I].Blocks);
    for (size_t I = 0; I < Ran.size(); ++I)
      At[Ran[I].Launch][Ran[I].Block] = uint32_t(I);
    for (size_t I = 0; I < At.size(); ++I)
      Last[I] = *std::max_element(
          At[I].begin(), At[I].end(),
          [&](uint32_t A, uint32_t B) { return Ran[A].End < Ran[B].End; });
  }

  std::vector<Arrow> find() {
    for (uint32_t Child = 0; Child < At.size() && !full(); ++Child)
      Which.From == ArrowChoice::Parents::All ? addAll(Child) : addLast(Child);
    return std::move(Out);
  }

private:
  bool full() const { return Out.size() >= Which.Most; }

  void add(uint32_t Parent, uint32_t Child) {
    if (!full())
      Out.push_back({Parent, Child});
  }

  /// Calls Each(parent, block) for all that blocks of the launch wait for.
  template <typename Function>
  void forEachParent(uint32_t Launch, Function Each) const {
    for (uint32_t Index : Work.Launches[Launch].In) {
      const WorkRelation &R = Work.Relations[Index];
      const Expansion &E = Work.Expansions[R.Expanded];
      if (E.KernelLevel)
        for (uint32_t Block = 0; Block < At[Launch].size(); ++Block)
          Each(Last[R.Producer], Block);
      else
        for (uint32_t Parent = 0; Parent < At[R.Producer].size(); ++Parent)
          for (uint32_t Child : E.childrenOf(Parent))
            Each(At[R.Producer][Parent], Child);
    }
  }

  void addAll(uint32_t Launch) {
    forEachParent(Launch, [&](uint32_t Parent, uint32_t Block) {
      add(Parent, At[Launch][Block]);
    });
  }

  void addLast(uint32_t Launch) {
    std::vector<uint32_t> Parents(At[Launch].size(), None);
    forEachParent(Launch, [&](uint32_t Parent, uint32_t Block) {
      uint32_t &Known = Parents[Block];
      if (Known == None || Ran[Parent].End > Ran[Known].End)
        Known = Parent;
    });
    for (uint32_t Block = 0; Block < Parents.size(); ++Block)
      if (Parents[Block] != None)
        add(Parents[Block], At[Launch][Block]);
  }

  static constexpr uint32_t None = ~uint32_t(0);
  const Workload &Work;
  const std::vector<BlockTimes> &Ran;
  const ArrowChoice &Which;
  std::vector<std::vector<uint32_t>> At; ///< Launch, block: its place in Ran.
  std::vector<uint32_t> Last;            ///< Of each launch, what ended last.
  std::vector<Arrow> Out;
};

} // namespace

std::vector<Arrow> arrowsOf(const Workload &Work,
                            const std::vector<BlockTimes> &Ran,
                            const ArrowChoice &Which) {
  if (Which.From == ArrowChoice::Parents::None)
    return {};
  return ArrowFinder(Work, Ran, Which).find();
}

} // namespace blockmaestro
