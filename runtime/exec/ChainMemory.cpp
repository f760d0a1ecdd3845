// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainMemory.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace blockmaestro {
namespace {

/// What is remembered: works in a row, and nodes of graphs.
constexpr size_t MostSequences = 1024;
constexpr size_t MostNodes = 16384;

/// What a work takes at least, in fifths of a microsecond, where it could have
/// run beside another.
constexpr size_t ShortestWork = 10;

constexpr std::chrono::nanoseconds Fifth{200}; ///< Of a microsecond.

NodeKind kindOfWork(const HeldWork &What) { return kindOf(What.work()); }

} // namespace

bool ChainMemory::Sequence::awaits() const {
  return std::any_of(Chains.begin(), Chains.end(),
                     [](const Chain &Each) { return Each.Coming.valid(); });
}

/// Whether the works of the chain wait for each other as wanted.
bool ChainMemory::Chain::hasOrder(const Order &Wanted) const {
  return Behind == Wanted || (Behind && Wanted && *Behind == *Wanted);
}

/// Whether the chain can be launched.
bool ChainMemory::isThere(Chain &Known) {
  if (isReady(Known.Coming))
    if (Result<void *> Done = Known.Coming.get(); Done.ok())
      Known.Graph = *Done;
  return Known.Graph;
}

void ChainMemory::release(Sequence &Gone) {
  Cases -= Gone.Orders.remembered();
  for (Chain &Each : Gone.Chains) {
    if (Each.Coming.valid())
      Each.Coming.wait();
    if (isThere(Each))
      Port.releaseChain(Each.Graph);
    Each.Forms.release(Port, GateBytes);
    Nodes -= Each.Set.size();
  }
}

template <typename Condition> void ChainMemory::forgetWhere(Condition Is) {
  for (auto At = Sequences.begin(); At != Sequences.end();) {
    const bool Gone = Is(*At);
    if (Gone)
      release(At->second);
    At = Gone ? Sequences.erase(At) : std::next(At);
  }
}

void ChainMemory::forgetAll() {
  forgetWhere([](const auto &) { return true; });
}

void ChainMemory::letMemoryGo() {
  Maker.finishChains();
  if (!std::exchange(NameMemory, false))
    return;
  forgetWhere([](const auto &Each) {
    return std::ranges::any_of(Each.first.Works, &NodeKind::namesMemory);
  });
}

/// Where too much is remembered: what has no chain, or else everything.
void ChainMemory::forgetSome() {
  if (Sequences.size() <= MostSequences && Nodes <= MostNodes &&
      Cases <= MostNodes)
    return;
  forgetWhere([](const auto &Each) { return Each.second.Chains.empty(); });
  if (Sequences.size() > MostSequences / 2 || Nodes > MostNodes ||
      Cases > MostNodes / 2)
    forgetAll();
}

/// Another stream may get its name, and must not wait for a chain of this one.
void ChainMemory::forgetStream(void *Stream) {
  forgetWhere([=](const auto &Each) { return Each.first.Stream == Stream; });
}

/// Streams are few: they are told apart when rows are compared.
template <typename Range, typename ToKind>
static size_t hashOfKinds(const Range &Of, ToKind Kind) {
  uint64_t Out = 0;
  for (const auto &Each : Of)
    Out = mix(Out, Kind(Each).code());
  return Out;
}

size_t ChainMemory::RowHash::operator()(const Row &Of) const {
  return hashOfKinds(Of.Works, std::identity());
}

size_t ChainMemory::RowHash::operator()(std::span<const HeldWork> Works) const {
  return hashOfKinds(Works, kindOfWork);
}

bool ChainMemory::RowEqual::operator()(std::span<const HeldWork> Works,
                                       const Row &Of) const {
  return streamOf(Works.front().work()) == Of.Stream &&
         std::ranges::equal(Works, Of.Works, {}, kindOfWork);
}

ChainMemory::Sequence &
ChainMemory::sequenceOf(std::span<const HeldWork> Works) {
  if (const auto Known = Sequences.find(Works); Known != Sequences.end())
    return Known->second;
  Row New = {streamOf(Works.front().work()), {}};
  for (const HeldWork &Each : Works)
    New.Works.push_back(kindOfWork(Each));
  return Sequences[std::move(New)];
}

/// Where orders have been of no use for long, few works are looked at.
ChainMemory::Order ChainMemory::orderOf(Sequence &Of,
                                        std::span<const HeldWork> Works) {
  constexpr unsigned Long = 128, Few = 8;
  if (!Relations || (++InVain > Long && InVain % Few != 0))
    return nullptr;
  const size_t Before = Of.Orders.remembered();
  Order Found = Of.Orders.find(
      Works,
      {*Relations, Maker, [this](const GpuWork &Each) { return fills(Each); }});
  Cases += Of.Orders.remembered() - Before;
  if (Found)
    InVain = 0;
  return Found;
}

/// Whether a launch takes more than three quarters of the device by itself.
bool ChainMemory::fills(const GpuWork &What) {
  const auto *Launch = std::get_if<GpuLaunch>(&What);
  if (!Launch)
    return false;
  const Result<uint32_t> Held =
      Port.residentBlocks(*Launch->Kernel, Launch->Form,
                          uint32_t(Launch->Block.count()), Launch->SharedBytes);
  return Held.ok() && 4 * Launch->Grid.count() > 3 * uint64_t(*Held);
}

/// What it costs that works run one after the other which could do so beside
/// each other.
size_t ChainMemory::costInLine(const Order &Wanted) const {
  if (!Wanted)
    return 0;
  const size_t Each =
      std::max(ShortestWork, static_cast<size_t>(WorkTime / Fifth));
  return (Wanted->Behind.size() - Wanted->length()) * Each;
}

/// What it costs that works have no chain which could go by block, by what that
/// has gained for others.
size_t ChainMemory::costInOrder(size_t Works) const {
  if (!waitingByBlockPays())
    return 0;
  return Works * ((Ever.Before - Ever.Since) / long(Ever.Won) / Fifth);
}

ChainMemory::Wish ChainMemory::wishFor(Sequence &Of,
                                       std::span<const HeldWork> Works,
                                       bool Orders) {
  Wish Out;
  Out.Works = Works;
  if (Orders)
    Out.Behind = orderOf(Of, Works);
  for (const HeldWork &Each : Works)
    Out.Hash = Each.hash(Out.Hash);
  Out.Hash |= 1;
  return Out;
}

/// Has a chain made of these works, which Keeps their arguments.
void ChainMemory::begin(Sequence &Same, const Wish &For, bool Keeps) {
  const size_t Count = For.Works.size();
  Chain &Out =
      *Same.Chains.emplace(Keeps ? Same.Chains.begin() : Same.Chains.end());
  Out.Set = std::vector<HeldWork>(Count);
  Out.Behind = For.Behind;
  Out.Kept = Keeps ? For.Hash : 0;
  std::vector<GpuWork> Members;
  for (size_t I = 0; I < Count; ++I) {
    Out.Set[I].copy(For.Works[I].work());
    Members.push_back(Out.Set[I].work());
    NameMemory |= kindOf(Members.back()).namesMemory();
  }
  Out.Forms = ChainForms(Count, Policy);
  Same.Lost = 0;
  Same.Kept += Keeps;
  ++Ever.Made;
  Nodes += Count;
  const ChainOrder Behind = For.Behind ? *For.Behind : ChainOrder::line(Count);
  if (Result<GpuPort::ChainWork> Work = Port.chainOf(Members, Behind);
      Work.ok())
    Out.Coming = Maker.make(*std::move(Work));
}

/// The chain that these works cost least by. Of equals one that keeps their
/// arguments, which come first, or else the one that was used longest ago: the
/// device may still be reading the other. All that have been made meanwhile are
/// taken, whoever they are for: others wait for that.
ChainMemory::Choice ChainMemory::cheapest(Sequence &Among, const Wish &For) {
  Choice Best;
  for (Chain &Each : Among.Chains) {
    const bool Fits = Each.hasOrder(For.Behind);
    const bool IsKept =
        Best.Which && Best.Which->Kept && Best.Cost == ChainCost;
    if (!isThere(Each) || IsKept || (Each.Kept && Each.Kept != For.Hash) ||
        (!Fits && Each.Behind))
      continue;
    size_t Setting = 0;
    for (size_t I = 0; I < For.Works.size(); ++I)
      Setting += For.Works[I].costAfter(Each.Set[I]);
    const size_t Cost =
        ChainCost + Setting + (Fits ? 0 : costInLine(For.Behind));
    if (Each.Kept && Setting != 0)
      continue;
    if (!Best.Which || Cost < Best.Cost ||
        (Cost == Best.Cost && Each.UsedAt < Best.Which->UsedAt))
      Best = {&Each, Cost, Setting};
  }
  return Best;
}

/// Whether works with these arguments have lost, this time and those before,
/// what a chain for them is worth.
bool ChainMemory::comesAgain(Sequence &Same, uint64_t Hash, size_t Lost) {
  const auto Known =
      std::find_if(Same.Came.begin(), Same.Came.end(),
                   [=](const Repeated &Each) { return Each.Hash == Hash; });
  if (Known != Same.Came.end()) {
    Known->Lost += Lost;
    return Known->Lost >= WorthKeeping;
  }
  if (Same.Came.size() < MostKept)
    Same.Came.emplace_back();
  Same.Came[Same.NextCame] = {Hash, Lost};
  Same.NextCame = (Same.NextCame + 1) % MostKept;
  return false;
}

/// Works have cost so much. Where a chain as wanted would have saved enough, it
/// is made; each further one of the same kinds has to save twice as much, but
/// for arguments that come again.
void ChainMemory::learn(Sequence &Same, const Wish &Had, size_t Cost) {
  if (Cost <= ChainCost || Same.awaits() ||
      (!Had.Behind && Had.Works.size() < Shortest))
    return;
  const size_t Lost = Cost - ChainCost;
  const size_t Alike = Same.Chains.size() - Same.Kept;
  Same.Lost += Lost;
  if (Alike > 0 && comesAgain(Same, Had.Hash, Lost) && Same.Kept < MostKept &&
      mayMake())
    begin(Same, Had, /*Keeps=*/true);
  else if (Same.Lost >= WorthMaking << Alike && Alike < MostAlike && mayMake())
    begin(Same, Had, /*Keeps=*/false);
}

/// A form has been chosen for a chain.
void ChainMemory::learnForms(const Chain &Of) {
  const FormChoice &Choice = Of.Forms.choice();
  const auto ByBlock = Choice.least(ChainForm::ByBlock);
  if (!ByBlock)
    return;
  ++Ever.Tried;
  if (Choice.next() != ChainForm::ByBlock) {
    ++TriedInVain;
    return;
  }
  TriedInVain = 0;
  ++Ever.Won;
  const auto Works = static_cast<long>(Of.Set.size());
  Ever.Before += *Choice.least(ChainForm::InOrder) / Works;
  Ever.Since += *ByBlock / Works;
}

Status ChainMemory::launch(Chain &Known, const Wish &For) {
  constexpr unsigned MostInVain = 8;
  const bool IsLikely = waitingByBlockPays();
  const size_t Often =
      IsLikely ? 1 : RepeatsForForms << std::min(TriedInVain, MostInVain);
  const bool WasSettled = Known.Forms.choice().isSettled();
  const Status Done = Known.Forms.launch(
      Known.Graph, For.Works, For.Hash,
      {Port, Relations, Maker, Stuck, Often, IsLikely, GateBytes});
  const bool IsSettled = Known.Forms.choice().isSettled();
  const bool ByBlock = Known.Forms.last() == ChainForm::ByBlock;
  if (IsSettled && !WasSettled)
    learnForms(Known);
  FormsMatter |= Relations && (ByBlock || Known.Forms.isOpen());
  Ever.ByBlock += ByBlock ? For.Works.size() : 0;
  return Done;
}

/// False where a copy cannot be one of this chain's nodes, whose memory may be
/// of another kind to the device: the chain is given up.
Result<bool> ChainMemory::setNodes(Chain &Known, const Wish &For) {
  for (size_t I = 0; I < For.Works.size(); ++I) {
    const GpuWork &Wanted = For.Works[I].work();
    if (For.Works[I].costAfter(Known.Set[I]) == 0)
      continue;
    const Status Set = Port.setWork(Known.Graph, I, Wanted);
    if (!Set.ok() && std::holds_alternative<GpuCopy>(Wanted)) {
      Port.releaseChain(std::exchange(Known.Graph, nullptr));
      return false;
    }
    if (!Set.ok())
      return Set;
    Known.Set[I].copy(Wanted);
  }
  return true;
}

Status ChainMemory::submitAs(const Choice &By, const Wish &For) {
  Chain &Known = *By.Which;
  const size_t Count = For.Works.size();
  const Result<bool> Set =
      By.Setting == 0 ? Result<bool>(true) : setNodes(Known, For);
  if (!Set.ok() || !*Set)
    return Set.ok() ? submitEach(For.Works).status() : Set.status();
  Known.UsedAt = Submissions;
  ++Ever.Launched;
  Ever.Works += Count;
  Ever.Beside += Known.Behind ? Count : 0;
  return launch(Known, For);
}

/// What it has cost. While a chain is made for the whole, or is about to be,
/// none is wanted for its parts.
Result<size_t> ChainMemory::submitWhole(std::span<const HeldWork> Works,
                                        bool Learns, bool Orders) {
  Sequence &Same = sequenceOf(Works);
  const Wish Mine = wishFor(Same, Works, Orders);
  const Choice Best = cheapest(Same, Mine);
  const size_t InLine = costInLine(Mine.Behind);
  Result<size_t> Cost = Best.Cost;
  if (Best.Which && Best.Cost < LaunchCost * Works.size() + InLine) {
    if (Status Done = submitAs(Best, Mine); !Done.ok())
      return Done;
  } else {
    const bool IsNear = Same.Lost + LaunchCost * Works.size() >= WorthMaking;
    Cost = submitParts(Works, Learns && !IsNear && !Same.awaits());
    if (!Cost.ok())
      return Cost;
    Cost = *Cost + InLine;
  }
  const bool HasItsChain = Best.Which && Best.Cost == ChainCost;
  if (!HasItsChain)
    Cost = *Cost + costInOrder(Works.size());
  if (Learns)
    learn(Same, Mine, *Cost);
  return Cost;
}

Result<size_t> ChainMemory::submitParts(std::span<const HeldWork> Works,
                                        bool Learns) {
  const size_t Half = Works.size() / 2;
  if (Half < Shortest)
    return submitEach(Works);
  Result<size_t> First = submitWhole(Works.first(Half), Learns, false);
  if (!First.ok())
    return First;
  Result<size_t> Second = submitWhole(Works.subspan(Half), Learns, false);
  return Second.ok() ? Result<size_t>(*First + *Second) : Second;
}

Result<size_t> ChainMemory::submitEach(std::span<const HeldWork> Works) {
  struct {
    GpuPort &To;
    Status operator()(const GpuLaunch &What) { return To.launch(What); }
    Status operator()(const GpuCopy &What) { return To.copy(What); }
    Status operator()(const GpuFill &What) { return To.fill(What); }
  } Give{Port};
  for (const HeldWork &Each : Works)
    if (Status Done = std::visit(Give, Each.work()); !Done.ok())
      return Done;
  return LaunchCost * Works.size();
}

Result<size_t> ChainMemory::submit(std::span<const HeldWork> Works,
                                   bool AsRun) {
  forgetSome();
  ++Submissions;
  const size_t Before = Ever.Works;
  Result<size_t> Cost = AsRun || Works.size() >= Shortest
                            ? submitWhole(Works, true, true)
                            : submitEach(Works);
  if (!Cost.ok())
    return Cost;
  Ever.Submitted += Works.size();
  Ever.Cost += *Cost;
  return Ever.Works - Before;
}

/// The order by what they touch is that of the program too, since nothing in
/// which it differs can be noticed.
Result<size_t> ChainMemory::submitJoined(std::span<const HeldWork> Works,
                                         const ChainOrder &Behind) {
  forgetSome();
  ++Submissions;
  Sequence &Same = sequenceOf(Works);
  Wish Mine = wishFor(Same, Works, /*Orders=*/true);
  if (!Mine.Behind)
    Mine.Behind = std::make_shared<const ChainOrder>(Behind);
  const Choice Best = cheapest(Same, Mine);
  const size_t Alone = LaunchCost * Works.size();
  const bool Goes = Best.Which && Best.Cost < Alone;
  const size_t Before = Ever.Works;
  const Status Done = Goes ? submitAs(Best, Mine) : submitEach(Works).status();
  if (!Done.ok())
    return Done;
  const size_t Cost = Goes ? Best.Cost : Alone;
  learn(Same, Mine, Cost);
  Ever.Submitted += Works.size();
  Ever.Cost += Cost;
  return Ever.Works - Before;
}

bool ChainMemory::goesAsWhole(std::span<const HeldWork> Run) {
  if (!Relations || Run.size() < 2)
    return false;
  Sequence &Same = sequenceOf(Run);
  const Wish Mine = wishFor(Same, Run, /*Orders=*/true);
  if (!Mine.Behind)
    return false;
  const Choice Best = cheapest(Same, Mine);
  if (Best.Which && Best.Which->Behind)
    return true;
  const size_t Alone = LaunchCost * Run.size() + costInLine(Mine.Behind);
  learn(Same, Mine, Best.Which ? std::min(Best.Cost, Alone) : Alone);
  return false;
}

} // namespace blockmaestro
