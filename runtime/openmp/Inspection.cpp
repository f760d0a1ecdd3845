// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Inspection.h"

#include "DependenceRows.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace blockmaestro::openmp {
namespace {

/// Of kmp_task_t, in front of what the program's tasks have.
constexpr size_t HeadBytes = 40;
/// So many tasks, or bytes of them, run before more are recorded.
constexpr size_t MostPending = size_t(1) << 20;
constexpr size_t MostPendingBytes = size_t(1) << 29;
/// What a task costs beside its record, about.
constexpr size_t BytesBesideRecord = 256;

uint64_t numberOf(const void *Where) {
  return reinterpret_cast<uint64_t>(Where);
}

uint64_t *wordAt(void *Record, size_t Offset) {
  return reinterpret_cast<uint64_t *>(static_cast<std::byte *>(Record) +
                                      Offset);
}

double microseconds(std::chrono::steady_clock::duration Of) {
  return std::chrono::duration<double, std::micro>(Of).count();
}

} // namespace

void Inspection::check(const Status &Done) {
  if (!Done.ok())
    Port.fail(Done.message());
}

void Inspection::begin(const TaskTable &Of, unsigned Threads) {
  Reads.spoil();
  open(Of, Threads);
}

void Inspection::open(const TaskTable &Of, unsigned Threads) {
  Table = &Of;
  Kernels = {Of.Blocks, Of.Workers, Threads};
  Counts = {};
  Elsewhere = 0;
  View.forget();
  Begin = Clock::now();
  if (Named == Table)
    return;
  Named = Table;
  Touched.reset();
  if (Of.Footprints) {
    Result<TouchedRanges> Read = TouchedRanges::read(Of);
    check(Read.status());
    Touched = std::move(*Read);
  }
  for (uint32_t Kind = 0; Kind < Of.KindCount; ++Kind)
    Graph.nameKind(Kind, Of.Kinds[Kind].Name);
}

InspectionCounts Inspection::end() {
  flush(true);
  Counts.Inspect = microseconds(Clock::now() - Begin) - Elsewhere;
  Graph.clear();
  Local.clear();
  Groups = 0;
  return Counts;
}

/// Whether the call has just the tasks that the last one had; then they are
/// pending. See Note [Regions that come again].
bool Inspection::comesAgain(const RegionCall &Call) {
  if (!(Call == Last) || !rangesHold() || !Reads.hold(View) || !Graph.again())
    return false;
  Pending = Graph.tasks();
  Counts.Again = true;
  return true;
}

InspectionCounts Inspection::run(const RegionCall &Call) {
  open(*Call.Table, Call.Threads);
  if (comesAgain(Call))
    return end();
  Last = Call;
  Reads.begin();
  RangesRead.clear();
  Port.expect(Kernels);
  StackEnd = numberOf(__builtin_frame_address(0));
  Call.Inspect(Call.Arguments.data());
  StackEnd = 0;
  return end();
}

/// Has all pending tasks run; nobody looks at variables after the last time.
void Inspection::flush(bool Last) {
  if (Pending == 0)
    return;
  const Clock::time_point Start = Clock::now();
  Graph.finish();
  if (!Last)
    Reads.spoil();
  check(Counts.Again ? Local.toDeviceAgain() : Local.toDevice());
  check(Port.start(Graph, Kernels));
  const Clock::time_point Started = Clock::now();
  check(Port.wait());
  if (!Last)
    check(Local.fromDevice());
  const Clock::time_point End = Clock::now();
  Counts.Tasks += Graph.tasks();
  Counts.Edges += Graph.edges();
  ++Counts.Flushes;
  Counts.Prepare += microseconds(Started - Start);
  Counts.Run += microseconds(End - Started);
  Elsewhere += microseconds(End - Start);
  Local.settle();
  View.forget();
  Synced = false;
  Written.clear();
  AnyWritten = false;
  Pending = PendingBytes = 0;
  Graph.clear();
  for (size_t I = 0; I < Groups; ++I)
    Graph.beginGroup();
}

/// Before memory of the device is read or written.
void Inspection::touchDevice() {
  if (Synced)
    flush(false);
}

/// Before bytes of variables are.
void Inspection::touchLocal(uint64_t Where, size_t Bytes) {
  if (Synced && Local.isReached(Where, Bytes))
    flush(false);
}

/// Whether Where, which is no variable's, is the host's.
bool Inspection::isHost(uint64_t Where) {
  const uint64_t StackTop = numberOf(__builtin_frame_address(0));
  if ((Where >= StackTop && Where < StackEnd) ||
      Records.has(reinterpret_cast<const void *>(Where)))
    return true;
  if (Port.isOnDevice(Where))
    return false;
  Reads.spoil();
  return true;
}

void *Inspection::newTask(uint32_t Kind, uint64_t TaskBytes,
                          uint64_t SharedsBytes) {
  if (Kind >= Table->KindCount)
    Port.fail("the program has no tasks of kind " + std::to_string(Kind));
  const TaskKind &Of = Table->Kinds[Kind];
  if (TaskBytes != Of.TaskBytes || SharedsBytes != Of.SharedsBytes)
    Port.fail("task at " + std::string(Of.Name) + ": the host has " +
              std::to_string(TaskBytes) + " and " +
              std::to_string(SharedsBytes) + " bytes of it, the device " +
              std::to_string(Of.TaskBytes) + " and " +
              std::to_string(Of.SharedsBytes));
  void *Record = Records.take(Kind, Of.RecordBytes);
  if (SharedsBytes != 0)
    *wordAt(Record, 0) = numberOf(wordAt(Record, Of.SharedsOffset));
  return Record;
}

const TaskKind &Inspection::kindOf(const void *Record) const {
  return Table->Kinds[Records.kindOf(Record)];
}

/// Decides which variables the task gets copies of, and notes which it reaches;
/// see Note [Copies of shared variables].
void Inspection::placeShareds(void *Record, const TaskKind &Of) {
  Pointers.resize(Of.CopyCount);
  for (uint32_t I = 0; I < Of.CopyCount; ++I)
    Pointers[I] = std::exchange(
        *wordAt(Record, Of.SharedsOffset + Of.Copies[I].Field), 0);
  Local.reach(wordAt(Record, HeadBytes),
              (Of.RecordBytes - HeadBytes) / sizeof(uint64_t));
  // A variable that stays where it is may have others reached.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (uint32_t I = 0; I < Of.CopyCount; ++I) {
      const SharedCopy &Copy = Of.Copies[I];
      uint64_t &Field = *wordAt(Record, Of.SharedsOffset + Copy.Field);
      if (Copy.Bytes == 0 || Field == Pointers[I])
        continue;
      if (Local.mirror(Pointers[I], Copy.Bytes) &&
          !Local.isReached(Pointers[I], Copy.Bytes))
        continue;
      Field = Pointers[I];
      Local.reach(&Field, 1);
      Changed = true;
    }
    Changed |= copyShareds(Record, Of);
  }
}

/// Fills the copies; whether they have variables reached that were not.
bool Inspection::copyShareds(void *Record, const TaskKind &Of) {
  bool More = false;
  for (uint32_t I = 0; I < Of.CopyCount; ++I) {
    const SharedCopy &Copy = Of.Copies[I];
    uint64_t &Field = *wordAt(Record, Of.SharedsOffset + Copy.Field);
    if (Copy.Bytes == 0 || Field == Pointers[I] || Field == Copy.Offset)
      continue;
    uint64_t *To = wordAt(Record, Copy.Offset);
    std::memcpy(To, Local.mirror(Pointers[I], Copy.Bytes), Copy.Bytes);
    Field = Copy.Offset;
    More |= Local.reach(To, Copy.Bytes / sizeof(uint64_t));
  }
  return More;
}

/// A task with the record becomes part of the graph.
uint32_t Inspection::append(const void *Record, const TaskKind &Of) {
  const uint32_t Task =
      Graph.add(Records.kindOf(Record), Record, Of.RecordBytes);
  ++Pending;
  PendingBytes += Of.RecordBytes + BytesBesideRecord;
  return Task;
}

/// Dependences of a list; it may be a variable of the region.
const Dependence *Inspection::listAt(const void *List, int32_t Count) {
  const size_t Bytes = size_t(Count) * sizeof(Dependence);
  const void *Own = Local.mirror(numberOf(List), Bytes);
  if (Own)
    touchLocal(numberOf(List), Bytes);
  return static_cast<const Dependence *>(Own ? Own : List);
}

/// The ranges come to Ranges; whether they are all memory.
bool Inspection::readRanges(const DependenceLists &From) {
  bool All = false;
  Ranges.clear();
  if (From.Count > 0)
    All |= addRanges(listAt(From.First, From.Count), From.Count, Ranges);
  if (From.MoreCount > 0)
    All |= addRanges(listAt(From.More, From.MoreCount), From.MoreCount, Ranges);
  return All;
}

void Inspection::addTask(void *Record, const DependenceLists &Behind) {
  bool All = readRanges(Behind);
  const TaskKind &Of = kindOf(Record);
  placeShareds(Record, Of);
  if (Touched && Behind.Count + Behind.MoreCount == 0)
    All = !infer(Record, Of);
  dependOn(append(Record, Of), All);
  Records.give(Record);
  keepBounded();
}

/// The task, which was added last, has the Ranges.
void Inspection::dependOn(uint32_t Task, bool OnAll) {
  if (OnAll) {
    AnyWritten = true;
    return Graph.dependAll(Task);
  }
  for (const TaskGraph::Range &Each : Ranges) {
    Graph.depend(Task, Each);
    if (!Touched || Each.How == DependKind::In)
      continue;
    for (uint32_t Row = 0; Row < Each.Count; ++Row)
      Written.insert(rangeAround(Each.Address + Row * Each.AddressStep).Begin);
  }
}

DeviceRange Inspection::rangeAround(DeviceAddress Where) const {
  const DeviceRange Own = Local.rangeAround(Where);
  return Own.Bytes != 0 ? Own : Port.rangeAround(Where);
}

/// The same, and the inspection rests on it.
DeviceRange Inspection::noteRangeAround(DeviceAddress Where) {
  const DeviceRange Found = rangeAround(Where);
  if (Found.Bytes == 0)
    Reads.spoil();
  else
    RangesRead[Found.Begin] = Found.Bytes;
  return Found;
}

bool Inspection::rangesHold() const {
  return std::all_of(
      RangesRead.begin(), RangesRead.end(), [this](const auto &Each) {
        const DeviceRange Now = Port.rangeAround(Each.first);
        return Now.Begin == Each.first && Now.Bytes == Each.second;
      });
}

/// Whether a pending task may write what is at Where.
bool Inspection::mayBeWritten(DeviceAddress Where) const {
  return AnyWritten || Written.count(rangeAround(Where).Begin) != 0;
}

/// Brings the values of variables that the task reads where they are to their
/// places in Known, and adds these to Ranges.
void Inspection::readVariables(void *Record, const TaskKind &Of,
                               std::vector<std::byte> &Known) {
  for (uint32_t I = 0; I < Of.CopyCount; ++I) {
    const SharedCopy &Copy = Of.Copies[I];
    const uint64_t Where = *wordAt(Record, Of.SharedsOffset + Copy.Field);
    if (Copy.Bytes == 0 || Where == Copy.Offset)
      continue;
    if (mayBeWritten(Where))
      flush(false);
    load(Known.data() + Copy.Offset, reinterpret_cast<const void *>(Where),
         Copy.Bytes);
    Ranges.push_back({Where, Copy.Bytes, DependKind::In});
  }
}

/// What the task is going to touch comes to Ranges; false: anything. See Note
/// [Inferred dependences].
bool Inspection::infer(void *Record, const TaskKind &Of) {
  Ranges.clear();
  const auto *First = static_cast<const std::byte *>(Record);
  std::vector<std::byte> Known(First, First + Of.RecordBytes);
  readVariables(Record, Of, Known);
  return Touched->add(
      Records.kindOf(Record), Known, Kernels.Threads,
      [this](DeviceAddress Where) { return noteRangeAround(Where); }, Ranges);
}

/// Tasks may run at any time.
void Inspection::keepBounded() {
  if (Pending >= MostPending || PendingBytes >= MostPendingBytes)
    flush(false);
}

void Inspection::addUndeferred(void *Record) {
  const TaskKind &Of = kindOf(Record);
  placeShareds(Record, Of);
  Ranges.clear();
  const bool All = Touched && !infer(Record, Of);
  const uint32_t Task = append(Record, Of);
  Graph.undeferred(Task);
  dependOn(Task, All);
  Records.give(Record);
  Synced = true;
  keepBounded();
}

void Inspection::addLoop(void *Record, bool Deferred, const uint64_t *LowerAt,
                         const uint64_t *UpperAt, int64_t Step,
                         LoopSchedule Schedule, uint64_t Size) {
  uint64_t Lower = 0, Upper = 0;
  load(&Lower, LowerAt, sizeof(Lower));
  load(&Upper, UpperAt, sizeof(Upper));
  const uint64_t Usual = 2 * uint64_t(Port.processors());
  const LoopChunks Chunks =
      chunksOf(tripCount(Lower, Upper, Step), Schedule, Size, Usual);
  const TaskKind &Of = kindOf(Record);
  for (uint64_t Chunk = 0; Chunk < Chunks.Count; ++Chunk) {
    const uint64_t Last = Lower + (Chunks.sizeOf(Chunk) - 1) * uint64_t(Step);
    const int32_t IsLast = Chunk + 1 == Chunks.Count;
    *wordAt(Record, LoopLower) = Lower;
    *wordAt(Record, LoopUpper) = Last;
    *wordAt(Record, LoopStep) = uint64_t(Step);
    std::memcpy(wordAt(Record, LoopIsLast), &IsLast, sizeof(IsLast));
    if (Chunk == 0)
      placeShareds(Record, Of);
    Ranges.clear();
    const bool All = Touched && !infer(Record, Of);
    const uint32_t Task = append(Record, Of);
    if (!Deferred)
      Graph.undeferred(Task);
    dependOn(Task, All);
    Synced |= !Deferred;
    Lower = Last + uint64_t(Step);
    keepBounded();
  }
  Records.give(Record);
}

void Inspection::waitAll() {
  Graph.waitAll();
  Synced = isPending();
}

void Inspection::waitFor(const DependenceLists &Behind) {
  if (readRanges(Behind))
    Graph.waitAll();
  else
    Graph.waitFor(Ranges);
  Synced = isPending();
}

void Inspection::beginGroup() {
  Graph.beginGroup();
  ++Groups;
}

void Inspection::endGroup() {
  if (Groups == 0)
    Port.fail("a taskgroup ends that has not begun");
  Graph.endGroup();
  --Groups;
  Synced = isPending();
}

void *Inspection::newLocal(uint64_t Bytes) {
  const Result<DeviceAddress> Made = Local.take(Bytes);
  if (!Made.ok())
    Port.fail(Made.status().message());
  return reinterpret_cast<void *>(*Made);
}

void Inspection::endLocals(void *First) { Local.give(numberOf(First)); }

/// The bytes are the device's, or the host's.
void Inspection::loadElsewhere(void *Value, uint64_t From, size_t Bytes) {
  if (isHost(From)) {
    std::memcpy(Value, reinterpret_cast<const void *>(From), Bytes);
    return;
  }
  touchDevice();
  check(View.load(Value, From, Bytes));
  Reads.note(From, Value, Bytes);
}

void Inspection::store(void *To, const void *Value, size_t Bytes) {
  const uint64_t Where = numberOf(To);
  if (std::byte *Own = Local.mirror(Where, Bytes)) {
    touchLocal(Where, Bytes);
    std::memmove(Own, Value, Bytes);
    Local.changed(Where, Bytes);
  } else if (isHost(Where)) {
    std::memmove(To, Value, Bytes);
  } else {
    touchDevice();
    Reads.spoil();
    tellDevice(Where, Value, Bytes);
    check(View.store(Where, Value, Bytes));
  }
}

/// Addresses of variables that come to memory of the device are everyone's.
void Inspection::tellDevice(uint64_t To, const void *From, size_t Bytes) {
  constexpr size_t WordBytes = sizeof(uint64_t);
  for (size_t At = (0 - To) % WordBytes; At + WordBytes <= Bytes;
       At += WordBytes) {
    uint64_t Word = 0;
    std::memcpy(&Word, static_cast<const std::byte *>(From) + At, WordBytes);
    if (Local.mayBeAddress(Word))
      Local.escape(&Word, 1);
  }
}

void Inspection::copy(void *To, const void *From, size_t Bytes) {
  const uint64_t Where = numberOf(From);
  if (Bytes == 0)
    return;
  if (const std::byte *Own = Local.mirror(Where, Bytes)) {
    touchLocal(Where, Bytes);
    store(To, Own, Bytes);
  } else if (isHost(Where)) {
    store(To, From, Bytes);
  } else {
    Bounce.resize(Bytes);
    touchDevice();
    check(View.load(Bounce.data(), Where, Bytes));
    Reads.note(Where, Bounce.data(), Bytes);
    store(To, Bounce.data(), Bytes);
  }
}

void Inspection::fill(void *To, int32_t Value, size_t Bytes) {
  if (Bytes == 0)
    return;
  Bounce.assign(Bytes, std::byte(Value));
  store(To, Bounce.data(), Bytes);
}

} // namespace blockmaestro::openmp
