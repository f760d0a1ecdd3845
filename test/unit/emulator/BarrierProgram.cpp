// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BarrierProgram.h"

#include "ThreadScheduler.h"

#include <algorithm>
#include <functional>

namespace blockmaestro {

namespace {

/// Writes structured code as steps with jumps.
class ProgramWriter {
public:
  ProgramWriter(std::mt19937 &Random, unsigned Divergence, bool OfWarps)
      : Random(Random), Divergence(Divergence), OfWarps(OfWarps) {}

  BarrierProgram write();

private:
  unsigned below(unsigned N) { return Random() % N; }
  unsigned variable() { return below(ProgramVariables); }
  unsigned here() const { return Out.Steps.size(); }
  unsigned add(Step S) {
    Out.Steps.push_back(S);
    return Out.Steps.size() - 1;
  }
  void condition(unsigned Into);
  void statements(unsigned Depth);
  void statement(unsigned Depth);
  void simple();
  void choice(unsigned Depth);
  void selection(unsigned Depth);
  void loop(unsigned Depth);
  void stride(unsigned Depth);
  void leaveSome();

  std::mt19937 &Random;
  unsigned Divergence;
  bool OfWarps;
  BarrierProgram Out;
};

/// Leaves 0 or 1 in a variable: from parameters and the round, or from the
/// thread.
void ProgramWriter::condition(unsigned Into) {
  unsigned With = variable();
  if (below(100) < Divergence)
    add({.Kind = StepKind::Thread, .D = Into});
  else if (OfWarps && below(2))
    add({.Kind = StepKind::Warp, .D = Into});
  else
    add({.Kind = StepKind::Parameter,
         .D = Into,
         .Immediate = below(ProgramParameters)});
  if (below(2))
    add({.Kind = StepKind::Xor, .D = Into, .A = Into, .B = RoundVariable});
  if (With != Into && below(100) < Divergence)
    add({.Kind = StepKind::Add, .D = Into, .A = Into, .B = With});
  add({.Kind = StepKind::Mask,
       .D = Into,
       .A = Into,
       .Immediate = 1u << below(2)});
}

void ProgramWriter::simple() {
  static constexpr StepKind Kinds[] = {
      StepKind::Thread,   StepKind::Parameter, StepKind::Add,
      StepKind::Multiply, StepKind::Xor,       StepKind::Less,
      StepKind::Mask,     StepKind::Put,       StepKind::Get,
      StepKind::Publish,  StepKind::Fetch,     StepKind::Barrier,
      StepKind::Barrier,  StepKind::Count,     StepKind::And,
      StepKind::Or};
  Step S{.Kind = Kinds[below(std::size(Kinds))],
         .D = variable(),
         .A = variable(),
         .B = variable(),
         .Immediate = below(64)};
  if (OfWarps && below(3) == 0) {
    S.Kind = StepKind::Lanes;
    S.Immediate = Random();
  }
  if (S.Kind == StepKind::Parameter)
    S.Immediate %= ProgramParameters;
  add(S);
}

void ProgramWriter::choice(unsigned Depth) {
  unsigned C = variable();
  condition(C);
  unsigned Branch = add({.Kind = StepKind::Branch, .A = C});
  Out.Steps[Branch].Targets[1] = here();
  statements(Depth - 1);
  unsigned Skip = add({.Kind = StepKind::Jump});
  Out.Steps[Branch].Targets[0] = here();
  if (below(2))
    statements(Depth - 1);
  else if (below(4) == 0)
    add({.Kind = StepKind::Return});
  Out.Steps[Skip].Targets[0] = here();
}

void ProgramWriter::selection(unsigned Depth) {
  unsigned Switch =
      add({.Kind = StepKind::Switch,
           .A = below(100) < Divergence ? variable() : RoundVariable});
  unsigned Skips[3];
  for (unsigned K = 0; K < 3; ++K) {
    Out.Steps[Switch].Targets[K] = here();
    statements(Depth - 1);
    Skips[K] = add({.Kind = StepKind::Jump});
  }
  for (unsigned Skip : Skips)
    Out.Steps[Skip].Targets[0] = here();
}

/// A loop of at most four rounds, tested before or after, left early or not.
/// Its counter is private memory that nothing else in the loop can reach: one
/// of two extra variables, by depth.
void ProgramWriter::loop(unsigned Depth) {
  unsigned Counter = RoundVariable + Depth;
  unsigned Limit = Counter + 3, One = RoundVariable + 7;
  add({.Kind = StepKind::Constant, .D = Counter, .Immediate = 0});
  add({.Kind = StepKind::Constant, .D = One, .Immediate = 1});
  condition(Limit);
  if (below(100) < Divergence)
    add({.Kind = StepKind::Thread, .D = Limit});
  add({.Kind = StepKind::Mask, .D = Limit, .A = Limit, .Immediate = 3});
  bool TestFirst = below(2), Leave = below(3) == 0;
  unsigned Head = here(), Exit = 0, Break = 0, Test = RoundVariable + 8;
  if (TestFirst) {
    add({.Kind = StepKind::Less, .D = Test, .A = Counter, .B = Limit});
    Exit = add({.Kind = StepKind::Branch, .A = Test});
    Out.Steps[Exit].Targets[1] = here();
  }
  add({.Kind = StepKind::Constant, .D = One, .Immediate = 1});
  add({.Kind = StepKind::Add, .D = Counter, .A = Counter, .B = One});
  if (Leave) {
    condition(Test);
    Break = add({.Kind = StepKind::Branch, .A = Test});
    Out.Steps[Break].Targets[0] = here();
  }
  statements(Depth - 1);
  if (TestFirst) {
    Out.Steps[add({.Kind = StepKind::Jump})].Targets[0] = Head;
    Out.Steps[Exit].Targets[0] = here();
  } else {
    add({.Kind = StepKind::Less, .D = Test, .A = Counter, .B = Limit});
    unsigned Again = add({.Kind = StepKind::Branch, .A = Test});
    Out.Steps[Again].Targets[1] = Head;
    Out.Steps[Again].Targets[0] = here();
  }
  if (Leave)
    Out.Steps[Break].Targets[1] = below(2) ? here() : Head;
  if (Leave && Out.Steps[Break].Targets[1] == Head && !TestFirst)
    Out.Steps[Break].Targets[1] = here();
}

/// A loop in which threads go side by side, from their number on in steps that
/// are the same for all.
void ProgramWriter::stride(unsigned Depth) {
  static constexpr StepKind Kinds[] = {
      StepKind::Thread, StepKind::Add,  StepKind::Multiply, StepKind::Xor,
      StepKind::Less,   StepKind::Mask, StepKind::Put,      StepKind::Get};
  unsigned Counter = RoundVariable + Depth, Limit = Counter + 3;
  unsigned Some = RoundVariable + 7, Test = RoundVariable + 8;
  auto Number = [&](uint32_t N) {
    add({.Kind = StepKind::Constant, .D = Some, .Immediate = N});
  };
  add({.Kind = StepKind::Thread, .D = Counter});
  Number(below(2) * below(40));
  add({.Kind = StepKind::Add, .D = Counter, .A = Counter, .B = Some});
  add({.Kind = StepKind::Parameter,
       .D = Limit,
       .Immediate = below(ProgramParameters)});
  Number(below(100));
  add({.Kind = StepKind::Multiply, .D = Limit, .A = Limit, .B = Some});
  unsigned Head =
      add({.Kind = StepKind::Less, .D = Test, .A = Counter, .B = Limit});
  unsigned Exit = add({.Kind = StepKind::Branch, .A = Test});
  Out.Steps[Exit].Targets[1] = here();
  for (unsigned Count = 1 + below(3); Count > 0; --Count)
    add({.Kind = Kinds[below(std::size(Kinds))],
         .D = variable(),
         .A = below(3) ? variable() : Counter,
         .B = variable(),
         .Immediate = below(64)});
  Number(1 + below(128));
  add({.Kind = StepKind::Add, .D = Counter, .A = Counter, .B = Some});
  Out.Steps[add({.Kind = StepKind::Jump})].Targets[0] = Head;
  Out.Steps[Exit].Targets[0] = here();
}

/// Lets some threads of each warp return.
void ProgramWriter::leaveSome() {
  unsigned Test = RoundVariable + 8;
  add({.Kind = StepKind::Thread, .D = Test});
  add({.Kind = StepKind::Mask,
       .D = Test,
       .A = Test,
       .Immediate = 1u << below(5)});
  unsigned Branch = add({.Kind = StepKind::Branch, .A = Test});
  Out.Steps[Branch].Targets[1] = here();
  add({.Kind = StepKind::Return});
  Out.Steps[Branch].Targets[0] = here();
}

void ProgramWriter::statement(unsigned Depth) {
  unsigned Kind = Depth == 0 ? 0 : below(9);
  if (Kind == 5)
    choice(Depth);
  else if (Kind == 6)
    selection(Depth);
  else if (Kind == 7)
    loop(Depth);
  else if (Kind == 8)
    stride(Depth);
  else
    simple();
}

void ProgramWriter::statements(unsigned Depth) {
  for (unsigned Count = 1 + below(4); Count > 0; --Count)
    statement(Depth);
}

BarrierProgram ProgramWriter::write() {
  for (unsigned V = 0; V < ProgramVariables; ++V) {
    add({.Kind = StepKind::Thread, .D = V});
    add({.Kind = StepKind::Mask, .D = V, .A = V, .Immediate = below(16)});
  }
  statements(3);
  if (OfWarps && below(3) == 0)
    leaveSome();
  statements(3);
  add({.Kind = StepKind::Return});
  return std::move(Out);
}

/// The state of one thread between two barriers.
struct ThreadState {
  unsigned At = 0;
  bool Returned = false;
  uint32_t Variables[16] = {};
  uint32_t Private[PrivateWords] = {};
};

/// The state of a block.
struct BlockState {
  const BarrierProgram &P;
  const uint32_t *Parameters;
  std::vector<ThreadState> Threads;
  std::vector<uint32_t> Shared;
  uint32_t Arrived[2] = {0, 0}; ///< With false, with true.

  void compute(ThreadState &T, unsigned Linear, const Step &S);
  void runToBarrier(unsigned Linear);
  void finishBarrier(ThreadState &T, const uint32_t *Met);
  bool finishBarriers();
  bool finishLanes(unsigned Warp);
  bool runToBarriers();
};

bool isBarrier(StepKind Kind) {
  return Kind >= StepKind::Barrier && Kind <= StepKind::Or;
}

void BlockState::compute(ThreadState &T, unsigned Linear, const Step &S) {
  uint32_t *V = T.Variables;
  unsigned Count = Threads.size(), Round = V[RoundVariable];
  switch (S.Kind) {
  case StepKind::Constant:
    V[S.D] = S.Immediate;
    break;
  case StepKind::Thread:
    V[S.D] = Linear;
    break;
  case StepKind::Warp:
    V[S.D] = Linear / WarpSize;
    break;
  case StepKind::Parameter:
    V[S.D] = Parameters[S.Immediate];
    break;
  case StepKind::Add:
    V[S.D] = V[S.A] + V[S.B];
    break;
  case StepKind::Multiply:
    V[S.D] = V[S.A] * V[S.B];
    break;
  case StepKind::Xor:
    V[S.D] = V[S.A] ^ V[S.B];
    break;
  case StepKind::Less:
    V[S.D] = V[S.A] < V[S.B];
    break;
  case StepKind::Mask:
    V[S.D] = V[S.A] & S.Immediate;
    break;
  case StepKind::Put:
    T.Private[V[S.A] % PrivateWords] = V[S.B];
    break;
  case StepKind::Get:
    V[S.D] = T.Private[V[S.A] % PrivateWords];
    break;
  case StepKind::Publish:
    Shared[Round % 2 * Count + Linear] = V[S.A];
    break;
  case StepKind::Fetch:
    V[S.D] = Shared[(Round + 1) % 2 * Count + (Linear + S.Immediate) % Count];
    break;
  default:
    break;
  }
}

/// Runs a thread until it stands at a barrier or a step of its warp or has
/// returned.
void BlockState::runToBarrier(unsigned Linear) {
  ThreadState &T = Threads[Linear];
  while (true) {
    const Step &S = P.Steps[T.At];
    uint32_t A = T.Variables[S.A];
    if (isBarrier(S.Kind)) {
      if (S.Kind != StepKind::Barrier)
        ++Arrived[A & 1];
      return;
    }
    if (S.Kind == StepKind::Return) {
      T.Returned = true;
      return;
    }
    if (S.Kind == StepKind::Lanes)
      return;
    compute(T, Linear, S);
    if (S.Kind == StepKind::Branch)
      T.At = S.Targets[A != 0];
    else if (S.Kind == StepKind::Switch)
      T.At = S.Targets[A % 3];
    else
      T.At = S.Kind == StepKind::Jump ? S.Targets[0] : T.At + 1;
  }
}

void BlockState::finishBarrier(ThreadState &T, const uint32_t *Met) {
  const Step &S = P.Steps[T.At++];
  ++T.Variables[RoundVariable];
  if (S.Kind == StepKind::Count)
    T.Variables[S.D] = Met[1];
  if (S.Kind == StepKind::And)
    T.Variables[S.D] = Met[0] == 0;
  if (S.Kind == StepKind::Or)
    T.Variables[S.D] = Met[1] != 0;
}

/// Lets all threads go on, which stand at barriers; whether there are any.
bool BlockState::finishBarriers() {
  const uint32_t Met[2] = {Arrived[0], Arrived[1]};
  Arrived[0] = Arrived[1] = 0;
  bool Alive = false;
  for (ThreadState &T : Threads)
    if (!T.Returned) {
      finishBarrier(T, Met);
      Alive = true;
    }
  return Alive;
}

/// Does what the lanes of \p Warp stand at together; whether they do.
bool BlockState::finishLanes(unsigned Warp) {
  WarpState W;
  uint32_t Lanes = 0;
  const Step *At = nullptr;
  for (unsigned L = 0; L < WarpSize && Warp * WarpSize + L < Threads.size();
       ++L) {
    ThreadState &T = Threads[Warp * WarpSize + L];
    if (T.Returned)
      continue;
    if (At && At != &P.Steps[T.At])
      return false;
    At = &P.Steps[T.At];
    if (At->Kind != StepKind::Lanes)
      return false;
    const LaneStep Is = laneStep(*At);
    Lanes |= 1u << L;
    W.Value[L] = T.Variables[At->A] & Is.Brings;
    W.Second[L] = Is.Varies ? T.Variables[At->B] : Is.Second;
    W.Third[L] = Is.Third;
    W.Outcome[L] = 0;
  }
  if (!At)
    return false;
  const WarpOperation Operation = laneStep(*At).Operation;
  if (Operation != WarpOperation::Active)
    resolve(W, Operation, Lanes);
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Lanes >> L & 1) {
      ThreadState &T = Threads[Warp * WarpSize + L];
      uint64_t Got = Operation == WarpOperation::Active ? Lanes : W.Outcome[L];
      if (Operation != WarpOperation::Sync)
        T.Variables[At->D] = uint32_t(Got) + uint32_t(Got >> 32) * 1000;
      ++T.At;
      runToBarrier(Warp * WarpSize + L);
    }
  return true;
}

/// Runs all threads to barriers, warp by warp; whether lanes came together.
bool BlockState::runToBarriers() {
  for (unsigned T = 0; T < Threads.size(); ++T)
    if (!Threads[T].Returned)
      runToBarrier(T);
  for (unsigned W = 0; W * WarpSize < Threads.size(); ++W)
    while (finishLanes(W)) {
    }
  return none_of(Threads.begin(), Threads.end(), [&](const ThreadState &T) {
    return !T.Returned && P.Steps[T.At].Kind == StepKind::Lanes;
  });
}

std::vector<uint32_t> variablesOf(const BlockState &Block) {
  std::vector<uint32_t> Out;
  for (const ThreadState &T : Block.Threads)
    Out.insert(Out.end(), T.Variables, T.Variables + ProgramVariables);
  return Out;
}

} // namespace

LaneStep laneStep(const Step &S) {
  using enum WarpOperation;
  static constexpr WarpOperation Operations[] = {ShuffleUp,
                                                 ShuffleDown,
                                                 ShuffleButterfly,
                                                 ShuffleIndex,
                                                 ShuffleUp,
                                                 ShuffleDown,
                                                 ShuffleButterfly,
                                                 ShuffleIndex,
                                                 VoteAll,
                                                 VoteAny,
                                                 VoteUniform,
                                                 Ballot,
                                                 MatchAny,
                                                 MatchAll,
                                                 Elect,
                                                 Add,
                                                 And,
                                                 Or,
                                                 Xor,
                                                 Minimum,
                                                 Maximum,
                                                 UnsignedMinimum,
                                                 UnsignedMaximum,
                                                 Active,
                                                 Sync};
  const WarpOperation Is = Operations[S.Immediate % std::size(Operations)];
  const uint32_t Bits = S.Immediate / std::size(Operations);
  const uint32_t Segment = 32 - (32u >> (Bits % 4 == 3 ? Bits / 4 % 5 : 0));
  uint32_t Brings = ~0u;
  if (Is >= VoteAll && Is <= Ballot)
    Brings = 1;
  else if (Is == MatchAny || Is == MatchAll)
    Brings = 3;
  return {Is, (Bits & 64) != 0, Bits / 128 % 32,
          Segment << 8 | (Is == ShuffleUp ? 0 : 31), Brings};
}

BarrierProgram randomProgram(std::mt19937 &Random, unsigned Divergence,
                             bool OfWarps) {
  return ProgramWriter(Random, Divergence, OfWarps).write();
}

std::optional<std::vector<uint32_t>>
interpretWarps(const BarrierProgram &P, unsigned Threads,
               const uint32_t *Parameters) {
  BlockState Block{P, Parameters, std::vector<ThreadState>(Threads),
                   std::vector<uint32_t>(2 * Threads)};
  do {
    if (!Block.runToBarriers())
      return std::nullopt;
  } while (Block.finishBarriers());
  return variablesOf(Block);
}

std::vector<uint32_t> interpret(const BarrierProgram &P, unsigned Threads,
                                const uint32_t *Parameters) {
  BlockState Block{P, Parameters, std::vector<ThreadState>(Threads),
                   std::vector<uint32_t>(2 * Threads)};
  for (bool Alive = true; Alive;) {
    Alive = false;
    for (unsigned T = 0; T < Threads; ++T)
      if (!Block.Threads[T].Returned)
        Block.runToBarrier(T);
    Alive = Block.finishBarriers();
  }
  return variablesOf(Block);
}

std::string BarrierProgram::text() const {
  static const char *const Names[] = {
      "constant", "thread", "parameter", "add",   "multiply", "xor",
      "less",     "mask",   "put",       "get",   "publish",  "fetch",
      "barrier",  "count",  "and",       "or",    "warp",     "lanes",
      "branch",   "jump",   "switch",    "return"};
  std::string Text;
  for (size_t K = 0; K < Steps.size(); ++K) {
    const Step &S = Steps[K];
    Text += std::to_string(K) + ": " + Names[unsigned(S.Kind)];
    for (unsigned N : {S.D, S.A, S.B, unsigned(S.Immediate), S.Targets[0],
                       S.Targets[1], S.Targets[2]})
      Text += " " + std::to_string(N);
    Text += "\n";
  }
  return Text;
}

} // namespace blockmaestro
