// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Flatten.h"
#include "Inputs/BarrierMemory.h"

#include <algorithm>
#include <map>
#include <set>

// Note [Settling]
// A site where threads wait begins as the strictest operation: __syncthreads(),
// or a warp operation of all lanes. A launch in which threads come to it in a
// way that this operation does not allow leaves it out, and everything is run
// again, until nothing changes. So what is printed is defined.

namespace blockmaestro::barriers {

namespace {

constexpr unsigned MostSteps = 3000;

struct Thread {
  uint32_t V[Variables] = {};
  uint32_t Round = 0;
  uint32_t Counter[MostLoops] = {}, Bound[MostLoops] = {};
  uint32_t Iteration[MostLoops] = {};
  unsigned At = 0, Taken = 0;
  bool Waits = false, Left = false;
  std::vector<unsigned> Got; ///< Sites of Get since the last barrier.
  uint64_t BlockTrace = 0, WarpTrace = 0; ///< Of the operations passed.
};

struct Memory {
  const Words &In;
  Words &Out, *Halves[2];
  const Words &Uniform;
};

class BlockRun {
public:
  BlockRun(Kernel &K, const std::vector<Step> &Code, const Launch &L,
           unsigned Block, Memory M);

  /// False where a site has changed, or a thread takes too many steps.
  bool run();
  bool tooLong() const { return TooLong; }
  void noteParting();

private:
  uint32_t value(const Operand &O, const Thread &T, unsigned Base) const;
  bool holds(const Condition &C, const Thread &T, unsigned Base) const;
  uint32_t linear(const Thread &T) const { return &T - Threads.data(); }
  size_t cell(const Thread &T) const {
    return size_t(Block) * Threads.size() + linear(T);
  }
  uint32_t *slots(unsigned Half) {
    return K.Area == Exchange::Global
               ? M.Halves[Half]->data() + size_t(Block) * Threads.size()
               : Shared.data() + Half * Threads.size();
  }
  bool waits(const Statement &S, const Thread &T) const;
  void advance(Thread &T);
  void runStatement(const Statement &S, Thread &T, unsigned Base);
  void runLoop(const Step &S, Thread &T);
  void runToWait(Thread &T);
  uint64_t place(const Thread &T) const;
  const Statement &waitingAt(const Thread &T) const { return *Code[T.At].Of; }
  Meeting &how(const Thread &T) { return K.Sites[waitingAt(T).Site].How; }
  bool meetWarps();
  bool meetWarp(unsigned First);
  bool meetGroup();
  bool meetBlock();
  bool settleBlock(const std::vector<Thread *> &Alive);
  void settleLeaving(unsigned Round);
  void goOn(Thread &T, uint64_t Thread::*Trace);
  bool weaken();

  Kernel &K;
  const std::vector<Step> &Code;
  const Launch &L;
  unsigned Block;
  Memory M;
  std::vector<Thread> Threads;
  Words Shared;
  bool TooLong = false, Changed = false;
};

BlockRun::BlockRun(Kernel &K, const std::vector<Step> &Code, const Launch &L,
                   unsigned Block, Memory M)
    : K(K), Code(Code), L(L), Block(Block), M(M), Threads(K.threads()),
      Shared(2 * K.threads()) {
  for (Thread &T : Threads) {
    T.V[0] = M.In[Halo + cell(T)];
    T.V[1] = linear(T) * 3 + 1;
    T.V[2] = L.Arguments[0] + Block;
    T.V[3] = L.Arguments[1];
  }
}

uint32_t BlockRun::value(const Operand &O, const Thread &T,
                         unsigned Base) const {
  switch (O.From) {
  case Place::Variable:
    return T.V[O.Number];
  case Place::Thread:
    return linear(T);
  case Place::Block:
    return Block;
  case Place::Argument:
    return L.Arguments[O.Number];
  case Place::Constant:
    return O.Number;
  case Place::Round:
    return T.Round;
  case Place::Counter:
    return T.Counter[Base + O.Number];
  case Place::Uniform:
    return M.Uniform[O.Number];
  }
  return 0;
}

bool BlockRun::holds(const Condition &C, const Thread &T, unsigned Base) const {
  const int X = linear(T) % K.Block[0];
  switch (C.By) {
  case Test::Bits:
    return ((value(C.Left, T, Base) + value(C.Right, T, Base)) & C.Mask) <
           C.Bound;
  case Test::Below:
    return linear(T) < C.Bound;
  case Test::WarpIs:
    return uint32_t(X / 32) == C.Bound;
  case Test::WarpBelow:
    return (X - int(C.Mask)) / 32 < int(C.Bound);
  case Test::FloorBelow:
    return (X - int(C.Mask)) >> 5 < int(C.Bound);
  }
  return false;
}

/// Whether S makes T wait for others.
bool BlockRun::waits(const Statement &S, const Thread &T) const {
  switch (S.Does) {
  case Kind::Begin:
    return true;
  case Kind::Barrier:
  case Kind::WarpWork:
    return K.Sites[S.Site].How != Meeting::Off;
  case Kind::Group:
    return K.Sites[S.Site].How != Meeting::Off &&
           linear(T) < WarpSize * S.Number;
  default:
    return false;
  }
}

void BlockRun::runStatement(const Statement &S, Thread &T, unsigned Base) {
  uint32_t &D = T.V[S.D];
  switch (S.Does) {
  case Kind::Assign:
    D = value(S.Left, T, Base) * S.Number + value(S.Right, T, Base);
    break;
  case Kind::Read:
    D ^= M.In[Halo + cell(T) + int(S.Number)];
    break;
  case Kind::Store:
    M.Out[Halo + cell(T)] = T.V[S.A] + S.Number;
    break;
  case Kind::Get:
    if (K.Sites[S.Site].How == Meeting::Off)
      break;
    D ^= slots(~T.Round & 1)[(linear(T) + S.Number) % Threads.size()];
    T.Got.push_back(S.Site);
    break;
  case Kind::WarpWork:
    D = T.V[S.A] * 9;
    break;
  default:
    break;
  }
}

void BlockRun::runLoop(const Step &S, Thread &T) {
  const Statement &Of = *S.Of;
  if (S.Does == Action::Enter) {
    T.Counter[S.Loops] = value(Of.Left, T, S.Base);
    T.Bound[S.Loops] =
        (value(Of.Right, T, S.Base) & Of.When.Mask) + Of.When.Bound;
    T.Iteration[S.Loops] = 0;
  } else if (S.Does == Action::Count) {
    T.Counter[S.Loops] += Of.Number;
  } else {
    const bool Goes =
        S.Does == Action::Again || T.Counter[S.Loops] < T.Bound[S.Loops];
    T.Iteration[S.Loops] += Goes;
    if (S.Does == Action::More) {
      T.At = S.Targets[Goes];
      return;
    }
  }
  ++T.At;
}

/// One step of a thread that does not wait.
void BlockRun::advance(Thread &T) {
  const Step &S = Code[T.At];
  switch (S.Does) {
  case Action::Run:
    runStatement(*S.Of, T, S.Base);
    ++T.At;
    break;
  case Action::Branch:
    T.At = S.Targets[holds(S.Of->When, T, S.Base)];
    break;
  case Action::Select:
    T.At = S.Targets[value(S.Of->Left, T, S.Base) % 3];
    break;
  case Action::Jump:
    T.At = S.Targets[0];
    break;
  case Action::End:
    M.Out[Halo + cell(T)] =
        T.V[0] ^ T.V[1] * 3 ^ T.V[2] * 5 ^ T.V[3] * 7 ^ T.Round * 11;
    T.Left = true;
    break;
  default:
    runLoop(S, T);
  }
}

void BlockRun::runToWait(Thread &T) {
  while (!T.Left && !T.Waits && !TooLong) {
    const Step &S = Code[T.At];
    TooLong |= ++T.Taken > MostSteps;
    if (S.Does != Action::Run || !waits(*S.Of, T)) {
      advance(T);
      continue;
    }
    T.Waits = true;
    const uint32_t Word = T.V[S.Of->A];
    if (S.Of->Does == Kind::Begin)
      slots(0)[linear(T)] = slots(1)[linear(T)] = Word;
    if (S.Of->Does == Kind::Barrier)
      slots(T.Round & 1)[linear(T)] = Word;
  }
}

/// Where T waits, with the iterations of the loops around it.
uint64_t BlockRun::place(const Thread &T) const {
  uint64_t Hash = soundness::mix(T.At);
  for (unsigned I = 0; I < Code[T.At].Loops; ++I)
    Hash = soundness::mix(Hash ^ T.Iteration[I]);
  return Hash;
}

void BlockRun::goOn(Thread &T, uint64_t Thread::*Trace) {
  T.*Trace = soundness::mix(T.*Trace ^ place(T));
  T.Waits = false;
  ++T.At;
}

/// The lanes of a warp that all wait at one warp operation pass it.
bool BlockRun::meetWarp(unsigned First) {
  const unsigned End = std::min<size_t>(First + WarpSize, Threads.size());
  std::vector<Thread *> Alive;
  uint32_t Votes[2] = {0, 0}, Ballot = 0, Words[WarpSize] = {};
  bool Has[WarpSize] = {};
  for (unsigned I = First; I < End; ++I)
    if (!Threads[I].Left)
      Alive.push_back(&Threads[I]);
  if (Alive.empty() || waitingAt(*Alive[0]).Does != Kind::WarpWork)
    return false;
  const Statement &S = waitingAt(*Alive[0]);
  for (Thread *T : Alive) {
    if (place(*T) != place(*Alive[0]))
      return false;
    const unsigned Lane = linear(*T) - First;
    Words[Lane] = T->V[S.A];
    Has[Lane] = true;
    ++Votes[Words[Lane] & 1];
    Ballot |= (Words[Lane] & 1) << Lane;
  }
  auto From = [&](const Thread *T) {
    return (linear(*T) + S.Number) % WarpSize;
  };
  if (S.Votes == Vote::Shuffle &&
      !std::all_of(Alive.begin(), Alive.end(),
                   [&](const Thread *T) { return Has[From(T)]; })) {
    K.Sites[S.Site].How = Meeting::Off;
    Changed = true;
    return false;
  }
  for (Thread *T : Alive) {
    uint32_t &D = T->V[S.D];
    if (S.Votes == Vote::Count)
      D = Ballot;
    else if (S.Votes == Vote::And)
      D = Votes[0] == 0;
    else if (S.Votes == Vote::Or)
      D = Votes[1] != 0;
    else if (S.Votes == Vote::Shuffle)
      D = Words[From(T)];
    goOn(*T, &Thread::WarpTrace);
  }
  return true;
}

bool BlockRun::meetWarps() {
  bool Any = false;
  for (unsigned First = 0; First < Threads.size(); First += WarpSize)
    Any |= meetWarp(First);
  return Any;
}

/// The first warps of the block exchange their words where all have come.
bool BlockRun::meetGroup() {
  const Thread &Leader = Threads[0];
  if (Leader.Left || waitingAt(Leader).Does != Kind::Group)
    return false;
  const Statement &S = waitingAt(Leader);
  const unsigned Size = WarpSize * S.Number;
  Words Given(Size);
  for (unsigned I = 0; I < Size; ++I) {
    if (Threads[I].Left || place(Threads[I]) != place(Leader))
      return false;
    Given[I] = Threads[I].V[S.A];
  }
  for (unsigned I = Size; I-- > 0;) {
    Threads[I].V[S.D] ^= Given[(I + 7) % Size];
    goOn(Threads[I], &Thread::BlockTrace);
  }
  return true;
}

/// Leaves out barriers where threads wait at several places at a time: on GPUs
/// such threads meet in more ways than one, whatever kind of barrier it is. The
/// barrier that most have come to stays, unless it is one in two iterations.
/// True where nothing had to change.
bool BlockRun::settleBlock(const std::vector<Thread *> &Alive) {
  std::map<unsigned, size_t> Comers;
  std::set<uint64_t> Places;
  for (const Thread *T : Alive) {
    ++Comers[waitingAt(*T).Site];
    Places.insert(place(*T));
  }
  if (Places.size() == 1)
    return true;
  const auto Kept = std::max_element(
      Comers.begin(), Comers.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  for (const auto &[Site, Count] : Comers)
    if (Comers.size() == 1 || Site != Kept->first)
      K.Sites[Site].How = Meeting::Off;
  Changed = true;
  return false;
}

/// A barrier of Round does not wait for threads that pass no more barriers:
/// what they read since the last one, others may have written again by then.
void BlockRun::settleLeaving(unsigned Round) {
  for (const Thread &T : Threads)
    if (T.Left && T.Round == Round)
      for (unsigned Site : T.Got) {
        K.Sites[Site].How = Meeting::Off;
        Changed = true;
      }
}

bool BlockRun::meetBlock() {
  std::vector<Thread *> Alive;
  uint32_t Votes[2] = {0, 0};
  for (Thread &T : Threads)
    if (!T.Left) {
      const Kind Does = waitingAt(T).Does;
      if (Does != Kind::Begin && Does != Kind::Barrier)
        return false;
      Alive.push_back(&T);
      ++Votes[T.V[waitingAt(T).A] & 1];
    }
  if (Alive.empty() || !settleBlock(Alive))
    return false;
  settleLeaving(Alive[0]->Round);
  if (Changed)
    return false;
  for (Thread *T : Alive) {
    const Statement &S = waitingAt(*T);
    ++T->Round;
    T->Got.clear();
    uint32_t &D = T->V[S.D];
    if (K.Sites[S.Site].Loose || S.Votes == Vote::None)
      ;
    else if (S.Votes == Vote::Count)
      D = Votes[1];
    else
      D = S.Votes == Vote::And ? Votes[0] == 0 : Votes[1] != 0;
    goOn(*T, &Thread::BlockTrace);
  }
  return true;
}

/// Nobody can go on: what waits for lanes or warps that do not come is no
/// operation. True where something changed.
bool BlockRun::weaken() {
  for (const Thread &T : Threads)
    if (!T.Left && waitingAt(T).Does != Kind::Barrier &&
        waitingAt(T).Does != Kind::Begin) {
      how(T) = Meeting::Off;
      Changed = true;
    }
  return Changed;
}

bool BlockRun::run() {
  while (true) {
    bool Alive = false;
    for (Thread &T : Threads) {
      runToWait(T);
      Alive |= !T.Left;
    }
    if (TooLong)
      return false;
    if (!Alive)
      return true;
    if (meetWarps() || meetGroup())
      continue;
    if (!Changed && meetBlock())
      continue;
    if (!Changed)
      weaken();
    return false;
  }
}

void BlockRun::noteParting() {
  for (size_t I = 0; I < Threads.size(); ++I) {
    K.BlockParts |= Threads[I].BlockTrace != Threads[0].BlockTrace;
    K.WarpParts |=
        Threads[I].WarpTrace != Threads[I / WarpSize * WarpSize].WarpTrace;
  }
}

enum class Outcome { Done, Changed, TooLong };

Outcome runLaunches(Program &P, const std::vector<std::vector<Step>> &Codes) {
  std::vector<Words> All;
  for (unsigned I = 0; I < Memories; ++I)
    All.push_back(contents(P.Seed, I,
                           I < Buffers          ? P.Cells + 2 * Halo
                           : I == UniformMemory ? UniformWords
                                                : P.Cells));
  for (unsigned I = 0; I < P.Launches.size(); ++I) {
    const Launch &L = P.Launches[I];
    Kernel &K = P.Kernels[L.Kernel];
    const Memory M{All[I % Buffers],
                   All[(I + 1) % Buffers],
                   {&All[Half0], &All[Half1]},
                   All[UniformMemory]};
    for (unsigned Block = 0; Block < K.blocks(); ++Block) {
      BlockRun Run(K, Codes[L.Kernel], L, Block, M);
      if (!Run.run())
        return Run.tooLong() ? Outcome::TooLong : Outcome::Changed;
      Run.noteParting();
    }
  }
  P.Expected = 1469598103934665603u;
  for (const Words &Each : All)
    P.Expected = hashed(P.Expected, Each);
  return Outcome::Done;
}

} // namespace

bool interpret(Program &P) {
  std::vector<std::vector<Step>> Codes;
  for (const Kernel &K : P.Kernels)
    Codes.push_back(flatten(K));
  while (true) {
    for (Kernel &K : P.Kernels)
      K.BlockParts = K.WarpParts = false;
    const Outcome How = runLaunches(P, Codes);
    if (How != Outcome::Changed)
      return How == Outcome::Done;
  }
}

} // namespace blockmaestro::barriers
