// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MachineFile.h"

#include <charconv>
#include <fstream>
#include <set>
#include <sstream>

namespace blockmaestro {
namespace {

constexpr uint64_t MaxInt = 0x7fffffff;

struct Field {
  std::string_view Key;
  uint64_t EmulatedMachine::*Value;
  uint64_t Least;
  uint64_t Most;
};

using M = EmulatedMachine;

/// Keys that bm-sim's machines have too are spelled as there.
constexpr Field Fields[] = {
    {"compute_capability_major", &M::Major, 5, 99},
    {"compute_capability_minor", &M::Minor, 0, 9},
    {"sms", &M::Sms, 1, 4096},
    {"blocks_per_sm", &M::BlocksPerSm, 1, 64},
    {"threads_per_sm", &M::ThreadsPerSm, 1024, 4096},
    {"registers_per_sm", &M::RegistersPerSm, 32768, 1 << 20},
    {"shared_bytes_per_sm", &M::SharedBytesPerSm, 48 << 10, 1 << 20},
    {"shared_bytes_per_block", &M::SharedBytesPerBlock, 16 << 10, 1 << 20},
    {"shared_bytes_per_block_optin", &M::SharedBytesPerBlockOptin, 16 << 10,
     1 << 20},
    {"shared_bytes_reserved", &M::SharedBytesReserved, 0, 16 << 10},
    {"allocation_gap_bytes", &M::AllocationGapBytes, 0, 1 << 20},
    {"memory_bytes", &M::MemoryBytes, 1 << 20, uint64_t(1) << 48},
    {"l2_bytes", &M::L2Bytes, 0, MaxInt},
    {"clock_mhz", &M::ClockMHz, 1, 100000},
    {"memory_clock_mhz", &M::MemoryClockMHz, 1, 100000},
    {"memory_bus_bits", &M::MemoryBusBits, 1, 65536},
};

Status wrong(std::string Why) {
  return Status(StatusCode::InvalidArgument, std::move(Why));
}

/// A reader of JSON objects whose values are texts and whole numbers.
class FlatObject {
public:
  explicit FlatObject(std::string_view Text) : Left(Text) {}

  bool take(char Wanted) {
    skipSpace();
    if (Left.empty() || Left.front() != Wanted)
      return false;
    Left.remove_prefix(1);
    return true;
  }
  bool atEnd() {
    skipSpace();
    return Left.empty();
  }
  /// A text without escapes.
  bool takeText(std::string &Out) {
    if (!take('"'))
      return false;
    size_t End = Left.find_first_of("\"\\\n");
    if (End == std::string_view::npos || Left[End] != '"')
      return false;
    Out = Left.substr(0, End);
    Left.remove_prefix(End + 1);
    return true;
  }
  bool takeNumber(uint64_t &Out) {
    skipSpace();
    const char *End = Left.data() + Left.size();
    auto [Stop, Error] = std::from_chars(Left.data(), End, Out);
    if (Error != std::errc() || (Stop != End && (*Stop == '.' || *Stop == 'e')))
      return false;
    Left.remove_prefix(static_cast<size_t>(Stop - Left.data()));
    return true;
  }

private:
  void skipSpace() {
    size_t Begin = Left.find_first_not_of(" \t\r\n");
    Left.remove_prefix(Begin == std::string_view::npos ? Left.size() : Begin);
  }
  std::string_view Left;
};

Status takeValue(FlatObject &From, const std::string &Key, M &Into) {
  if (Key == "name") {
    if (!From.takeText(Into.Name) || Into.Name.empty() ||
        Into.Name.size() >= sizeof(cudaDeviceProp::name))
      return wrong("'name' must be a text of 1 to 255 letters");
    return Status();
  }
  for (const Field &Each : Fields) {
    if (Each.Key != Key)
      continue;
    uint64_t Value = 0;
    if (!From.takeNumber(Value) || Value < Each.Least || Value > Each.Most)
      return wrong("'" + Key + "' must be a number from " +
                   std::to_string(Each.Least) + " to " +
                   std::to_string(Each.Most));
    Into.*Each.Value = Value;
    return Status();
  }
  return wrong("unknown key '" + Key + "'");
}

/// What one key says must not contradict another.
Status checkTogether(const M &Made) {
  if (Made.SharedBytesPerBlock > Made.SharedBytesPerBlockOptin)
    return wrong("'shared_bytes_per_block' is more than "
                 "'shared_bytes_per_block_optin'");
  if (Made.SharedBytesPerBlockOptin + Made.SharedBytesReserved >
      Made.SharedBytesPerSm)
    return wrong("'shared_bytes_per_block_optin' and 'shared_bytes_reserved' "
                 "are more than 'shared_bytes_per_sm'");
  return Status();
}

Status at(const std::string &Path, const Status &Why) {
  return wrong(Path + ": " + Why.message());
}

} // namespace

Result<EmulatedMachine> parseMachine(std::string_view Text) {
  FlatObject From(Text);
  M Made;
  std::set<std::string> Seen;
  std::string Before = "{";
  if (!From.take('{'))
    return wrong("not a JSON object");
  bool More = !From.take('}');
  while (More) {
    std::string Key;
    if (!From.takeText(Key) || !From.take(':'))
      return wrong("a key in quotes and a colon must come after " + Before);
    if (!Seen.insert(Key).second)
      return wrong("'" + Key + "' is said twice");
    Status Taken = takeValue(From, Key, Made);
    if (!Taken.ok())
      return Taken;
    Before = "'" + Key + "'";
    More = From.take(',');
    if (!More && !From.take('}'))
      return wrong("a comma or } must come after " + Before);
  }
  if (!From.atEnd())
    return wrong("something comes after the object");
  Status Whole = checkTogether(Made);
  if (!Whole.ok())
    return Whole;
  return Made;
}

Result<EmulatedMachine> readMachine(const std::string &Name,
                                    const std::string &Folder) {
  bool IsFile = Name.find('/') != std::string::npos ||
                (Name.size() > 5 && Name.substr(Name.size() - 5) == ".json");
  std::string Path = IsFile ? Name : Folder + "/" + Name + ".json";
  std::ifstream File(Path);
  std::stringstream Text;
  if (!File || !(Text << File.rdbuf()))
    return wrong("no machine '" + Name + "': cannot read " + Path);
  Result<EmulatedMachine> Read = parseMachine(Text.str());
  if (!Read.ok())
    return at(Path, Read.status());
  return Read;
}

} // namespace blockmaestro
