// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskGraph.h"

#include "LongList.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <utility>

namespace blockmaestro {

static constexpr size_t ChunkBytes = size_t(1) << 20;

void RecordArena::addChunk(size_t Bytes) {
  Chunks.push_back(std::make_unique_for_overwrite<std::byte[]>(Bytes));
  Free = Chunks.back().get();
  Left = Bytes;
}

void RecordArena::bringMemory() {
  addChunk(ChunkBytes);
  std::memset(Free, 0, Left);
}

void *RecordArena::take(size_t Bytes) {
  const size_t Rounded =
      (std::max<size_t>(Bytes, 1) + Alignment - 1) / Alignment * Alignment;
  if (Rounded > Left)
    addChunk(std::max(Rounded, ChunkBytes));
  void *Out = Free;
  Free += Rounded;
  Left -= Rounded;
  return Out;
}

void RecordArena::clear() {
  Chunks.clear();
  Free = nullptr;
  Left = 0;
}

/// Whether the steps are those that the graph which is followed had here. Else
/// they are to be taken as new ones, and become part of the log.
bool TaskGraph::isKnown(std::span<const GraphStep> Asked) {
  if (Log.following()) {
    if (Log.follow(Asked))
      return true;
    divert();
  }
  for (const GraphStep &Each : Asked)
    Log.append(Each);
  return false;
}

void TaskGraph::changeData() {
  DataVersion += !NewData;
  NewData = true;
}

/// How many steps belong to this one.
static size_t stepsBehind(const GraphStep &Of) {
  switch (Of.Is) {
  case GraphStep::What::UseRows:
    return 1;
  case GraphStep::What::WaitFor:
    return Of.First;
  default:
    return 0;
  }
}

/// From here on the graph is another than the one that was followed: it is
/// made again, up to here.
void TaskGraph::divert() {
  Log.leave();
  RecordArena Old;
  std::swap(Old, Arena);
  std::vector<void *> Records(Data.begin(), Data.begin() + Count);
  Data.clear();
  forgetNodes();
  Count = 0;
  changeData();
  const std::span<const GraphStep> All = Log.steps();
  for (size_t I = 0; I < All.size(); ++I) {
    if (All[I].Is == GraphStep::What::Add) {
      void *Copy = Arena.take(All[I].Second);
      std::memcpy(Copy, Records[Count], All[I].Second);
      appendToLong(Data, Copy);
    }
    const size_t More = stepsBehind(All[I]);
    take(All.subspan(I, 1 + More));
    I += More;
  }
}

/// What was asked, the ranges of a wait with it, changes the nodes. A task's
/// data is there, and so are the rows of a range.
void TaskGraph::take(std::span<const GraphStep> All) {
  const GraphStep &First = All.front();
  switch (First.Is) {
  case GraphStep::What::Add:
    return takeTask(uint32_t(First.First), First.Second, Data[Count]);
  case GraphStep::What::Use:
  case GraphStep::What::UseRows:
    return NewUses.push_back({rowsOf(&First), First.How});
  case GraphStep::What::Rows:
    return;
  case GraphStep::What::Undeferred:
    PendingIsFloor = true;
    return;
  case GraphStep::What::WaitAll:
    return takeWaitAll();
  case GraphStep::What::WaitFor:
    commit();
    for (const GraphStep &Each : All.subspan(1))
      take({&Each, 1});
    return takeWaitFor();
  case GraphStep::What::BeginGroup:
    commit();
    return GroupBegins.push_back(uint32_t(Nodes.size()));
  case GraphStep::What::EndGroup:
    return takeEndOfGroup();
  }
}

void TaskGraph::takeTask(uint32_t Kind, size_t Bytes, void *Record) {
  commit();
  Newest = {Kind, Count++, Bytes, Record};
  Pending = true;
}

/// Has the bytes at To be those at From, or zeroes; whether they were others.
static bool change(void *To, const void *From, size_t Bytes) {
  if (!From) {
    std::memset(To, 0, Bytes);
    return true;
  }
  if (std::memcmp(To, From, Bytes) == 0)
    return false;
  std::memcpy(To, From, Bytes);
  return true;
}

uint32_t TaskGraph::add(uint32_t Kind, const void *From, size_t Bytes) {
  TakesRanges = true;
  const GraphStep Step = {GraphStep::What::Add, {}, 1, Kind, Bytes};
  if (isKnown({&Step, 1})) {
    if (change(Data[Count], From, Bytes))
      changeData();
    return Count++;
  }
  void *Record = Arena.take(Bytes);
  if (From)
    std::memcpy(Record, From, Bytes);
  else
    std::memset(Record, 0, Bytes);
  appendToLong(Data, Record);
  changeData();
  take({&Step, 1});
  return Count - 1;
}

void TaskGraph::depend(uint32_t Task, const Range &Of) {
  assert(takesRanges(Task) && "ranges are of the last task");
  (void)Task;
  if (Of.Count == 1 && !Log.following())
    return useOne(Of);
  const RangeSteps Steps = stepsOf(Of);
  if (!isKnown(Steps.all()))
    NewUses.push_back({rowsOf(Steps.Items), Of.How});
}

void TaskGraph::dependAll(uint32_t Task) {
  assert(takesRanges(Task) && "ranges are of the last task");
  (void)Task;
  const GraphStep Step = {GraphStep::What::Use, DependKind::Out, 1, 0,
                          UINT64_MAX};
  if (!isKnown({&Step, 1}))
    take({&Step, 1});
}

void TaskGraph::undeferred(uint32_t Task) {
  assert(takesRanges(Task) && "only the last task");
  (void)Task;
  const GraphStep Step = {GraphStep::What::Undeferred};
  if (!isKnown({&Step, 1}))
    take({&Step, 1});
}

static uint64_t lastOf(const TaskGraph::Range &What) {
  return What.Address + std::min(std::max<uint64_t>(What.Bytes, 1) - 1,
                                 UINT64_MAX - What.Address);
}

/// A range that is no rows, where no graph is followed.
void TaskGraph::useOne(const Range &What) {
  const uint64_t Last = lastOf(What);
  Log.append({GraphStep::What::Use, What.How, 1, What.Address, Last});
  NewUses.push_back({{What.Address, Last}, What.How});
}

TaskGraph::RangeSteps TaskGraph::stepsOf(const Range &What) {
  const uint64_t Last = lastOf(What);
  if (What.Count == 1)
    return {{{GraphStep::What::Use, What.How, 1, What.Address, Last}, {}}, 1};
  return {{{GraphStep::What::UseRows, What.How, What.Count, What.Address, Last},
           {GraphStep::What::Rows, What.How, 1, What.AddressStep,
            What.AddressStep + What.BytesStep}},
          2};
}

/// The node that is appended next comes behind Node.
void TaskGraph::addProducer(uint32_t Node) {
  const uint32_t Mine = uint32_t(Nodes.size());
  if (Node == Mine || MarkedBy[Node] == Mine)
    return;
  MarkedBy[Node] = Mine;
  HasChild[Node] = true;
  appendToLong(Producers.Items, Node);
}

/// Its producers have been added. A node comes behind the floor by itself where
/// one of its producers does.
uint32_t TaskGraph::append(const TaskNode &Node) {
  const uint32_t Begin = Producers.Begin.empty() ? 0 : Producers.Begin.back();
  if (Producers.Begin.empty())
    Producers.Begin.push_back(0);
  const bool Behind =
      Floor == None ||
      std::any_of(Producers.Items.begin() + Begin, Producers.Items.end(),
                  [this](uint32_t P) { return P >= Floor; });
  if (!Behind)
    addProducer(Floor);
  std::sort(Producers.Items.begin() + Begin, Producers.Items.end());
  appendToLong(Nodes, Node);
  HasChild.push_back(false);
  appendToLong(MarkedBy, None);
  appendToLong(Producers.Begin, uint32_t(Producers.Items.size()));
  return uint32_t(Nodes.size()) - 1;
}

uint32_t TaskGraph::join(const std::vector<uint32_t> &Behind) {
  for (uint32_t Each : Behind)
    addProducer(Each);
  return append({});
}

/// The task added last, if it is not there yet, becomes a node.
void TaskGraph::commit() {
  if (!Pending)
    return;
  Pending = false;
  if (Uses.hasLarge())
    for (const Use &Each : NewUses)
      Uses.joinBefore(Each.Bytes, Each.How,
                      [this](const auto &Behind) { return join(Behind); });
  const uint32_t Mine = uint32_t(Nodes.size());
  Found.clear();
  for (const Use &Each : NewUses)
    Uses.use(Each.Bytes, Each.How, Mine, Found);
  for (uint32_t Each : Found)
    addProducer(Each);
  append(Newest);
  NewUses.clear();
  if (std::exchange(PendingIsFloor, false))
    Floor = Mine;
}

/// Makes a node the floor that comes behind all from First on: a join of those
/// that no other comes behind, or the only one of them.
void TaskGraph::joinSince(uint32_t First) {
  Found.clear();
  for (uint32_t Each = First; Each < Nodes.size(); ++Each)
    if (!HasChild[Each])
      Found.push_back(Each);
  Floor = Found.size() == 1 ? Found.front() : join(Found);
}

void TaskGraph::takeWaitAll() {
  commit();
  if (Nodes.size() == Waited)
    return;
  joinSince(Waited == 0 ? 0 : Waited - 1);
  Waited = uint32_t(Nodes.size());
  Uses.clear();
}

/// NewUses are those of the wait.
void TaskGraph::takeWaitFor() {
  Newest = {};
  Pending = PendingIsFloor = true;
  commit();
}

void TaskGraph::takeEndOfGroup() {
  commit();
  assert(!GroupBegins.empty() && "no group has begun");
  const uint32_t First = GroupBegins.back();
  GroupBegins.pop_back();
  if (First < Nodes.size())
    joinSince(First);
}

void TaskGraph::waitAll() {
  TakesRanges = false;
  const GraphStep Step = {GraphStep::What::WaitAll};
  if (!isKnown({&Step, 1}))
    take({&Step, 1});
}

void TaskGraph::waitFor(const std::vector<Range> &Of) {
  TakesRanges = false;
  if (Of.empty())
    return;
  std::vector<GraphStep> Steps = {{GraphStep::What::WaitFor}};
  for (const Range &Each : Of) {
    const RangeSteps More = stepsOf(Each);
    Steps.insert(Steps.end(), More.Items, More.Items + More.Count);
  }
  Steps.front().First = Steps.size() - 1;
  if (!isKnown(Steps))
    take(Steps);
}

void TaskGraph::beginGroup() {
  TakesRanges = false;
  ++OpenGroups;
  const GraphStep Step = {GraphStep::What::BeginGroup};
  if (!isKnown({&Step, 1}))
    take({&Step, 1});
}

void TaskGraph::endGroup() {
  TakesRanges = false;
  --OpenGroups;
  const GraphStep Step = {GraphStep::What::EndGroup};
  if (!isKnown({&Step, 1}))
    take({&Step, 1});
}

void TaskGraph::nameKind(uint32_t Kind, std::string Name) {
  if (Names.size() <= Kind)
    Names.resize(Kind + 1);
  Names[Kind] = std::move(Name);
}

std::string TaskGraph::kindName(uint32_t Kind) const {
  return Kind < Names.size() && !Names[Kind].empty()
             ? Names[Kind]
             : "kind " + std::to_string(Kind);
}

/// Turns the lists of producers around, and finds the levels.
void TaskGraph::link() {
  const uint32_t Count = uint32_t(Nodes.size());
  Children.Begin.assign(Count + 1, 0);
  Children.Items.resize(Producers.Items.size());
  for (uint32_t Each : Producers.Items)
    ++Children.Begin[Each + 1];
  for (uint32_t Node = 0; Node < Count; ++Node)
    Children.Begin[Node + 1] += Children.Begin[Node];
  std::vector<uint32_t> Next(Children.Begin.begin(), Children.Begin.end());
  Levels.assign(Count, 0);
  for (uint32_t Node = 0; Node < Count; ++Node)
    for (uint32_t Each : Producers.of(Node)) {
      Children.Items[Next[Each]++] = Node;
      Levels[Node] = std::max(Levels[Node], Levels[Each] + 1);
    }
}

void TaskGraph::finish() {
  TakesRanges = false;
  if (Log.complete())
    return;
  if (Log.following())
    divert();
  commit();
  if (Producers.Begin.empty())
    Producers.Begin.push_back(0);
  link();
  static std::atomic<uint64_t> Last = 0;
  Version = ++Last;
}

/// Of the nodes nothing stays, of the tasks their data.
void TaskGraph::forgetNodes() {
  Version = 0;
  Nodes.clear();
  Producers = {};
  Children = {};
  Levels.clear();
  Uses.clear();
  HasChild.clear();
  MarkedBy.clear();
  GroupBegins.clear();
  Floor = None;
  Waited = 0;
  Pending = PendingIsFloor = false;
  NewUses.clear();
}

void TaskGraph::clear() {
  Count = 0;
  OpenGroups = 0;
  TakesRanges = false;
  const bool Finished = Version != 0;
  NewData = false;
  if (Log.restart() && Finished)
    return;
  Log = {};
  forgetNodes();
  Arena.clear();
  Data.clear();
}

void TaskGraph::bringMemory() {
  // Tasks use three ranges each, about, and come behind two others.
  constexpr size_t Tasks = size_t(1) << 13;
  Log.bringMemory(4 * Tasks);
  Arena.bringMemory();
  bringLong(Data, Tasks);
  bringLong(Nodes, Tasks);
  bringLong(Producers.Items, 2 * Tasks);
  bringLong(Producers.Begin, Tasks);
  bringLong(MarkedBy, Tasks);
  Uses.bringMemory(Tasks);
}

bool TaskGraph::again() {
  assert(Count == 0 && "a graph comes again as a whole");
  if (!Log.following())
    return false;
  Log.followAll();
  Count = uint32_t(Data.size());
  return true;
}

uint32_t TaskGraph::widest() const {
  std::vector<uint32_t> Sizes;
  for (uint32_t Each : Levels) {
    if (Sizes.size() <= Each)
      Sizes.resize(Each + 1, 0);
    ++Sizes[Each];
  }
  return Sizes.empty() ? 0 : *std::max_element(Sizes.begin(), Sizes.end());
}

TaskGraph::ByLevel TaskGraph::byLevel() const {
  ByLevel Out;
  const uint32_t Count = uint32_t(Nodes.size());
  const uint32_t Last =
      Count == 0 ? 0 : *std::max_element(Levels.begin(), Levels.end()) + 1;
  Out.Begin.assign(Last + 1, 0);
  for (uint32_t Each : Levels)
    ++Out.Begin[Each + 1];
  for (uint32_t Level = 0; Level < Last; ++Level)
    Out.Begin[Level + 1] += Out.Begin[Level];
  std::vector<uint32_t> Next(Out.Begin.begin(), Out.Begin.end());
  Out.Order.resize(Count);
  for (uint32_t Node = 0; Node < Count; ++Node)
    Out.Order[Next[Levels[Node]]++] = Node;
  return Out;
}

/// Of each node how many steps there are to the end.
std::vector<uint32_t> TaskGraph::waysToEnd() const {
  std::vector<uint32_t> Out(Nodes.size(), 0);
  for (uint32_t Node = uint32_t(Nodes.size()); Node-- > 0;)
    for (uint32_t Each : Producers.of(Node))
      Out[Each] = std::max(Out[Each], Out[Node] + 1);
  return Out;
}

std::vector<uint32_t> TaskGraph::ticketOrder(uint32_t Workers) const {
  const uint32_t Count = uint32_t(Nodes.size());
  const std::vector<uint32_t> Way = waysToEnd();
  std::vector<uint32_t> Open(Count), Out;
  Out.reserve(Count);
  // The longest way first, then the order of creation.
  using Entry = uint64_t;
  auto EntryOf = [&](uint32_t Node) {
    return Entry(Way[Node]) << 32 | uint32_t(~Node);
  };
  std::vector<Entry> Heap;
  for (uint32_t Node = 0; Node < Count; ++Node)
    if ((Open[Node] = uint32_t(Producers.of(Node).size())) == 0)
      Heap.push_back(EntryOf(Node));
  std::make_heap(Heap.begin(), Heap.end());
  while (!Heap.empty()) {
    const size_t Begin = Out.size();
    for (uint32_t Free = std::max(Workers, 1u); Free > 0 && !Heap.empty();
         --Free) {
      std::pop_heap(Heap.begin(), Heap.end());
      Out.push_back(~uint32_t(Heap.back()));
      Heap.pop_back();
    }
    for (size_t I = Begin, End = Out.size(); I < End; ++I)
      for (uint32_t Each : Children.of(Out[I]))
        if (--Open[Each] == 0) {
          Heap.push_back(EntryOf(Each));
          std::push_heap(Heap.begin(), Heap.end());
        }
  }
  return Out;
}

} // namespace blockmaestro
