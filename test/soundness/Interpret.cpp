// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpret.h"

#include "Contents.h"

#include <algorithm>

namespace blockmaestro::soundness {

namespace {

constexpr unsigned StepsPerLaunch = 150000;
constexpr unsigned DeepestCall = 64;

/// What a variable holds: an integer or a pointer.
struct Slot {
  Wide Number = 0;
  unsigned Array = 0;
  int64_t Offset = 0;
  Wide Ideal = 0; ///< Without wrapping around; only where that is watched.
};

struct Frame {
  std::vector<Slot> Locals, Pointers;
};

enum class Flow { Next, Break, Continue, Return, Exit, Stop };

class Machine {
public:
  Machine(const Kernel &K, const LaunchCase &L, Watched *Watch)
      : K(K), L(L), Watch(Watch) {}

  /// False once the launch cannot be judged.
  bool run(Dim3 TheBlock, Dim3 TheThread, BlockTruth &To);
  Outcome outcome() const { return Result; }

private:
  Wide number(const Node &N);
  Wide logic(const Node &N);
  Wide arithmetic(const Node &N);
  Wide ideal(const Node &N);
  void compareIdeal(const Node &N, Wide Value);
  void assign(Slot &To, Int T, const Node &Value);
  Slot pointer(const Node &N);
  Slot advance(Slot From, Wide Bytes);
  void note(unsigned Array, int64_t Low, int64_t High, int64_t Align);
  Wide load(const Node &Where);
  Wide fetch(const Node &Where, Wide Added);
  Wide contents(Slot Where, Int T) const;
  Slot chosen(const Node &N);
  Slot touch(const Node &Where, AccessKind Kind, Wide Bytes, bool Typed = true);
  void touchAt(Slot At, AccessKind Kind, Wide Bytes, bool Typed);
  void assembly(const Node &N);
  Flow enter(const Node &Call, unsigned Id, size_t First);
  Flow statement(const Node &N);
  Flow sequence(const Node &N);
  Flow loop(const Node &N);
  Flow choose(const Node &N);
  Flow simple(const Node &N);
  void access(const Node &N);
  void undefined() {
    if (Result == Outcome::Done)
      Result = Outcome::Undefined;
  }
  bool stopped() const { return Result != Outcome::Done; }

  const Kernel &K;
  const LaunchCase &L;
  Watched *Watch; ///< Or null.
  Dim3 Block, Thread;
  BlockTruth *Truth = nullptr;
  Frame Now;
  Wide Returned = 0;
  unsigned Line = 0;
  unsigned Steps = 0;
  unsigned Depth = 0;
  std::map<std::pair<unsigned, int64_t>, Wide> Counters;
  Outcome Result = Outcome::Done;
};

bool Machine::run(Dim3 TheBlock, Dim3 TheThread, BlockTruth &To) {
  Block = TheBlock;
  Thread = TheThread;
  Truth = &To;
  Now.Locals.assign(K.Locals.size(), {});
  Now.Pointers.assign(K.Pointers.size(), {});
  statement(K.Body);
  return !stopped();
}

Wide Machine::logic(const Node &N) {
  switch (N.What) {
  case Op::Not:
    return number(N.Kids[0]) == 0;
  case Op::AndAlso:
    return number(N.Kids[0]) != 0 && number(N.Kids[1]) != 0;
  case Op::OrElse:
    return number(N.Kids[0]) != 0 || number(N.Kids[1]) != 0;
  default:
    return wrapped(
        number(N.Kids[0]) != 0 ? number(N.Kids[1]) : number(N.Kids[2]), N.Type);
  }
}

Wide Machine::arithmetic(const Node &N) {
  Wide A = number(N.Kids[0]);
  bool Bad = false;
  Wide Value = 0;
  if (N.What == Op::Binary) {
    Wide B = number(N.Kids[1]);
    Value = apply(Operator(N.Value), A, N.Kids[0].Type, B, N.Kids[1].Type, Bad);
    if (isComparison(Operator(N.Value))) {
      const Int T = common(N.Kids[0].Type, N.Kids[1].Type);
      compareIdeal(N.Kids[0], wrapped(A, T));
      compareIdeal(N.Kids[1], wrapped(B, T));
    }
  } else if (N.What == Op::Negate) {
    Value = apply(Operator::Subtract, 0, N.Type, A, N.Type, Bad);
  } else if (N.What == Op::Complement) {
    Value = wrapped(-wrapped(A, N.Type) - 1, N.Type);
  } else {
    A = wrapped(A, N.Type);
    Wide B = wrapped(number(N.Kids[1]), N.Type);
    Value = N.What == Op::Minimum ? std::min(A, B) : std::max(A, B);
  }
  if (Bad)
    undefined();
  return Value;
}

/// What sums and products would be in integers without bounds.
Wide Machine::ideal(const Node &N) {
  constexpr Wide Huge = Wide(1) << 62;
  Wide A = 0, B = 0;
  switch (N.What) {
  case Op::Local:
    return Now.Locals[N.Id].Ideal;
  case Op::Cast:
    return ideal(N.Kids[0]);
  case Op::Minimum:
    return std::min(ideal(N.Kids[0]), ideal(N.Kids[1]));
  case Op::Maximum:
    return std::max(ideal(N.Kids[0]), ideal(N.Kids[1]));
  case Op::Binary:
    if (Operator(N.Value) > Operator::Multiply)
      return number(N);
    A = ideal(N.Kids[0]);
    B = ideal(N.Kids[1]);
    if (std::max(A, B) > Huge || std::min(A, B) < -Huge) {
      Watch->Wraps = true;
      return 0;
    }
    return Operator(N.Value) == Operator::Add        ? A + B
           : Operator(N.Value) == Operator::Subtract ? A - B
                                                     : A * B;
  default:
    return number(N);
  }
}

/// N, of that value, decides something or becomes an address.
void Machine::compareIdeal(const Node &N, Wide Value) {
  if (Watch && Watch->AskWraps && !Watch->Wraps)
    Watch->Wraps = ideal(N) != Value;
}

/// To becomes Value, as a variable of type T.
void Machine::assign(Slot &To, Int T, const Node &Value) {
  const Wide Ideal = Watch && Watch->AskWraps ? ideal(Value) : 0;
  To.Number = wrapped(number(Value), T);
  To.Ideal = Ideal;
}

Wide Machine::number(const Node &N) {
  if (stopped())
    return 0;
  const Dim3 *Registers[] = {&Thread, &Block, &L.Block, &L.Grid};
  switch (N.What) {
  case Op::Constant:
    return N.Value;
  case Op::Register:
    return (*Registers[N.Value / 3])[N.Value % 3];
  case Op::Scalar:
    return L.Scalars[N.Id];
  case Op::Local:
    return Now.Locals[N.Id].Number;
  case Op::Cast:
    return wrapped(number(N.Kids[0]), N.Type);
  case Op::Before: {
    Slot A = pointer(N.Kids[0]), B = pointer(N.Kids[1]);
    return A.Offset < B.Offset;
  }
  case Op::Load:
    return load(N.Kids[0]);
  case Op::Fetch:
    return fetch(N.Kids[0], number(N.Kids[1]));
  case Op::CallInteger:
    Returned = 0;
    enter(N, N.Id, 0);
    return Returned;
  case Op::Not:
  case Op::AndAlso:
  case Op::OrElse:
  case Op::Choose:
    return logic(N);
  default:
    return arithmetic(N);
  }
}

/// Pointers stay inside their array or right behind it.
Slot Machine::advance(Slot From, Wide Bytes) {
  Extent Within = extentOf(K.Arrays[From.Array]);
  Wide To = From.Offset + Bytes;
  if (To < Within.Low || To > Within.High)
    undefined();
  else
    From.Offset = int64_t(To);
  note(From.Array, From.Offset, From.Offset, 1);
  return From;
}

/// Pointers to Low and High have been formed, or the bytes between touched.
void Machine::note(unsigned Array, int64_t Low, int64_t High, int64_t Align) {
  if (!Watch)
    return;
  Spread &Known = Watch->Arrays[Array];
  Known.Within.Low = std::min(Known.Within.Low, Low);
  Known.Within.High = std::max(Known.Within.High, High);
  Known.Align = std::max(Known.Align, Align);
}

Slot Machine::pointer(const Node &N) {
  if (stopped())
    return {};
  switch (N.What) {
  case Op::Array:
    return {0, N.Id, 0};
  case Op::Pointer:
    return Now.Pointers[N.Id];
  case Op::Advance: {
    Slot From = pointer(N.Kids[0]);
    Wide By = number(N.Kids[1]);
    compareIdeal(N.Kids[1], By);
    return advance(From, By * traits(N.Of).Bytes);
  }
  case Op::Either:
    return pointer(number(N.Kids[0]) != 0 ? N.Kids[1] : N.Kids[2]);
  case Op::Field:
    return advance(pointer(N.Kids[0]), 4 * N.Value);
  case Op::Chosen:
    return chosen(N);
  default:
    return pointer(N.Kids[0]);
  }
}

Slot Machine::chosen(const Node &N) {
  const BundleInfo &B = K.Bundles[N.Id];
  const Wide Index = number(N.Kids[0]);
  if (Index < 0 || Index >= Wide(B.Arrays.size()) ||
      B.Arrays[size_t(Index)] == BundleInfo::Unused) {
    undefined();
    return {};
  }
  return {0, unsigned(B.Arrays[size_t(Index)]), 0};
}

Slot Machine::touch(const Node &Where, AccessKind Kind, Wide Bytes,
                    bool Typed) {
  Slot At = pointer(Where);
  touchAt(At, Kind, Bytes, Typed);
  return At;
}

/// Typed accesses are aligned.
void Machine::touchAt(Slot At, AccessKind Kind, Wide Bytes, bool Typed) {
  if (stopped() || Bytes == 0)
    return;
  Extent Within = extentOf(K.Arrays[At.Array]);
  const int64_t Align = Typed ? int64_t(Bytes) & -int64_t(Bytes) : 1;
  if (Bytes < 0 || Bytes > HalfAllocation || At.Offset + Bytes > Within.High ||
      (Typed && At.Offset & (Align - 1)))
    return undefined();
  const int64_t End = At.Offset + int64_t(Bytes);
  (*Truth)[{At.Array, Kind, Line}].add(At.Offset, End - 1);
  note(At.Array, At.Offset, End, Align);
  if (!Watch)
    return;
  Extent &Touched = Watch->Arrays[At.Array].Touched;
  Touched = {std::min(Touched.Low, At.Offset), std::max(Touched.High, End)};
}

/// What is under a predicate has its address anyway.
void Machine::assembly(const Node &N) {
  Slot At = pointer(N.Kids[0]);
  if (N.Kids.size() > 1 && number(N.Kids[1]) == 0)
    return;
  constexpr AccessKind Kinds[] = {AccessKind::Read, AccessKind::Write,
                                  AccessKind::Atomic, AccessKind::Atomic};
  touchAt(advance(At, displacementOf(N)), Kinds[assemblyForm(N).What],
          traits(N.Kids[0].Of).Bytes, true);
}

Wide Machine::contents(Slot Where, Int T) const {
  return wrapped(contentsAt(L.Contents, Where.Array, Where.Offset, L.WildTables,
                            traits(T).Signed),
                 T);
}

Wide Machine::load(const Node &Where) {
  Slot At = touch(Where, AccessKind::Read, traits(Where.Of).Bytes);
  return stopped() ? 0 : contents(At, integerOf(Where.Of));
}

Wide Machine::fetch(const Node &Where, Wide Added) {
  Slot At = touch(Where, AccessKind::Atomic, traits(Where.Of).Bytes);
  if (stopped())
    return 0;
  Int T = integerOf(Where.Of);
  auto [It, New] = Counters.try_emplace({At.Array, At.Offset}, 0);
  if (New)
    It->second = contents(At, T);
  Wide Old = It->second;
  It->second = wrapped(Old + Added, T);
  return Old;
}

Flow Machine::enter(const Node &Call, unsigned Id, size_t First) {
  const Function &F = K.Functions[Id];
  if (++Depth > DeepestCall) {
    Result = Outcome::TooLong;
    return Flow::Stop;
  }
  Frame Callee = Now;
  for (size_t I = 0; I < F.Parameters.size(); ++I) {
    const Function::Parameter &P = F.Parameters[I];
    const Node &Argument = Call.Kids[First + I];
    if (P.IsPointer)
      Callee.Pointers[P.Id] = pointer(Argument);
    else
      assign(Callee.Locals[P.Id], K.Locals[P.Id], Argument);
  }
  std::swap(Now, Callee);
  unsigned CallLine = Line;
  const Flow How = stopped() ? Flow::Stop : statement(F.Body);
  Line = CallLine;
  std::swap(Now, Callee);
  --Depth;
  return stopped() ? Flow::Stop : How == Flow::Exit ? How : Flow::Next;
}

Flow Machine::sequence(const Node &N) {
  for (const Node &Each : N.Kids)
    if (Flow F = statement(Each); F != Flow::Next)
      return F;
  return Flow::Next;
}

Flow Machine::loop(const Node &N) {
  bool Counted = N.What == Op::For, TestsLast = N.What == Op::DoWhile;
  const Node &Condition = Counted ? N.Kids[1] : N.Kids[TestsLast ? 1 : 0];
  const Node &Body = N.Kids[Counted ? 3 : TestsLast ? 0 : 1];
  if (Counted)
    assign(Now.Locals[N.Kids[0].Id], K.Locals[N.Kids[0].Id], N.Kids[0].Kids[0]);
  for (bool First = true; !stopped(); First = false) {
    Line = TestsLast ? N.EndLine : N.Line;
    if (!(First && TestsLast) && number(Condition) == 0)
      break;
    if (++Steps > StepsPerLaunch)
      Result = Outcome::TooLong;
    Flow F = statement(Body);
    if (F == Flow::Return || F == Flow::Exit || F == Flow::Stop)
      return F;
    if (F == Flow::Break)
      break;
    Line = N.Line;
    if (Counted)
      assign(Now.Locals[N.Kids[2].Id], K.Locals[N.Kids[2].Id],
             N.Kids[2].Kids[0]);
  }
  return stopped() ? Flow::Stop : Flow::Next;
}

/// A switch: from the first case that fits until one that ends.
Flow Machine::choose(const Node &N) {
  Int T = promoted(N.Kids[0].Type);
  Wide Value = number(N.Kids[0]);
  size_t From = N.Kids.size();
  for (size_t I = N.Kids.size() - 1; I > 0; --I)
    if (N.Kids[I].Id == 2)
      From = I;
  for (size_t I = N.Kids.size() - 1; I > 0; --I)
    if (N.Kids[I].Id != 2 && wrapped(N.Kids[I].Value, T) == Value)
      From = I;
  for (size_t I = From; I < N.Kids.size() && !stopped(); ++I) {
    Flow F = statement(N.Kids[I].Kids[0]);
    if (F == Flow::Break)
      return Flow::Next;
    if (F != Flow::Next)
      return F;
    if (N.Kids[I].Id != 1)
      break;
  }
  return Flow::Next;
}

void Machine::access(const Node &N) {
  Wide Size = traits(N.Kids[0].Of).Bytes;
  if (N.What == Op::Atomic && N.Value == 3)
    touch(N.Kids[0], AccessKind::Read, Size);
  touch(N.Kids[0],
        N.What == Op::Read    ? AccessKind::Read
        : N.What == Op::Write ? AccessKind::Write
                              : AccessKind::Atomic,
        Size);
}

Flow Machine::simple(const Node &N) {
  switch (N.What) {
  case Op::Let:
  case Op::Set:
    assign(Now.Locals[N.Id], K.Locals[N.Id], N.Kids[0]);
    break;
  case Op::LetPointer:
  case Op::SetPointer:
    Now.Pointers[N.Id] = pointer(N.Kids[0]);
    break;
  case Op::Read:
  case Op::Write:
  case Op::Atomic:
    access(N);
    break;
  case Op::Assembly:
    assembly(N);
    break;
  case Op::Copy:
    touch(N.Kids[1], AccessKind::Read, number(N.Kids[2]), false);
    touch(N.Kids[0], AccessKind::Write, number(N.Kids[2]), false);
    break;
  case Op::Fill:
    touch(N.Kids[0], AccessKind::Write, number(N.Kids[1]), false);
    break;
  case Op::Stage:
  case Op::Scratch:
    number(N.Kids[0]);
    break;
  case Op::ReturnInteger:
    Returned = wrapped(number(N.Kids[0]), Int::I32);
    return Flow::Return;
  default:
    break;
  }
  return stopped() ? Flow::Stop : Flow::Next;
}

Flow Machine::statement(const Node &N) {
  if (stopped() || ++Steps > StepsPerLaunch) {
    if (!stopped())
      Result = Outcome::TooLong;
    return Flow::Stop;
  }
  Line = N.Line;
  switch (N.What) {
  case Op::Sequence:
    return sequence(N);
  case Op::If:
    return statement(number(N.Kids[0]) != 0 ? N.Kids[1] : N.Kids[2]);
  case Op::For:
  case Op::While:
  case Op::DoWhile:
    return loop(N);
  case Op::Switch:
    return choose(N);
  case Op::Return:
    return Flow::Return;
  case Op::Exit:
    return N.Kids.empty() || number(N.Kids[0]) != 0 ? Flow::Exit : Flow::Next;
  case Op::Break:
    return Flow::Break;
  case Op::Continue:
    return Flow::Continue;
  case Op::Call:
    return enter(N, N.Id, 0);
  case Op::CallVia:
    return enter(N, number(N.Kids[0]) != 0 ? N.Id : unsigned(N.Value), 1);
  default:
    return simple(N);
  }
}

/// What C++ aligns an element to.
int64_t alignmentOf(Element E) {
  const int64_t Bytes = traits(E).Bytes;
  return Bytes & -Bytes;
}

} // namespace

Extent extentOf(const ArrayInfo &A) {
  if (A.Where >= ArrayInfo::Device)
    return {0, int64_t(A.Length * traits(A.Of).Bytes)};
  return {-HalfAllocation, HalfAllocation};
}

Outcome interpret(const Kernel &K, const LaunchCase &L,
                  std::vector<BlockTruth> &Blocks, Watched *Watch) {
  Machine M(K, L, Watch);
  if (Watch) {
    *Watch = {{}, Watch->AskWraps, false};
    for (const ArrayInfo &A : K.Arrays)
      Watch->Arrays.emplace_back().Align = alignmentOf(A.Of);
  }
  Blocks.assign(L.Grid.count(), {});
  for (uint64_t B = 0; B < L.Grid.count(); ++B) {
    for (uint64_t T = 0; T < L.Block.count(); ++T)
      if (!M.run(blockOf(B, L.Grid), blockOf(T, L.Block), Blocks[B]))
        return M.outcome();
    for (auto &[Key, Set] : Blocks[B])
      Set.normalise();
  }
  return Outcome::Done;
}

} // namespace blockmaestro::soundness
