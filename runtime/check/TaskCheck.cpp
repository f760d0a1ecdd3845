// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskCheck.h"

#include <algorithm>
#include <optional>

namespace blockmaestro {
namespace {

constexpr uint32_t Release = AccessWrites | AccessSynchronizes;
constexpr uint32_t Change = AccessReads | Release;

const char *verbOf(uint32_t Bits) {
  if (!(Bits & AccessWrites))
    return "reads";
  return Bits & AccessReads ? "changes" : "writes";
}

std::string atLine(const TaskUse &Of) {
  return *Of.Where ? std::string(" at ") + Of.Where : "";
}

/// The declared range with the byte that allows all of Bits.
const TaskRange *rangeWith(const DeclaredTask &Of, uint64_t Byte,
                           uint32_t Bits) {
  for (const TaskRange &Each : Of.Ranges)
    if (Each.First <= Byte && Byte <= Each.Last && !(Bits & ~Each.Bits))
      return &Each;
  return nullptr;
}

/// The first bytes of Bytes that the task has not declared for this.
std::optional<ByteRange> undeclared(const DeclaredTask &Of, ByteRange Bytes,
                                    uint32_t Bits) {
  uint64_t At = Bytes.First;
  while (At < Bytes.End) {
    const TaskRange *Has = rangeWith(Of, At, Bits);
    if (!Has)
      break;
    if (Has->Last >= Bytes.End - 1)
      return std::nullopt;
    At = Has->Last + 1;
  }
  uint64_t End = Bytes.End;
  for (const TaskRange &Each : Of.Ranges)
    if (Each.First > At && !(Bits & ~Each.Bits))
      End = std::min(End, Each.First);
  return ByteRange{At, End};
}

} // namespace

using Writing = std::unique_lock<std::shared_mutex>;
using Reading = std::shared_lock<std::shared_mutex>;

uint64_t TaskCheck::nextNumber() {
  static std::atomic<uint64_t> Last = 0;
  return ++Last;
}

void TaskCheck::expect(ExpectedTasks Next) {
  auto New = std::make_shared<Graph>();
  const size_t Tasks = Next.Order.tasks();
  const uint64_t First = Next.FirstLaunch;
  New->Expected = std::move(Next);
  New->Uses.resize(Tasks);
  New->Running.resize(Tasks);
  New->Left = Tasks;
  Writing Guard(Lock);
  Graphs[First] = std::move(New);
}

TaskCheck::GraphRef TaskCheck::graphOf(const Launch &What) const {
  Reading Guard(Lock);
  const auto Behind = Graphs.upper_bound(What.Id);
  if (Behind == Graphs.begin())
    return nullptr;
  const GraphRef &Of = std::prev(Behind)->second;
  const uint64_t Level = What.Id - Of->Expected.FirstLaunch;
  return Level + 1 < Of->Expected.LevelBegin.size() ? Of : nullptr;
}

/// The task that a block runs which has not ended. A thread asks for the same
/// block again and again.
TaskCheck::PlacedTask TaskCheck::taskOf(const Launch &What,
                                        uint64_t Block) const {
  struct Answer {
    uint64_t Number = 0, Launch = 0, Block = 0;
    PlacedTask Task;
  };
  thread_local Answer Last;
  if (Last.Number == Number && Last.Launch == What.Id && Last.Block == Block)
    return Last.Task;
  const GraphRef Of = graphOf(What);
  if (!Of)
    return {};
  const uint64_t Level = What.Id - Of->Expected.FirstLaunch;
  Last = {Number,
          What.Id,
          Block,
          {Of.get(), Of->Expected.LevelBegin[Level] + Block}};
  return Last.Task;
}

/// A lock ends with those that the thread has taken behind it.
void TaskCheck::release(RunningTask &Of, const HeldLock &What) {
  const auto Held =
      std::find_if(Of.Locks.begin(), Of.Locks.end(), [&](const HeldLock &Each) {
        return Each.Thread == What.Thread && Each.Lock == What.Lock;
      });
  Of.Locks.erase(std::remove_if(Held, Of.Locks.end(),
                                [&](const HeldLock &Each) {
                                  return Each.Thread == What.Thread;
                                }),
                 Of.Locks.end());
}

/// Before the access counts.
void TaskCheck::followLocks(RunningTask &Of, const ObservedAccess &What) {
  if (!Of.Changed.empty())
    std::erase_if(Of.Changed, [&](const HeldLock &Each) {
      return Each.Thread == What.Thread;
    });
  if ((What.Bits & Change) == Change)
    Of.Changed.push_back({What.Thread, What.Address});
  else if ((What.Bits & Release) == Release && !Of.Locks.empty())
    release(Of, {What.Thread, What.Address});
}

/// Where the access counts; a thread mostly goes on where it was.
TaskUse &TaskCheck::useOf(const PlacedTask &Of, const ObservedAccess &What) {
  RunningTask &Task = Of.In->Running[Of.Place];
  std::vector<TaskUse> &All = Of.In->Uses[Of.Place];
  std::vector<uint64_t> Locks;
  for (const HeldLock &Each : Task.Locks)
    if (Each.Thread == What.Thread)
      Locks.push_back(Each.Lock);
  auto IsSame = [&](const TaskUse &Use) {
    return Use.Where == What.Where && Use.Bits == What.Bits &&
           Use.Locks == Locks;
  };
  if (Task.LastUse < All.size() && IsSame(All[Task.LastUse]))
    return All[Task.LastUse];
  const auto Known = std::find_if(All.begin(), All.end(), IsSame);
  Task.LastUse = size_t(Known - All.begin());
  if (Known == All.end())
    All.push_back({What.Where, What.Bits, std::move(Locks), {}});
  return All[Task.LastUse];
}

void TaskCheck::touches(const ObservedAccess &What) {
  if (What.Space != AccessSpace::Global || What.Bytes == 0)
    return;
  const PlacedTask Of = taskOf(*What.What, What.Block);
  if (!Of.In)
    return;
  followLocks(Of.In->Running[Of.Place], What);
  useOf(Of, What).Bytes.add(What.Address, What.Bytes);
}

void TaskCheck::fences(const Launch &What, uint64_t Block, uint32_t Thread) {
  const PlacedTask Of = taskOf(What, Block);
  if (!Of.In)
    return;
  RunningTask &Task = Of.In->Running[Of.Place];
  for (const HeldLock &Each : Task.Changed)
    if (Each.Thread == Thread)
      Task.Locks.push_back(Each);
  std::erase_if(Task.Changed,
                [&](const HeldLock &Each) { return Each.Thread == Thread; });
}

void TaskCheck::allocated(uint64_t Address, uint64_t Bytes) {
  Writing Guard(Lock);
  for (auto &[First, Each] : Graphs)
    Each->Allocated.add(Address, Bytes);
}

void TaskCheck::ends(const Launch &What, uint64_t Block) {
  const PlacedTask Task = taskOf(What, Block);
  if (!Task.In || Task.In->Left.fetch_sub(1) != 1)
    return;
  const GraphRef Of = graphOf(What);
  {
    Writing Guard(Lock);
    Graphs.erase(Of->Expected.FirstLaunch);
  }
  judge(*Of);
}

namespace {

/// Makes findings of a graph's conflicts.
class TaskReport {
public:
  TaskReport(const DeclaredTasks &Declared, const ByteSet &Allocated,
             const std::vector<std::vector<TaskUse>> &Uses, Findings &Found)
      : Declared(Declared), Allocated(Allocated), Uses(Uses), Found(Found) {}

  void add(const TaskConflict &Of) {
    if (!isIgnored(Of.Bytes) && !addOf(Of.Bytes, Of.Later, Of.Earlier))
      (void)addOf(Of.Bytes, Of.Earlier, Of.Later);
  }

private:
  bool isIgnored(ByteRange Of) const;
  bool addOf(ByteRange Both, TaskUseName Mine, TaskUseName Other);
  std::string taskText(uint32_t Place) const {
    const DeclaredTask &Of = Declared.Tasks[Place];
    return "task " + std::to_string(Of.Number) + " (" + Of.Kind + ")";
  }
  std::string bytesText(ByteRange Of) const;

  const DeclaredTasks &Declared;
  const ByteSet &Allocated;
  const std::vector<std::vector<TaskUse>> &Uses;
  Findings &Found;
};

/// Whether the bytes are no memory of the program's.
bool TaskReport::isIgnored(ByteRange Of) const {
  if (Of.First - Declared.OwnBegin < Declared.OwnBytes)
    return true;
  return std::any_of(Allocated.settled().begin(), Allocated.settled().end(),
                     [&](const ByteRange &Each) {
                       return Of.First < Each.End && Each.First < Of.End;
                     });
}

/// "4 bytes at 0x... (8 bytes into x[0:n])"
std::string TaskReport::bytesText(ByteRange Of) const {
  auto Text = [](uint64_t Bytes) {
    return std::to_string(Bytes) + (Bytes == 1 ? " byte" : " bytes");
  };
  const std::string Out =
      Text(Of.End - Of.First) + " at " + hexadecimal(Of.First);
  for (const NamedMemory &Each : Declared.Names)
    if (Of.First - Each.Begin < Each.Bytes)
      return Out + " (" + Text(Of.First - Each.Begin) + " into " + Each.Name +
             ")";
  return Out;
}

/// Whether Mine has not declared all of the bytes.
bool TaskReport::addOf(ByteRange Both, TaskUseName Mine, TaskUseName Other) {
  const TaskUse &Use = Uses[Mine.Place][Mine.Use];
  const TaskUse &Met = Uses[Other.Place][Other.Use];
  const std::optional<ByteRange> Bytes =
      undeclared(Declared.Tasks[Mine.Place], Both,
                 Use.Bits & (AccessReads | AccessWrites));
  if (!Bytes)
    return false;
  Found.add("tasks " + Declared.Tasks[Mine.Place].Kind + Use.Where + "/" +
                Declared.Tasks[Other.Place].Kind + Met.Where,
            "footprint: " + taskText(Mine.Place) + " " + verbOf(Use.Bits) +
                " " + bytesText(*Bytes) + atLine(Use) +
                ", which it does not declare; " + taskText(Other.Place) +
                ", which nothing orders with it, " + verbOf(Met.Bits) +
                (Bytes->End - Bytes->First == 1 ? " it" : " them") +
                atLine(Met));
  return true;
}

} // namespace

void TaskCheck::judge(Graph &Of) {
  (void)Of.Allocated.ranges();
  TaskReport Report(Of.Expected.Declared, Of.Allocated, Of.Uses, Found);
  TaskConflicts(Of.Expected.Order, Of.Uses).find([&](const TaskConflict &Each) {
    Report.add(Each);
  });
}

} // namespace blockmaestro
