// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

#include <algorithm>
#include <iterator>
#include <random>

namespace blockmaestro::barriers {

namespace {

constexpr unsigned MostStaticThreads = 160;
constexpr unsigned MostShift = 256; ///< Cells between what is read and written.
constexpr unsigned MostDepth = 3;

using Random = std::mt19937;

/// Writes one kernel.
class KernelMaker {
public:
  KernelMaker(Random &Source, Kernel &K) : Source(Source), K(K) {}

  void write();

private:
  unsigned below(unsigned N) { return Source() % N; }
  bool percent(unsigned N) { return below(100) < N; }
  unsigned variable() { return below(Variables); }

  Operand operand(bool Uniform);
  Condition condition();
  Condition divergent();
  Statement simple();
  Statement barrier();
  Statement warpWork();
  Statement leave();
  Statement when(Condition C, Statements Then, Statements Else = {});
  Statement loop(Statements Body);
  Statement call();
  Statements list(unsigned Depth);
  Statement statement(unsigned Depth);
  Statement selection(unsigned Depth);
  Statement skipping(unsigned Depth);

  void addIdiom(Statements &To);
  void addRounds(Statements &To);
  void addEarlyReturn(Statements &To);
  void addVoteLoop(Statements &To);
  void addWarpRows(Statements &To);
  void addGroup(Statements &To);
  void makeFunctions();
  unsigned newSite();
  unsigned threads() const { return K.threads(); }

  Random &Source;
  Kernel &K;
  unsigned Divergence = 0; ///< How often conditions differ, in percent.
  bool Gets = false, Votes = false, Warps = false, Numbers = false;
  bool Exits = false, Assembly = false, Trapping = false;
  unsigned Loops = 0;
  bool InFunction = false;
};

Statement make(Kind Does) {
  Statement S;
  S.Does = Does;
  return S;
}

Operand constant(uint32_t N) { return {Place::Constant, N}; }

unsigned KernelMaker::newSite() {
  Site New;
  New.Barrier = Numbers && percent(50) ? 2 + below(6) : 0;
  New.Assembly = Assembly;
  New.Loose = percent(8);
  K.Sites.push_back(New);
  return K.Sites.size() - 1;
}

Operand KernelMaker::operand(bool Uniform) {
  switch (below(Uniform ? 6 : 8)) {
  case 0:
    return {Place::Argument, below(2)};
  case 1:
    return {Place::Block, 0};
  case 2:
    return constant(below(100));
  case 3:
    return {Place::Round, 0};
  case 4:
    return {Place::Uniform, below(UniformWords)};
  case 5:
    return Loops ? Operand{Place::Counter, below(Loops)} : constant(below(9));
  case 6:
    return {Place::Thread, 0};
  default:
    return {Place::Variable, variable()};
  }
}

/// One that threads of a block may find different.
Condition KernelMaker::divergent() {
  Condition C;
  switch (below(6)) {
  case 0:
    C.By = Test::Below;
    C.Bound = 1 + below(threads() + threads() / 4);
    break;
  case 1:
    C.By = Test::WarpIs;
    C.Bound = below(3);
    break;
  case 2:
    C.By = percent(50) ? Test::WarpBelow : Test::FloorBelow;
    C.Mask = 32 * below(4) + (percent(20) ? below(32) : 0);
    C.Bound = below(5) - 2;
    break;
  case 3:
    C.Left = {Place::Thread, 0};
    C.Right = operand(true);
    C.Mask = (1u << (1 + below(5))) - 1;
    C.Bound = 1 + below(C.Mask);
    break;
  default:
    C.Left = {Place::Variable, variable()};
    C.Right = operand(false);
    C.Mask = 1 + below(7);
    C.Bound = 1 + below(C.Mask);
  }
  return C;
}

Condition KernelMaker::condition() {
  if (percent(Divergence))
    return divergent();
  Condition C;
  C.Left = operand(true);
  C.Right = operand(true);
  C.Mask = 1 + below(3);
  C.Bound = 1 + below(C.Mask);
  return C;
}

Statement KernelMaker::simple() {
  Statement S;
  S.D = variable();
  S.A = variable();
  const unsigned Which = below(10);
  if (Which < 2 && Gets) {
    S.Does = Kind::Get;
    S.Site = newSite();
    S.Number = below(threads());
  } else if (Which == 2) {
    S.Does = Kind::Read;
    S.Number = percent(30) ? 0 : below(2 * MostShift) - MostShift;
  } else if (Which == 3) {
    S.Does = Kind::Store;
    S.Number = below(1000);
  } else if (Which == 4 && percent(40)) {
    S.Does = Kind::Sleep;
    S.A = below(2);
    S.Number = 100 + below(3000);
  } else if (Which == 5 && Trapping) {
    S.Does = Kind::Trap;
  } else {
    S.Left = operand(false);
    S.Right = operand(false);
    S.Number = 1 + 2 * below(50);
  }
  return S;
}

Statement KernelMaker::barrier() {
  Statement S = make(Kind::Barrier);
  S.A = variable();
  S.D = variable();
  S.Site = newSite();
  if (Votes && percent(40))
    S.Votes = Vote(1 + below(3));
  return S;
}

Statement KernelMaker::warpWork() {
  Statement S = make(Kind::WarpWork);
  S.A = variable();
  S.D = variable();
  S.Site = newSite();
  S.Votes = Vote(below(5));
  S.Number = below(WarpSize);
  return S;
}

Statement KernelMaker::leave() {
  if (Exits && percent(60)) {
    K.Shapes.insert("exit");
    return make(Kind::Exit);
  }
  if (!InFunction)
    K.Shapes.insert("return");
  return make(Kind::Return);
}

Statement KernelMaker::when(Condition C, Statements Then, Statements Else) {
  Statement S = make(Kind::If);
  S.When = C;
  S.Parts = {std::move(Then), std::move(Else)};
  return S;
}

/// A loop of at most four iterations around Body.
Statement KernelMaker::loop(Statements Body) {
  Statement S = make(Kind::Loop);
  S.Form = LoopForm(below(3));
  S.Number = 1;
  S.Left = constant(0);
  S.Right = operand(!percent(Divergence));
  S.When.Mask = below(4);
  S.When.Bound = percent(70) ? 1 : 0;
  S.Parts = {std::move(Body)};
  return S;
}

Statement KernelMaker::call() {
  Statement S = make(Kind::Call);
  S.Number = below(K.Functions.size());
  K.Shapes.insert("call");
  return S;
}

Statement KernelMaker::selection(unsigned Depth) {
  Statement S = make(Kind::Switch);
  S.Left = operand(!percent(Divergence));
  S.Falls = percent(40) ? below(4) : 0;
  for (unsigned I = 0; I < 3; ++I)
    S.Parts.push_back(list(Depth - 1));
  K.Shapes.insert("switch");
  return S;
}

/// A break or continue that some iterations, or threads, take.
Statement KernelMaker::skipping(unsigned Depth) {
  const bool Breaks = percent(50);
  K.Shapes.insert(Breaks ? "break" : "continue");
  Statements Then;
  if (percent(40))
    Then.push_back(simple());
  if (Depth > 1 && percent(30))
    Then.push_back(barrier());
  Then.push_back(make(Breaks ? Kind::Break : Kind::Continue));
  return when(condition(), std::move(Then));
}

Statement KernelMaker::statement(unsigned Depth) {
  const unsigned Which = Depth == 0 ? below(7) : below(14);
  if (Which < 4)
    return simple();
  if (Which < 6)
    return barrier();
  if (Which == 6)
    return Warps ? warpWork() : barrier();
  if (Which == 7 && Loops < 2) {
    ++Loops;
    Statements Body = list(Depth - 1);
    if (percent(50))
      Body.insert(Body.begin() + below(Body.size() + 1), skipping(Depth));
    --Loops;
    K.Shapes.insert("loop");
    return loop(std::move(Body));
  }
  if (Which == 8)
    return selection(Depth);
  if (Which == 9 && !InFunction && !K.Functions.empty())
    return call();
  if (Which == 10 && percent(Divergence))
    return when(divergent(), {leave()});
  K.Shapes.insert("if");
  return when(condition(), list(Depth - 1),
              percent(50) ? list(Depth - 1) : Statements());
}

Statements KernelMaker::list(unsigned Depth) {
  Statements Out;
  for (unsigned Count = 1 + below(3); Count > 0; --Count)
    Out.push_back(statement(Depth));
  return Out;
}

/// for (i = t; i < n; i += k) with barriers inside: threads have different
/// numbers of rounds, and leave behind it.
void KernelMaker::addRounds(Statements &To) {
  K.Shapes.insert("rounds");
  ++Loops;
  Statements Body = list(1);
  Body.push_back(barrier());
  --Loops;
  Statement S = loop(std::move(Body));
  S.Left = {Place::Thread, 0};
  S.Number = threads() / 3 + 1 + below(threads());
  S.Right = constant(0);
  S.When.Bound = 1 + below(2 * threads());
  To.push_back(std::move(S));
  if (percent(70)) {
    To.push_back(simple());
    To.push_back(make(Kind::Return));
  }
}

void KernelMaker::addEarlyReturn(Statements &To) {
  K.Shapes.insert("early");
  To.push_back(when(divergent(), {simple(), leave()}));
}

/// do { ... } while some thread still has work, by a vote of the block.
void KernelMaker::addVoteLoop(Statements &To) {
  K.Shapes.insert("vote-loop");
  Statement Ask = barrier();
  Ask.Votes = Vote(1 + below(3));
  Condition Done;
  Done.Left = {Place::Variable, Ask.D};
  Done.Right = constant(0);
  Done.Mask = 15;
  Done.Bound = 1 + below(8);
  ++Loops;
  Statements Body = list(1);
  Body.push_back(Ask);
  Body.push_back(when(Done, {make(Kind::Break)}));
  --Loops;
  Statement S = loop(std::move(Body));
  S.Right = constant(3);
  S.When.Mask = 3;
  To.push_back(std::move(S));
}

/// Some warps of the block work together, or leave.
void KernelMaker::addWarpRows(Statements &To) {
  K.Shapes.insert("warp-rows");
  Condition C;
  const unsigned How = below(3);
  C.By = How == 0   ? Test::WarpIs
         : How == 1 ? Test::WarpBelow
                    : Test::FloorBelow;
  C.Mask = How ? 32 * below(4) : 0;
  C.Bound = How ? below(4) - 2 : below(3);
  Statements Work = {warpWork(), simple(), warpWork()};
  if (percent(50))
    To.push_back(when(C, std::move(Work)));
  else
    To.push_back(when(C, {leave()}));
  To.push_back(warpWork());
}

void KernelMaker::addGroup(Statements &To) {
  Statement S = make(Kind::Group);
  S.A = variable();
  S.D = variable();
  S.Site = newSite();
  S.Number = 1 + (threads() >= 2 * WarpSize && percent(50));
  K.Shapes.insert("group");
  To.push_back(S);
}

void KernelMaker::addIdiom(Statements &To) {
  switch (below(9)) {
  case 0:
    if (percent(2 * Divergence))
      return addRounds(To);
    break;
  case 1:
    if (percent(2 * Divergence))
      return addEarlyReturn(To);
    break;
  case 2:
    if (Votes)
      return addVoteLoop(To);
    break;
  case 3:
    if (Warps)
      return addWarpRows(To);
    break;
  case 4:
    if (Numbers && threads() >= WarpSize)
      return addGroup(To);
    break;
  case 5:
    To.push_back(barrier());
    return;
  default:
    break;
  }
  To.push_back(statement(MostDepth));
}

void KernelMaker::makeFunctions() {
  InFunction = true;
  for (unsigned Count = 1 + below(2); Count > 0; --Count) {
    Statements Body = list(1);
    if (percent(40))
      Body.push_back(when(condition(), {leave()}));
    if (percent(60))
      Body.push_back(barrier());
    Body.push_back(simple());
    K.Functions.push_back(std::move(Body));
  }
  InFunction = false;
}

void KernelMaker::write() {
  static constexpr unsigned Often[] = {0, 0, 0, 15, 15, 30, 50};
  Divergence = Often[below(std::size(Often))];
  Votes = percent(30);
  Warps = percent(40);
  Numbers = percent(15);
  Exits = Divergence && percent(12);
  Assembly = percent(10);
  Trapping = percent(10);
  K.BuiltinExit = percent(50);
  if (percent(25))
    makeFunctions();
  Statements &To = K.Body;
  const bool Begins = K.Area != Exchange::Global && percent(75);
  Gets = Begins || K.Area == Exchange::Global;
  if (Begins) {
    To.push_back(barrier());
    To.back().Does = Kind::Begin;
    To.back().Votes = Vote::None;
  } else if (percent(2 * Divergence)) {
    addEarlyReturn(To);
  }
  for (unsigned Count = 2 + below(3); Count > 0; --Count)
    addIdiom(To);
  if (percent(60))
    To.push_back(barrier());
  To.push_back(simple());
}

/// Sizes of blocks and grids, whose products are the cells of the program.
class Shaper {
public:
  explicit Shaper(Random &Source) : Source(Source) {}

  /// The first kernel's, which says how many cells there are.
  unsigned first(Kernel &K, bool Large);
  /// Another one's, of as many cells.
  void other(Kernel &K, const Kernel &First);

private:
  unsigned below(unsigned N) { return Source() % N; }
  void setBlock(Kernel &K, unsigned Threads);
  void setGrid(Kernel &K, unsigned Blocks);
  void setArea(Kernel &K, bool Wide);

  Random &Source;
};

void Shaper::setBlock(Kernel &K, unsigned Threads) {
  static constexpr unsigned Divisors[] = {32, 16, 8, 33, 5, 2, 4};
  static constexpr unsigned Deepest = 64; ///< What blockDim.z can be.
  K.Block[0] = Threads;
  if (below(100) >= 20)
    return;
  for (unsigned Axis = 0; Axis < 2; ++Axis) {
    const unsigned By = Divisors[below(std::size(Divisors))];
    if (K.Block[Axis] % By == 0 && K.Block[Axis] > By &&
        K.Block[Axis] / By <= Deepest) {
      K.Block[Axis + 1] = K.Block[Axis] / By;
      K.Block[Axis] = By;
    }
  }
}

void Shaper::setGrid(Kernel &K, unsigned Blocks) {
  const unsigned Y = 1 + below(3);
  K.Grid[0] = Blocks % Y ? Blocks : Blocks / Y;
  K.Grid[1] = Blocks % Y ? 1 : Y;
}

/// Wide: so much shared memory that few blocks are on the machine at a time.
void Shaper::setArea(Kernel &K, bool Wide) {
  static constexpr Exchange Areas[] = {Exchange::Static, Exchange::Static,
                                       Exchange::Static, Exchange::Dynamic,
                                       Exchange::Global};
  K.Area = Areas[below(std::size(Areas))];
  if (K.threads() > MostStaticThreads && K.Area == Exchange::Static)
    K.Area = Exchange::Dynamic;
  if (Wide)
    K.Area = Exchange::Dynamic;
  if (K.Area == Exchange::Dynamic)
    K.DynamicWords = Wide ? 11000 : 2 * K.threads();
}

unsigned Shaper::first(Kernel &K, bool Large) {
  unsigned Threads = 32 * (1 + below(4));
  const unsigned Which = below(100);
  if (Which < 30)
    Threads = 1 + below(MostStaticThreads);
  else if (Which < 35)
    Threads = 192 + 32 * below(11);
  const bool Wide = Large && below(100) < 3;
  setBlock(K, Wide ? 32 : Threads);
  setGrid(K, Wide ? 600 + below(400) : 1 + below(Large ? 40 : 12));
  setArea(K, Wide);
  return K.threads() * K.blocks();
}

void Shaper::other(Kernel &K, const Kernel &First) {
  const unsigned Threads = First.threads(), Blocks = First.blocks();
  const unsigned Which = below(3);
  if (Which == 0 && Threads % 2 == 0) {
    setBlock(K, Threads / 2);
    setGrid(K, Blocks * 2);
  } else if (Which == 1 && Blocks % 2 == 0 && Threads <= 256) {
    setBlock(K, Threads * 2);
    setGrid(K, Blocks / 2);
  } else {
    setBlock(K, Threads);
    setGrid(K, Blocks);
  }
  setArea(K, false);
}

} // namespace

Program makeProgram(uint32_t Seed, bool Large) {
  for (uint32_t Try = 0;; ++Try) {
    std::seed_seq Sequence{Seed, Try, uint32_t(0xba771e5)};
    Random Source(Sequence);
    Program P;
    P.Seed = Seed;
    P.Kernels.resize(1 + Source() % 3);
    Shaper Shapes(Source);
    for (unsigned I = 0; I < P.Kernels.size(); ++I) {
      Kernel &K = P.Kernels[I];
      K.Number = I;
      if (I == 0)
        P.Cells = Shapes.first(K, Large);
      else
        Shapes.other(K, P.Kernels[0]);
      KernelMaker(Source, K).write();
    }
    const unsigned Count = P.Kernels.size() + 2 + Source() % 4;
    for (unsigned I = 0; I < Count; ++I)
      P.Launches.push_back(
          {I < P.Kernels.size() ? I : unsigned(Source() % P.Kernels.size()),
           {uint32_t(Source() % 50), uint32_t(Source())}});
    if (interpret(P))
      return P;
  }
}

} // namespace blockmaestro::barriers
