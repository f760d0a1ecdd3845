// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MachineFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using blockmaestro::sim::Machine;

namespace blockmaestro {
namespace {

/// One key and the field it sets; either Word or Long.
struct Field {
  StringLiteral Key;
  uint32_t *(*Word)(Machine &);
  uint64_t *(*Long)(Machine &);
  uint64_t Least;
  uint64_t Most;
};

#define WORD(Member) [](Machine &M) -> uint32_t * { return &M.Member; }, nullptr
#define LONG(Member) nullptr, [](Machine &M) -> uint64_t * { return &M.Member; }

constexpr uint64_t Million = 1000000;

const Field Fields[] = {
    {"sms", WORD(Sms), 1, 4096},
    {"blocks_per_sm", WORD(BlocksPerSm), 1, 4096},
    {"threads_per_sm", WORD(ThreadsPerSm), 1, Million},
    {"registers_per_sm", WORD(RegistersPerSm), 1, 1u << 30},
    {"register_granularity", WORD(RegisterGranularity), 1, Million},
    {"registers_least", WORD(RegistersLeast), 0, 1024},
    {"shared_bytes_per_sm", WORD(SharedBytesPerSm), 0, 1u << 30},
    {"warp_size", WORD(WarpSize), 1, 1024},
    {"clock_mhz", WORD(ClockMHz), 1, Million},
    {"issue_width", WORD(IssueWidth), 1, 1024},
    {"loads_in_flight", WORD(LoadsInFlight), 0, 1024},
    {"bytes_per_sector", WORD(BytesPerSector), 1, 4096},
    {"memory_bytes_per_cycle", WORD(MemoryBytesPerCycle), 1, Million},
    {"host_bytes_per_us", WORD(HostBytesPerUs), 1, 1000 * Million},
    {"cycles_arithmetic", WORD(Cycles.Arithmetic), 0, Million},
    {"cycles_global_read", WORD(Cycles.GlobalRead), 0, Million},
    {"cycles_global_write", WORD(Cycles.GlobalWrite), 0, Million},
    {"cycles_shared", WORD(Cycles.Shared), 0, Million},
    {"cycles_barrier", WORD(Cycles.Barrier), 0, Million},
    {"cycles_other", WORD(Cycles.Other), 0, Million},
    {"cycles_double", WORD(Cycles.Double), 0, Million},
    {"cycles_special", WORD(Cycles.Special), 0, Million},
    {"cycles_conversion", WORD(Cycles.Conversion), 0, Million},
    {"cycles_exchange", WORD(Cycles.Exchange), 0, Million},
    {"cycles_atomic", WORD(Cycles.Atomic), 0, Million},
    {"cycles_l1", WORD(Cycles.L1), 0, Million},
    {"cycles_l2", WORD(Cycles.L2), 0, Million},
    {"cycles_barrier_warp", WORD(Cycles.BarrierWarp), 0, Million},
    {"cycles_arguments", WORD(Cycles.Arguments), 0, Million},
    {"l1_bytes_per_sm", WORD(L1BytesPerSm), 0, 1u << 30},
    {"l2_bytes", WORD(L2Bytes), 0, 1u << 31},
    {"l1_bytes_per_cycle", WORD(L1BytesPerCycle), 0, Million},
    {"sm_bytes_per_cycle", WORD(SmBytesPerCycle), 0, Million},
    {"l2_bytes_per_cycle", WORD(L2BytesPerCycle), 0, Million},
    {"doubles_per_cycle", WORD(DoublesPerCycle), 0, 1024},
    {"special_cycles", WORD(SpecialCycles), 0, Million},
    {"block_spread_percent", WORD(BlockSpreadPercent), 0, 100},
    {"launch_overhead_ns", LONG(LaunchOverheadNs), 0, 1000 * Million},
    {"launches_at_once", WORD(LaunchesAtOnce), 1, Million},
    {"device_launch_ns", LONG(DeviceLaunchNs), 0, 1000 * Million},
    {"dependency_check_ns", LONG(DependencyCheckNs), 0, 1000 * Million},
    {"stream_sync_ns", LONG(StreamSyncNs), 0, 1000 * Million},
    {"scheduler_streams", WORD(SchedulerStreams), 1, Million},
    {"block_issue_ns", LONG(BlockIssueNs), 0, Million},
    {"block_turnaround_ns", LONG(BlockTurnaroundNs), 0, Million},
    {"dependency_list_entries", WORD(DependencyListEntries), 1, 1u << 30},
    {"children_per_entry", WORD(ChildrenPerEntry), 1, 4096},
    {"parent_counter_entries", WORD(ParentCounterEntries), 1, 1u << 30},
    {"parent_counter_bits", WORD(ParentCounterBits), 1, 16},
    {"closed_forms_decode", WORD(ClosedFormsDecode), 0, 1},
    {"full_buffers_stall", WORD(FullBuffersStall), 0, 1},
    {"pending_update_entries", WORD(PendingUpdateEntries), 1, 1u << 30},
};

#undef WORD
#undef LONG

Expected<const Field &> findField(StringRef Key) {
  const Field *Found =
      find_if(Fields, [&](const Field &F) { return F.Key == Key; });
  if (Found == std::end(Fields))
    return createStringError("unknown key '" + Key + "'");
  return *Found;
}

Error setField(Machine &To, StringRef Key, std::optional<uint64_t> Number) {
  Expected<const Field &> F = findField(Key);
  if (!F)
    return F.takeError();
  if (!Number || *Number < F->Least || *Number > F->Most)
    return createStringError("'" + Key + "' must be a number from " +
                             Twine(F->Least) + " to " + Twine(F->Most));
  if (F->Word)
    *F->Word(To) = static_cast<uint32_t>(*Number);
  else
    *F->Long(To) = *Number;
  return Error::success();
}

/// Where the numbers are from: a text for some of the keys.
Error checkSources(const json::Value &Sources) {
  const json::Object *Object = Sources.getAsObject();
  if (!Object)
    return createStringError("'sources' must be an object");
  for (const auto &[Key, Value] : *Object) {
    if (Expected<const Field &> Known = findField(Key); !Known)
      return Known.takeError();
    if (!Value.getAsString())
      return createStringError("the source of '" + StringRef(Key) +
                               "' must be a text");
  }
  return Error::success();
}

Expected<Machine> parseMachine(StringRef Text) {
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Object = Parsed->getAsObject();
  if (!Object)
    return createStringError("not a JSON object");
  Machine Out;
  for (const auto &[Key, Value] : *Object) {
    if (StringRef(Key) == "sources") {
      if (Error Wrong = checkSources(Value))
        return std::move(Wrong);
    } else if (StringRef(Key) != "name") {
      if (Error Wrong = setField(Out, Key, Value.getAsUINT64()))
        return std::move(Wrong);
    } else if (std::optional<StringRef> Name = Value.getAsString()) {
      Out.Name = Name->str();
    } else {
      return createStringError("'name' must be a text");
    }
  }
  return Out;
}

} // namespace

Error setMachineKey(Machine &To, StringRef KeyAndValue) {
  auto [Key, Text] = KeyAndValue.split('=');
  uint64_t Number = 0;
  const bool Wrong = Text.getAsInteger(10, Number);
  return setField(To, Key,
                  Wrong ? std::nullopt : std::optional<uint64_t>(Number));
}

std::vector<std::string> machineNames(StringRef MachineFolder) {
  std::vector<std::string> Out;
  std::error_code Failure;
  for (sys::fs::directory_iterator At(MachineFolder, Failure), End;
       At != End && !Failure; At.increment(Failure))
    if (sys::path::extension(At->path()) == ".json")
      Out.push_back(sys::path::stem(At->path()).str());
  sort(Out);
  return Out;
}

std::string machineFolder(const char *Argument0) {
  static int Here;
  SmallString<128> Path(sys::fs::getMainExecutable(Argument0, &Here));
  sys::path::remove_filename(Path);
  sys::path::append(Path, "..", "share", "blockmaestro", "machines");
  return std::string(Path);
}

Expected<Machine> readMachine(StringRef Name, StringRef MachineFolder) {
  SmallString<128> Path(Name);
  if (!sys::fs::exists(Path)) {
    Path = MachineFolder;
    sys::path::append(Path, Name + ".json");
    if (!sys::fs::exists(Path))
      return createStringError("no machine '" + Name +
                               "': neither a file nor in " + MachineFolder);
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createFileError(Path, Text.getError());
  Expected<Machine> Read = parseMachine((*Text)->getBuffer());
  if (!Read)
    return createFileError(Path, Read.takeError());
  if (Read->Name.empty())
    Read->Name = sys::path::stem(Path).str();
  return Read;
}

} // namespace blockmaestro
