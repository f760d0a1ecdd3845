// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Flatten.h"

namespace blockmaestro::barriers {

namespace {

/// Jumps whose target is not known yet.
using Open = std::vector<unsigned>;

class Flattener {
public:
  explicit Flattener(const Kernel &K) : K(K) {}

  std::vector<Step> flatten() {
    list(K.Body);
    land(Returns);
    add(Action::End, nullptr);
    return std::move(Out);
  }

private:
  unsigned here() const { return Out.size(); }
  unsigned add(Action Does, const Statement *Of) {
    Step New;
    New.Does = Does;
    New.Of = Of;
    New.Loops = Loops;
    New.Base = Base;
    Out.push_back(New);
    return Out.size() - 1;
  }
  void jump(Open &To) { To.push_back(add(Action::Jump, nullptr)); }
  void land(const Open &From) {
    for (unsigned Each : From)
      Out[Each].Targets[0] = here();
  }
  void list(const Statements &List) {
    for (const Statement &S : List)
      statement(S);
  }
  void statement(const Statement &S);
  void choice(const Statement &S);
  void selection(const Statement &S);
  void loop(const Statement &S);
  void call(const Statement &S);

  const Kernel &K;
  std::vector<Step> Out;
  unsigned Loops = 0, Base = 0;
  Open Breaks, Continues, Returns;
};

void Flattener::choice(const Statement &S) {
  const unsigned Branch = add(Action::Branch, &S);
  Open End;
  Out[Branch].Targets[1] = here();
  list(S.Parts[0]);
  jump(End);
  Out[Branch].Targets[0] = here();
  list(S.Parts[1]);
  land(End);
}

/// A break in a case would leave the switch alone, so there is none.
void Flattener::selection(const Statement &S) {
  const unsigned Select = add(Action::Select, &S);
  Open End;
  for (unsigned I = 0; I < 3; ++I) {
    Out[Select].Targets[I] = here();
    list(S.Parts[I]);
    if (!(S.Falls >> I & 1))
      jump(End);
  }
  land(End);
}

void Flattener::loop(const Statement &S) {
  Open OuterBreaks, OuterContinues;
  std::swap(Breaks, OuterBreaks);
  std::swap(Continues, OuterContinues);
  add(Action::Enter, &S);
  const bool First = S.Form != LoopForm::Do;
  unsigned Top = here(), Test = 0;
  if (First) {
    Test = add(Action::More, &S);
    Out[Test].Targets[1] = here();
  } else {
    add(Action::Again, &S);
  }
  if (S.Form != LoopForm::For)
    add(Action::Count, &S);
  ++Loops;
  list(S.Parts[0]);
  --Loops;
  land(Continues);
  if (S.Form == LoopForm::For)
    add(Action::Count, &S);
  if (First) {
    Out[add(Action::Jump, nullptr)].Targets[0] = Top;
  } else {
    Test = add(Action::More, &S);
    Out[Test].Targets[1] = Top + 1;
  }
  Out[Test].Targets[0] = here();
  land(Breaks);
  Breaks = std::move(OuterBreaks);
  Continues = std::move(OuterContinues);
}

void Flattener::call(const Statement &S) {
  Open OuterReturns;
  std::swap(Returns, OuterReturns);
  const unsigned OuterBase = Base;
  Base = Loops;
  list(K.Functions[S.Number]);
  land(Returns);
  Base = OuterBase;
  Returns = std::move(OuterReturns);
}

void Flattener::statement(const Statement &S) {
  switch (S.Does) {
  case Kind::If:
    return choice(S);
  case Kind::Switch:
    return selection(S);
  case Kind::Loop:
    return loop(S);
  case Kind::Break:
    return jump(Breaks);
  case Kind::Continue:
    return jump(Continues);
  case Kind::Return:
    return jump(Returns);
  case Kind::Exit:
    add(Action::End, &S);
    return;
  case Kind::Call:
    return call(S);
  default:
    add(Action::Run, &S);
  }
}

} // namespace

std::vector<Step> flatten(const Kernel &K) { return Flattener(K).flatten(); }

} // namespace blockmaestro::barriers
