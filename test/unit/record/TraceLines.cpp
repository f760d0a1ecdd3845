// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TraceLines.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace blockmaestro {

namespace {

const char *const Verbs[] = {"code",  "step", "move",  "do",
                             "trace", "warp", "visit", "again"};

bool readRegister(std::istringstream &In, uint32_t &Out) {
  std::string Text;
  if (!(In >> Text))
    return false;
  Out = Text == "-" ? NoRegister
                    : uint32_t(std::strtoul(Text.c_str(), nullptr, 10));
  return true;
}

/// The numbers of "gN,N,...".
std::vector<uint64_t> sectorsOf(const std::string &Text) {
  std::vector<uint64_t> Out;
  std::istringstream In(Text.substr(1));
  for (std::string Number; std::getline(In, Number, ',');)
    Out.push_back(std::strtoull(Number.c_str(), nullptr, 10));
  return Out;
}

} // namespace

bool TraceLines::takes(const std::string &Verb) {
  return std::ranges::find(Verbs, Verb) != std::end(Verbs);
}

bool TraceLines::code(std::istringstream &In) {
  Code = std::make_shared<WarpCode>();
  return bool(In >> Code->Registers);
}

bool TraceLines::move(std::istringstream &In) {
  WarpMove M;
  if (!(In >> M.From >> M.Result) || !readRegister(In, M.Operand))
    return false;
  Code->Steps.back().Moves.push_back(M);
  return true;
}

bool TraceLines::instruction(std::istringstream &In) {
  std::string Name;
  WarpInstruction I;
  if (!(In >> Name) || !readRegister(In, I.Result))
    return false;
  const auto Class = std::ranges::find(WarpClassNames, Name);
  if (Class == std::end(WarpClassNames))
    return false;
  I.Class = WarpClass(Class - std::begin(WarpClassNames));
  for (uint32_t Operand = 0; In >> Operand;)
    I.Operands.push_back(Operand);
  Code->Steps.back().Instructions.push_back(std::move(I));
  return true;
}

bool TraceLines::trace(std::istringstream &In) {
  Block.emplace();
  Block->Code = Code;
  return bool(In >> Block->Launch >> Block->Block);
}

bool TraceLines::visit(std::istringstream &In) {
  WarpVisit V;
  if (!(In >> V.Step >> std::hex >> V.Lanes >> std::dec))
    return false;
  Route->Visits.push_back(V);
  for (std::string Access; In >> Access;) {
    if (Access[0] == 's') {
      Route->Accesses.push_back(
          {true, uint32_t(std::strtoul(Access.c_str() + 1, nullptr, 10))});
      continue;
    }
    const std::vector<uint64_t> Sectors = sectorsOf(Access);
    Route->Accesses.push_back({false, uint32_t(Sectors.size())});
    Path->Sectors.insert(Path->Sectors.end(), Sectors.begin(), Sectors.end());
  }
  return true;
}

bool TraceLines::again(std::istringstream &In) {
  endWarp();
  size_t Times = 1;
  In >> Times;
  if (!Block || Block->Warps.empty())
    return false;
  const std::shared_ptr<const WarpPath> Last = Block->Warps.back();
  Block->Warps.insert(Block->Warps.end(), Times, Last);
  return true;
}

void TraceLines::endWarp() {
  if (!Path)
    return;
  Path->Route = std::exchange(Route, nullptr);
  Block->Warps.push_back(std::exchange(Path, nullptr));
}

void TraceLines::flush(RecordingWriter &To) {
  if (!Block)
    return;
  endWarp();
  To.warpsRan(*Block);
  Block.reset();
}

bool TraceLines::line(const std::string &Verb, std::istringstream &In,
                      RecordingWriter &To) {
  if (Verb == "code" || Verb == "trace")
    flush(To);
  if (Verb == "code")
    return code(In);
  if (!Code)
    return false;
  if (Verb == "trace")
    return trace(In);
  if (Verb == "step") {
    Code->Steps.emplace_back();
    return true;
  }
  if (Verb == "move" || Verb == "do")
    return !Code->Steps.empty() &&
           (Verb == "move" ? move(In) : instruction(In));
  if (!Block)
    return false;
  if (Verb == "again")
    return again(In);
  if (Verb == "visit")
    return Path && visit(In);
  endWarp();
  Route = std::make_shared<WarpRoute>();
  Path = std::make_shared<WarpPath>();
  return true;
}

} // namespace blockmaestro
