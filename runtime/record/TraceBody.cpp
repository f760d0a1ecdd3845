// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TraceBody.h"

#include <iterator>

namespace blockmaestro::record {

namespace {

/// Codes and routes are forgotten once so many bytes are remembered.
constexpr size_t RememberedTarget = size_t(4) << 20;

constexpr uint64_t Lanes = 32;
constexpr uint32_t LanesOfWordsVersion = 6;
constexpr uint64_t MostSector = ~uint64_t(0) >> 5; ///< Of 32 bytes.

/// A register, or none.
void writeRegister(ByteWriter &To, uint32_t Register) {
  To.number(Register == NoRegister ? 0 : uint64_t(Register) + 1);
}

uint32_t readRegister(ByteReader &From, uint32_t Registers) {
  const uint64_t Value = From.numberUpTo(Registers);
  return Value == 0 ? NoRegister : uint32_t(Value - 1);
}

void writeInstruction(ByteWriter &To, const WarpInstruction &I) {
  To.byte(uint8_t(I.Class));
  writeRegister(To, I.Result);
  To.number(I.Operands.size());
  for (uint32_t Operand : I.Operands)
    To.number(Operand);
}

void writeCode(ByteWriter &To, const WarpCode &Code) {
  To.number(Code.Registers);
  To.number(Code.Steps.size());
  for (const WarpStep &Step : Code.Steps) {
    To.number(Step.Moves.size());
    for (const WarpMove &M : Step.Moves) {
      To.number(M.From);
      To.number(M.Result);
      writeRegister(To, M.Operand);
    }
    To.number(Step.Instructions.size());
    for (const WarpInstruction &I : Step.Instructions)
      writeInstruction(To, I);
  }
}

void writeRoute(ByteWriter &To, const WarpRoute &Route) {
  To.number(Route.Visits.size());
  uint32_t Before = 0;
  for (const WarpVisit &V : Route.Visits) {
    To.number(uint64_t(V.Step) << 1 | (V.Lanes != Before));
    if (V.Lanes != Before)
      To.number(V.Lanes);
    Before = V.Lanes;
  }
  for (const WarpAccess &A : Route.Accesses) {
    const bool Meet = A.Together > 1;
    To.number(uint64_t(A.Count) << 2 | uint64_t(Meet) << 1 | A.Shared);
    if (Meet)
      To.number(A.Together);
  }
}

void writeSectors(ByteWriter &To, const WarpPath &Path) {
  auto Next = Path.Sectors.begin();
  uint64_t First = 0;
  for (const WarpAccess &A : Path.Route->Accesses) {
    if (A.Shared || A.Count == 0)
      continue;
    To.signedNumber(int64_t(*Next - First));
    First = *Next;
    for (uint32_t I = 1; I < A.Count; ++I, ++Next)
      To.number(Next[1] - Next[0] - 1);
    ++Next;
  }
}

/// False where it is none.
bool readInstruction(ByteReader &From, uint32_t Registers,
                     WarpInstruction &Out) {
  const uint8_t Class = From.byte();
  if (Class >= std::size(WarpClassNames))
    return false;
  Out.Class = WarpClass(Class);
  Out.Result = readRegister(From, Registers);
  for (size_t I = From.count(); I > 0; --I) {
    if (Registers == 0)
      return false;
    Out.Operands.push_back(uint32_t(From.numberUpTo(Registers - 1)));
  }
  return !From.failed();
}

bool readStep(ByteReader &From, uint32_t Registers, uint64_t Steps,
              WarpStep &Out) {
  for (size_t I = From.count(); I > 0; --I) {
    WarpMove &M = Out.Moves.emplace_back();
    if (Registers == 0)
      return false;
    M.From = uint32_t(From.numberUpTo(Steps - 1));
    M.Result = uint32_t(From.numberUpTo(Registers - 1));
    M.Operand = readRegister(From, Registers);
  }
  for (size_t I = From.count(); I > 0; --I)
    if (!readInstruction(From, Registers, Out.Instructions.emplace_back()))
      return false;
  return !From.failed();
}

/// False where it is none. Before version 6 lanes of a word were not told.
bool readAccess(ByteReader &From, uint32_t Version, WarpAccess &Out) {
  const unsigned Flags = Version < LanesOfWordsVersion ? 1 : 2;
  const uint64_t Number =
      From.numberUpTo((MaxWord << Flags) + (1u << Flags) - 1);
  Out.Shared = Number & 1;
  Out.Count = uint32_t(Number >> Flags);
  if (Flags == 2 && (Number & 2))
    Out.Together = uint32_t(From.numberUpTo(Lanes));
  return Out.Together > 0 && !From.failed();
}

/// False where it does not fit the code; \p Lanes gets all that it has.
bool readRoute(ByteReader &From, uint32_t Version, const WarpCode &Code,
               WarpRoute &Out, uint32_t &Lanes) {
  size_t Accesses = 0;
  WarpVisit Visit;
  for (size_t I = From.count(); I > 0; --I) {
    const uint64_t Number = From.number();
    if (From.failed() || Number >> 1 >= Code.Steps.size())
      return false;
    Visit.Step = uint32_t(Number >> 1);
    if (Number & 1)
      Visit.Lanes = uint32_t(From.numberUpTo(MaxWord));
    if (Visit.Lanes == 0)
      return false;
    Lanes |= Visit.Lanes;
    Accesses += accessesOf(Code.Steps[Visit.Step]);
    Out.Visits.push_back(Visit);
  }
  if (Accesses > From.left())
    return false;
  Out.Accesses.reserve(Accesses);
  for (; Accesses > 0; --Accesses)
    if (!readAccess(From, Version, Out.Accesses.emplace_back()))
      return false;
  return !From.failed();
}

/// False where they are none.
bool readSectors(ByteReader &From, const WarpRoute &Route,
                 std::vector<uint64_t> &Out) {
  uint64_t First = 0;
  for (const WarpAccess &A : Route.Accesses) {
    if (A.Shared || A.Count == 0)
      continue;
    if (A.Count > From.left())
      return false;
    First += uint64_t(From.signedNumber());
    uint64_t Sector = First;
    for (uint32_t I = 0; I < A.Count; ++I) {
      if (I > 0)
        Sector += From.numberUpTo(MostSector) + 1;
      if (Sector > MostSector)
        return false;
      Out.push_back(Sector);
    }
  }
  return !From.failed();
}

/// The lanes that warp \p Number of a block has.
uint32_t lanesOf(uint64_t Threads, uint64_t Number) {
  const uint64_t Left = Threads - Number * Lanes;
  return Left >= Lanes ? ~uint32_t(0) : (uint32_t(1) << Left) - 1;
}

} // namespace

void TraceWriter::beginChunk() { LastLaunch = LastBlock = 0; }

void TraceWriter::forgetWhenFull(ByteWriter &To) {
  if (Remembered <= RememberedTarget)
    return;
  To.byte(uint8_t(TraceEntry::Forget));
  Codes.clear();
  Routes.clear();
  Remembered = 0;
}

/// Of a code, which is written the first time.
uint64_t TraceWriter::numberOf(const std::shared_ptr<const WarpCode> &Code,
                               ByteWriter &To) {
  const auto [Where, New] =
      Codes.try_emplace(Code.get(), KnownCode{Code, Codes.size()});
  if (New) {
    const size_t Before = To.Bytes.size();
    To.byte(uint8_t(TraceEntry::Code));
    writeCode(To, *Code);
    Remembered += To.Bytes.size() - Before;
  }
  return Where->second.Number;
}

/// What a warp did, in full only where no warp of its block before it did the
/// same.
void TraceWriter::path(const WarpPath &What, uint64_t Code, Paths &Known,
                       ByteWriter &To) {
  ByteWriter Key;
  Key.number(Code);
  const size_t Prefix = Key.Bytes.size();
  writeRoute(Key, *What.Route);
  const auto [Route, NewRoute] = Routes.try_emplace(
      std::string(Key.Bytes.begin(), Key.Bytes.end()), Routes.size());
  ByteWriter Sectors;
  Sectors.number(Route->second);
  const size_t Number = Sectors.Bytes.size();
  writeSectors(Sectors, What);
  const auto [Path, NewPath] = Known.try_emplace(
      std::string(Sectors.Bytes.begin(), Sectors.Bytes.end()), Known.size());
  To.number(NewPath ? 0 : Known.size() - Path->second);
  if (!NewPath)
    return;
  To.number(NewRoute ? 0 : Routes.size() - Route->second);
  if (NewRoute) {
    Remembered += Key.Bytes.size();
    To.Bytes.insert(To.Bytes.end(), Key.Bytes.begin() + Prefix,
                    Key.Bytes.end());
  }
  To.Bytes.insert(To.Bytes.end(), Sectors.Bytes.begin() + Number,
                  Sectors.Bytes.end());
}

void TraceWriter::block(const BlockTrace &What, ByteWriter &To) {
  forgetWhenFull(To);
  const uint64_t Code = numberOf(What.Code, To);
  To.byte(uint8_t(TraceEntry::Block));
  To.signedNumber(int64_t(What.Launch - LastLaunch));
  To.signedNumber(int64_t(What.Block - LastBlock));
  LastLaunch = What.Launch;
  LastBlock = What.Block;
  To.number(Code);
  To.number(What.Warps.size());
  Paths Known;
  for (const auto &Warp : What.Warps)
    path(*Warp, Code, Known, To);
  ++Blocks;
}

const char *TraceReader::chunk(ByteReader &From, const std::vector<Dim3> &Grids,
                               const std::vector<uint64_t> &Threads,
                               std::vector<BlockTrace> &Out) {
  LastLaunch = LastBlock = 0;
  while (!From.atEnd()) {
    const char *Problem = nullptr;
    switch (TraceEntry(From.byte())) {
    case TraceEntry::Code:
      Problem = code(From);
      break;
    case TraceEntry::Block:
      Problem = block(From, Grids, Threads, Out.emplace_back());
      break;
    case TraceEntry::Forget:
      Codes.clear();
      Routes.clear();
      break;
    default:
      Problem = "a warps chunk has an unknown entry";
    }
    if (Problem)
      return Problem;
  }
  return nullptr;
}

const char *TraceReader::code(ByteReader &From) {
  auto Code = std::make_shared<WarpCode>();
  Code->Registers = uint32_t(From.numberUpTo(MaxWord - 1));
  const size_t Steps = From.count();
  for (size_t I = 0; I < Steps; ++I)
    if (!readStep(From, Code->Registers, Steps, Code->Steps.emplace_back()))
      return "the code of a trace is impossible";
  Codes.push_back(std::move(Code));
  return nullptr;
}

const char *TraceReader::block(ByteReader &From, const std::vector<Dim3> &Grids,
                               const std::vector<uint64_t> &Threads,
                               BlockTrace &What) {
  What.Launch = LastLaunch += uint64_t(From.signedNumber());
  What.Block = LastBlock += uint64_t(From.signedNumber());
  const uint64_t Code = From.number();
  if (From.failed())
    return "a trace is cut short";
  if (What.Launch >= Grids.size() || What.Block >= Grids[What.Launch].count())
    return "a trace names a block that was not launched";
  if (Code >= Codes.size())
    return "a trace names a code that is not there";
  What.Code = Codes[Code];
  return warps(From, Code, Threads[What.Launch], What);
}

const char *TraceReader::warps(ByteReader &From, size_t Code, uint64_t Threads,
                               BlockTrace &What) {
  const size_t Warps = From.count();
  if (Warps != Threads / Lanes + (Threads % Lanes != 0))
    return "a trace does not have the warps of its block";
  std::vector<LanedPath> Paths;
  for (size_t I = 0; I < Warps; ++I) {
    const uint64_t Back = From.numberUpTo(Paths.size());
    if (From.failed())
      return "a trace is cut short";
    if (Back == 0)
      if (const char *Problem = path(From, Code, Paths.emplace_back()))
        return Problem;
    const LanedPath &Path = Back ? Paths[Paths.size() - Back] : Paths.back();
    if (Path.second & ~lanesOf(Threads, I))
      return "a warp has lanes that its block has not";
    What.Warps.push_back(Path.first);
  }
  return nullptr;
}

const char *TraceReader::path(ByteReader &From, size_t Code, LanedPath &Out) {
  const char *Problem = "the path of a warp does not fit its code";
  const uint64_t Back = From.numberUpTo(Routes.size());
  if (From.failed())
    return "a trace is cut short";
  if (Back == 0) {
    auto Route = std::make_shared<WarpRoute>();
    KnownRoute New;
    New.Code = Code;
    if (!readRoute(From, Version, *Codes[Code], *Route, New.Lanes))
      return Problem;
    New.Route = std::move(Route);
    Routes.push_back(std::move(New));
  }
  const KnownRoute &Known = Routes[Routes.size() - (Back ? Back : 1)];
  if (Known.Code != Code)
    return Problem;
  auto Path = std::make_shared<WarpPath>();
  Path->Route = Known.Route;
  if (!readSectors(From, *Known.Route, Path->Sectors))
    return Problem;
  Out = {std::move(Path), Known.Lanes};
  return nullptr;
}

} // namespace blockmaestro::record
