// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shrink.h"

#include "Build.h"

#include <chrono>
#include <set>

namespace blockmaestro::soundness {

namespace {

bool isLoop(Op What) {
  return What == Op::For || What == Op::While || What == Op::DoWhile;
}

/// Whether what a kernel's tree uses is declared and in its place, so that the
/// source compiles.
class Validity {
public:
  bool check(const Node &N, bool InLoop = false, bool InSwitch = false);
  void declareLocal(unsigned Id) { Locals.insert(Id); }
  void declarePointer(unsigned Id) { Pointers.insert(Id); }

private:
  bool checkKids(const Node &N, bool InLoop, bool InSwitch);
  bool checkUses(const Node &N) const;

  std::set<unsigned> Locals, Pointers;
};

bool Validity::checkUses(const Node &N) const {
  switch (N.What) {
  case Op::Local:
  case Op::Set:
    return Locals.count(N.Id);
  case Op::Pointer:
  case Op::SetPointer:
    return Pointers.count(N.Id);
  case Op::Switch:
    return N.Kids.size() > 1;
  case Op::Advance:
  case Op::Either:
    return N.Of == N.Kids.back().Of || N.What == Op::Advance;
  default:
    return true;
  }
}

bool Validity::checkKids(const Node &N, bool InLoop, bool InSwitch) {
  for (const Node &Kid : N.Kids)
    if (!check(Kid, InLoop, InSwitch))
      return false;
  return true;
}

bool Validity::check(const Node &N, bool InLoop, bool InSwitch) {
  if ((N.What == Op::Break && !InLoop && !InSwitch) ||
      (N.What == Op::Continue && !InLoop))
    return false;
  bool Scoped = N.What == Op::If || N.What == Op::Switch || isLoop(N.What);
  auto KeptLocals = Locals, KeptPointers = Pointers;
  bool Good = checkKids(N, InLoop || isLoop(N.What),
                        InSwitch || N.What == Op::Switch) &&
              checkUses(N);
  if (Scoped) {
    Locals = std::move(KeptLocals);
    Pointers = std::move(KeptPointers);
  }
  if (N.What == Op::Let)
    Locals.insert(N.Id);
  if (N.What == Op::LetPointer)
    Pointers.insert(N.Id);
  return Good;
}

bool isValid(const Kernel &K) {
  if (!Validity().check(K.Body))
    return false;
  for (const Function &F : K.Functions) {
    Validity Of;
    for (const Function::Parameter &P : F.Parameters)
      P.IsPointer ? Of.declarePointer(P.Id) : Of.declareLocal(P.Id);
    if (!Of.check(F.Body))
      return false;
  }
  return true;
}

/// Calls Try with the tree under Root after each single change at or below At.
void changes(Node &At, const std::function<void()> &Try) {
  auto With = [&](Node Replacement) {
    std::swap(At, Replacement);
    Try();
    std::swap(At, Replacement);
  };
  if (At.What == Op::Sequence || At.What == Op::Switch) {
    for (size_t I = At.What == Op::Switch; I < At.Kids.size(); ++I) {
      if (At.Kids[I].What == Op::ReturnInteger)
        continue;
      Node Without = At;
      Without.Kids.erase(Without.Kids.begin() + I);
      With(std::move(Without));
    }
  } else if (At.What == Op::If) {
    With(Node(At.Kids[1]));
    With(Node(At.Kids[2]));
  } else if (isLoop(At.What)) {
    Node Once = sequence({});
    if (At.What == Op::For)
      Once.Kids.push_back(At.Kids[0]);
    Once.Kids.push_back(At.Kids[At.What == Op::For     ? 3
                                : At.What == Op::While ? 1
                                                       : 0]);
    With(std::move(Once));
  } else if (!isStatement(At.What)) {
    for (const Node &Kid : At.Kids)
      if (isPointer(At.What) ? isPointer(Kid.What) && Kid.Of == At.Of
                             : !isPointer(Kid.What))
        With(Node(Kid));
    if (!isPointer(At.What) && At.What != Op::Constant)
      for (int64_t Value : {0, 1})
        With(num(Value));
  }
  for (Node &Kid : At.Kids)
    changes(Kid, Try);
}

} // namespace

std::vector<Kernel> smaller(const Kernel &K) {
  std::vector<Kernel> Found;
  Kernel Changed = K;
  auto Keep = [&] {
    Kernel One = Changed;
    retype(One.Body, One);
    for (Function &F : One.Functions)
      retype(F.Body, One);
    if (isValid(One))
      Found.push_back(std::move(One));
  };
  changes(Changed.Body, Keep);
  for (Function &F : Changed.Functions)
    changes(F.Body, Keep);
  return Found;
}

Kernel shrink(Kernel K,
              const std::function<int(std::vector<Kernel> &)> &Fails) {
  constexpr size_t Batch = 40;
  constexpr std::chrono::seconds Patience(20);
  auto Start = std::chrono::steady_clock::now();
  for (bool Smaller = true; Smaller;) {
    Smaller = false;
    std::vector<Kernel> All = smaller(K);
    for (size_t I = 0; I < All.size() && !Smaller; I += Batch) {
      if (std::chrono::steady_clock::now() - Start > Patience)
        return K;
      std::vector<Kernel> Some(All.begin() + I,
                               All.begin() + std::min(I + Batch, All.size()));
      for (size_t J = 0; J < Some.size(); ++J)
        Some[J].Seed = J;
      int Which = Fails(Some);
      if (Which < 0)
        continue;
      uint32_t Seed = K.Seed;
      K = std::move(All[I + Which]);
      K.Seed = Seed;
      Smaller = true;
    }
  }
  return K;
}

} // namespace blockmaestro::soundness
