// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [What is remembered]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// In a loop of launches nothing new happens, and an admission is three
// look-ups:
//
//   the launch       -> its shape (Shape.h): how it touches memory, wherever
//                       that memory lies
//   shape and marks  -> a token. A mark says for each allocation how many
//                       launches ago it was used last, and as which of theirs.
//                       Where the program leaves launches that share memory
//                       unordered, how many launches ago those were belongs to
//                       the token too
//   state and token  -> the answer and the next state. A state stands for the
//                       sequence of tokens in flight, and of what each waits
//                       for
//
// The tokens in flight determine which launches share which allocations, so the
// same sequence has the same relations. What each was made to wait for
// determines which of them others make sure of. Ping-pong between any two
// buffers, and a loop that takes new buffers each time, are one cycle of
// states.
//
// A launch that shares no memory with those in flight, or only reads what they
// only read, waits for none. Nothing is looked up for it, and the state is then
// found anew, from the tokens in flight, when a launch asks for it.
//
// Numbers of shapes, tokens and states are never given twice. What a memo
// has forgotten comes back under a new number and is worked out anew.
//
// Where different allocations in flight overlap, equal marks do not say all:
// what a node waits for is then worked out anew, and that and the state behind
// it have numbers of their own. Among those still in flight when the overlap
// has ended, memory is shared as their marks say, since marks tell ranges of
// one base and different sizes apart.

#include "Window.h"

#include "Evaluate.h"
#include "Graph.h"
#include "Implied.h"

#include <algorithm>

namespace blockmaestro {

/// Looking at blocks one by one would cost a program of ever new launches far
/// more than it gains. So each node brings some effort that may be spent for it
/// or later ones, about 10 us.
static constexpr uint64_t EffortOfANode = 128;

Window::InFlight &Window::Line::at(size_t I) {
  const size_t At = First + I;
  return Nodes[At < Nodes.size() ? At : At - Nodes.size()];
}

const Window::InFlight &Window::Line::at(size_t I) const {
  return const_cast<Line *>(this)->at(I);
}

/// The place of the next node; with Depth in flight, that of the oldest.
Window::InFlight &Window::Line::push(unsigned Depth) {
  if (Count < Depth) {
    if (Nodes.size() < Depth)
      Nodes.resize(Depth);
    return Nodes[(First + Count++) % Depth];
  }
  InFlight &Oldest = Nodes[First];
  First = First + 1 == Nodes.size() ? 0 : First + 1;
  return Oldest;
}

void Window::Line::clear() {
  for (size_t I = 0; I < Count; ++I) {
    InFlight &Gone = at(I);
    Gone.Waits = nullptr;
    Gone.What = nullptr;
    Gone.Touched = nullptr;
    Gone.Found = {};
  }
  First = Count = 0;
  State = Unknown;
  Memory.clear();
}

void Window::clear() { In.clear(); }

/// Sets Next.Where.
template <typename Accesses>
Window::ShapePointer Window::shapeOf(Accesses &&Touched) {
  accessKey(Touched, Key, Next.Where);
  return ByAccesses.remember(Key, [&] {
    return makeShape(
        std::make_shared<const LaunchAccesses>(std::forward<Accesses>(Touched)),
        Next.Where, NextShape++);
  });
}

/// Finds each of Where among Roots; false when one is not there.
static bool findRoots(const std::vector<Allocation> &Where,
                      const std::vector<Allocation> &Roots,
                      std::vector<uint32_t> &RootOf) {
  for (const Allocation &Mine : Where) {
    auto At = std::find_if(Roots.begin(), Roots.end(), [&](const auto &Root) {
      return Root.Base == Mine.Base && Root.Bytes == Mine.Bytes;
    });
    if (At == Roots.end())
      return false;
    RootOf.push_back(uint32_t(At - Roots.begin()));
  }
  return true;
}

Window::LaunchShape Window::evaluateShape(const Launch &What,
                                          const AllocationMap &Known) {
  LaunchShape New;
  New.What = shapeOf(evaluate(What, Known));
  if (!findRoots(Next.Where, Roots, New.RootOf))
    New.What = nullptr;
  return New;
}

/// Sets Next.Where.
Window::ShapePointer Window::shapeOf(const Launch &What,
                                     const AllocationMap &Known) {
  const KernelInputs &Inputs =
      Kernels.try_emplace(What.Kernel, *What.Kernel).first->second;
  launchKey(What, Inputs, Known, LaunchWords, Roots);
  const auto &Mine = ByLaunch.remember(LaunchWords, [&] {
    return std::make_shared<const LaunchShape>(evaluateShape(What, Known));
  });
  if (!Mine->What)
    return shapeOf(evaluate(What, Known));
  Next.Where.clear();
  for (uint32_t Root : Mine->RootOf)
    Next.Where.push_back(Roots[Root]);
  return Mine->What;
}

/// What of the accesses does Kind, as if it did nothing else; of each block no
/// more than of all.
static LaunchAccesses as(AccessKind Kind, LaunchAccesses Touched) {
  std::erase_if(Touched.Accesses, [&](const BlockAccess &Each) {
    return Each.Kind != Kind && Each.Kind != AccessKind::Atomic;
  });
  for (BlockAccess &Each : Touched.Accesses) {
    Each.Kind = Kind;
    Each.Narrows = 0;
  }
  Touched.Inputs = nullptr;
  return Touched;
}

/// Null where nobody waits.
Window::RelatedPointer Window::relateNow(InFlight &Producer,
                                         InFlight &Consumer) {
  for (InFlight *Each : {&Producer, &Consumer})
    if (!Each->Touched)
      Each->Touched = accessesAt(*Each->What, Each->Where);
  Related New;
  New.What = Hazards == HazardChoice::All
                 ? relate(Seen{*Producer.Touched, Producer.Found},
                          Seen{*Consumer.Touched, Consumer.Found}, Effort)
                 : relate(as(AccessKind::Write, *Producer.Touched),
                          as(AccessKind::Read, *Consumer.Touched), Effort);
  if (New.What.independent())
    return nullptr;
  New.Form = encode(New.What);
  return std::make_shared<const Related>(std::move(New));
}

/// Two shapes, and which allocations of the one are which of the other.
Window::RelatedPointer Window::related(InFlight &Producer, InFlight &Consumer,
                                       bool Overlapping) {
  if (Overlapping)
    return relateNow(Producer, Consumer);
  Key.assign({Producer.What->Number, Consumer.What->Number});
  for (const Allocation &Mine : Consumer.Where) {
    uint64_t Same = 0;
    for (size_t I = 0; I < Producer.Where.size(); ++I)
      if (Producer.Where[I].Base == Mine.Base)
        Same = I + 1;
    Key.push_back(Same);
  }
  return Relations.remember(Key, [&] { return relateNow(Producer, Consumer); });
}

/// Equal needs have one pattern, whose pointers keep the relations alive that
/// the memo knows them by.
Window::PatternPointer Window::patternOf(std::vector<Need> Needs,
                                         bool Overlapping) {
  if (Needs.empty())
    return nullptr;
  auto New = [&] {
    return std::make_shared<const Pattern>(
        Pattern{NextPattern++, std::move(Needs)});
  };
  if (Overlapping)
    return New();
  Key.clear();
  for (const Need &Each : Needs)
    Key.insert(Key.end(),
               {Each.Producer << 1 | uint64_t(Each.Implied),
                uint64_t(reinterpret_cast<uintptr_t>(Each.How.get()))});
  return Patterns.remember(Key, New);
}

/// What a node that waits so waits for in the one so many before it; null when
/// it does not.
template <typename Pattern>
static const Related *waitsFor(const std::shared_ptr<const Pattern> &Waits,
                               uint64_t Ago) {
  if (Waits)
    for (const Need &Each : Waits->Needs)
      if (Each.Producer == Ago)
        return Each.How.get();
  return nullptr;
}

/// What Next waits for. Only what a launch in flight was made to wait for can
/// make sure of anything: a relation worked out again may have more pairs.
Window::PatternPointer Window::findPattern() {
  const bool Overlapping = In.Memory.overlapping();
  auto Apart = [&](size_t I) {
    return isUnordered(In.Count - I) ||
           (!Overlapping &&
            (!In.Memory.conflicts(In.Count - I) ||
             !mayMeet(*In.at(I).What, In.at(I).Where, *Next.What, Next.Where)));
  };
  std::vector<Need> Found;
  Found.reserve(In.Count);
  for (size_t I = 0; I < In.Count; ++I) {
    if (Apart(I))
      continue;
    if (auto How = related(In.at(I), Next, Overlapping))
      Found.push_back({In.Count - I, false, std::move(How)});
  }
  // Mostly the latest launch makes sure of the earlier ones.
  for (Need &AC : Found)
    for (size_t I = Found.size(); I-- > 0 && !AC.Implied;) {
      const Need &BC = Found[I];
      if (BC.Producer >= AC.Producer)
        break;
      const Related *AB = waitsFor(In.at(In.Count - BC.Producer).Waits,
                                   AC.Producer - BC.Producer);
      AC.Implied = AB && follows(AC.How->What, AB->What, BC.How->What);
    }
  return patternOf(std::move(Found), Overlapping);
}

/// Sets Unordered to how long ago these nodes came in. Those that share no
/// memory with Next are nothing to it, ordered or not.
void Window::findUnordered(std::span<const uint64_t> Ids) {
  Unordered.clear();
  if (Ids.empty())
    return;
  for (size_t I = 0; I < In.Count; ++I) {
    const size_t Ago = In.Count - I;
    if (std::binary_search(Ids.begin(), Ids.end(), In.at(I).Id) &&
        (In.Memory.overlapping() || In.Memory.conflicts(Ago)))
      Unordered.push_back(Ago);
  }
}

bool Window::isUnordered(uint64_t Ago) const {
  return std::find(Unordered.begin(), Unordered.end(), Ago) != Unordered.end();
}

/// Of Next's shape and marks, and whom it is not behind; of the shape alone
/// when no launch in flight uses any of its memory.
uint64_t Window::tokenOf(const Shape &Mine) {
  uint64_t Any = Unordered.size();
  for (uint64_t Mark : Marks)
    Any |= Mark;
  if (Any == 0)
    return Mine.Number << 1 | 1;
  Key.assign(1, Mine.Number);
  Key.insert(Key.end(), Marks.begin(), Marks.end());
  Key.insert(Key.end(), Unordered.begin(), Unordered.end());
  return Tokens.remember(Key, [&] { return NextToken++ << 1; });
}

/// Sets Key to what is in flight from the one of number First on.
void Window::keyOfFlight(size_t First) {
  Key.clear();
  for (size_t I = First; I < In.Count; ++I) {
    const InFlight &Each = In.at(I);
    Key.push_back(Each.Token);
    Key.push_back(Each.Waits ? Each.Waits->Number : 0);
  }
}

/// The state of what is in flight.
uint64_t Window::stateOf() {
  keyOfFlight(0);
  return States.remember(Key, [&] { return NextState++; });
}

/// The state with Next, which waits so, in flight.
uint64_t Window::stateAfter(const PatternPointer &Waits) {
  keyOfFlight(In.Count < Depth ? 0 : 1);
  Key.push_back(Next.Token);
  Key.push_back(Waits ? Waits->Number : 0);
  return States.remember(Key, [&] { return NextState++; });
}

/// What comes of Next. One that shares nothing with any other waits for none,
/// whatever the state is.
Window::Answer Window::answer() {
  if (In.Memory.overlapping())
    return {findPattern(), NextState++};
  if (!In.Memory.anyConflict(In.Count))
    return {};
  if (In.State == Unknown)
    In.State = stateOf();
  const uint64_t Transition[] = {In.State, Next.Token};
  return Answers.remember(Transition, [&] {
    PatternPointer Waits = findPattern();
    const uint64_t After = stateAfter(Waits);
    return Answer{std::move(Waits), After};
  });
}

/// Next takes its place; it gets the memory of what was there.
void Window::enter(PatternPointer Waits) {
  InFlight &Place = In.push(Depth);
  Place.Waits = std::move(Waits);
  Place.Id = Next.Id;
  Place.Token = Next.Token;
  Place.What = std::move(Next.What);
  Place.Where.swap(Next.Where);
  Place.Touched = std::move(Next.Touched);
  Place.Found = std::move(Next.Found);
}

Admission Window::admit(const Launch &What, const AllocationMap &Known,
                        const Entrance &How) {
  return admit(What.Id, What, Known, How);
}

Admission Window::admit(uint64_t Id, const Launch &What,
                        const AllocationMap &Known, const Entrance &How) {
  return admit(Id, shapeOf(What, Known), How);
}

Admission Window::admit(uint64_t Id, const LaunchAccesses &Touched,
                        const Entrance &How) {
  return admit(Id, shapeOf(Touched), How);
}

Admission Window::admit(uint64_t Id, ShapePointer Mine, const Entrance &How) {
  Effort = std::min(Effort + EffortOfANode, MostEffort);
  In.Memory.use({Next.Where, Mine->Uses, Mine->Everywhere}, Depth, Marks);
  Next.Id = Id;
  Next.What = std::move(Mine);
  Next.Touched = nullptr;
  Next.Found = {};
  findUnordered(How.Unordered);
  Next.Token = tokenOf(*Next.What);
  Answer Found = answer();
  Admission Out;
  if (How.WithImplied)
    Out.Touched = accessesAt(*Next.What, Next.Where);
  if (Found.Waits) {
    const std::vector<Need> &Needs = Found.Waits->Needs;
    Out.Needs.reserve(Needs.size());
    for (const Need &Each : Needs)
      if (How.WithImplied || !Each.Implied)
        Out.Needs.push_back(
            {In.at(In.Count - Each.Producer).Id, Each.Implied, Each.How});
  }
  In.State = Found.Next;
  if (Depth > 0)
    enter(std::move(Found.Waits));
  return Out;
}

} // namespace blockmaestro
