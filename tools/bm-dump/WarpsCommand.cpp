// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump warps`: what the warps of the traced blocks of a
// recording did.

#include "Commands.h"
#include "RecordJson.h"
#include "RecordingInput.h"
#include "WarpSums.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;

namespace blockmaestro {
namespace {

/// By launch and block.
std::vector<BlockTrace> tracesOf(const DumpView &View) {
  std::vector<BlockTrace> Out;
  for (const BlockTrace &T : View.In.Traces)
    if (View.Launches.has(T.Launch))
      Out.push_back(T);
  std::ranges::sort(Out, [](const BlockTrace &A, const BlockTrace &B) {
    return std::tie(A.Launch, A.Block) < std::tie(B.Launch, B.Block);
  });
  return Out;
}

WarpSums sumOf(const BlockTrace &Of) {
  WarpSums Sum;
  for (const auto &Warp : Of.Warps)
    Sum.add(*Warp, *Of.Code);
  return Sum;
}

struct LaunchSums {
  uint64_t Blocks = 0;
  WarpSums Sum;
};

/// Of launches that have traces.
std::map<uint64_t, LaunchSums> sumUp(ArrayRef<BlockTrace> Traces) {
  std::map<uint64_t, LaunchSums> Out;
  for (const BlockTrace &T : Traces) {
    LaunchSums &To = Out[T.Launch];
    ++To.Blocks;
    To.Sum.add(sumOf(T));
  }
  return Out;
}

/// Numbers the codes in the order in which they are shown.
class CodeNumbers {
public:
  /// Whether \p Code is new.
  bool add(const WarpCode *Code) {
    return Numbers.try_emplace(Code, Numbers.size()).second;
  }
  size_t of(const WarpCode *Code) const { return Numbers.lookup(Code); }

private:
  DenseMap<const WarpCode *, size_t> Numbers;
};

void showRegister(uint32_t Register) {
  if (Register == NoRegister)
    outs() << '-';
  else
    outs() << 'r' << Register;
}

void showCode(const WarpCode &Code, size_t Number) {
  outs() << "code " << Number << ": " << Code.Registers << " registers\n";
  for (size_t S = 0; S < Code.Steps.size(); ++S) {
    outs() << "  step " << S << ":\n";
    for (const WarpMove &M : Code.Steps[S].Moves) {
      outs() << "    from " << M.From << ": r" << M.Result << " = ";
      showRegister(M.Operand);
      outs() << '\n';
    }
    for (const WarpInstruction &I : Code.Steps[S].Instructions) {
      outs() << "    ";
      if (I.Result != NoRegister)
        outs() << 'r' << I.Result << " = ";
      outs() << WarpClassNames[size_t(I.Class)];
      for (uint32_t Operand : I.Operands)
        outs() << " r" << Operand;
      outs() << '\n';
    }
  }
}

/// Each visit with its lanes and accesses.
void showPath(const WarpPath &Path, const WarpCode &Code) {
  auto Access = Path.Route->Accesses.begin();
  auto Sector = Path.Sectors.begin();
  for (const WarpVisit &V : Path.Route->Visits) {
    outs() << "    step " << V.Step << " of " << format("%08x", V.Lanes);
    for (const WarpInstruction &I : Code.Steps[V.Step].Instructions) {
      if (!isAccess(I.Class))
        continue;
      outs() << ", " << WarpClassNames[size_t(I.Class)];
      if (Access->Shared)
        outs() << " shared " << Access->Count;
      else
        for (uint32_t S = 0; S < Access->Count; ++S)
          outs() << (S ? "," : " ") << format("0x%llx", *Sector++);
      if (Access->Together > 1)
        outs() << " by " << Access->Together;
      ++Access;
    }
    outs() << '\n';
  }
}

/// A line for each block, one for warps in a row that did the same.
void showBlock(const BlockTrace &T, size_t Code, bool Paths) {
  outs() << "launch " << T.Launch << " block " << T.Block << ": code " << Code
         << ", " << toText(sumOf(T)) << '\n';
  for (size_t W = 0, Next = 0; W < T.Warps.size(); W = Next) {
    Next = W + 1;
    while (Next < T.Warps.size() && T.Warps[Next] == T.Warps[W])
      ++Next;
    WarpSums Sum;
    Sum.add(*T.Warps[W], *T.Code);
    outs() << "  warp " << W;
    if (Next > W + 1)
      outs() << " to " << Next - 1 << ", each";
    outs() << ": " << toText(Sum) << '\n';
    if (Paths)
      showPath(*T.Warps[W], *T.Code);
  }
}

std::string sampleText(uint32_t OneIn) {
  return OneIn == 1 ? "all" : "one in " + std::to_string(OneIn);
}

void showWarpsText(const DumpView &View) {
  const Recording &What = View.In;
  if (What.WarpsOneIn == 0) {
    outs() << "no warps were traced\n";
    return;
  }
  outs() << What.Traces.size() << " blocks traced, "
         << sampleText(What.WarpsOneIn) << " of each launch\n";
  const std::vector<BlockTrace> Traces = tracesOf(View);
  for (const auto &[Launch, Of] : sumUp(Traces))
    outs() << "launch " << Launch << ": " << Of.Blocks << " of "
           << What.Launches[Launch].Grid.count() << " blocks, " << Of.Sum.Warps
           << " warps, " << toText(Of.Sum) << '\n';
  CodeNumbers Codes;
  for (const BlockTrace &T : Traces) {
    if (Codes.add(T.Code.get()) && View.How.Paths)
      showCode(*T.Code, Codes.of(T.Code.get()));
    showBlock(T, Codes.of(T.Code.get()), View.How.Paths);
  }
}

json::Object toJson(const WarpInstruction &I) {
  json::Object Out{{"class", WarpClassNames[size_t(I.Class)]},
                   {"operands", json::Array(I.Operands)}};
  if (I.Result != NoRegister)
    Out["result"] = I.Result;
  return Out;
}

json::Array toJson(const WarpCode &Code) {
  json::Array Steps;
  for (const WarpStep &Step : Code.Steps) {
    json::Array Moves, Instructions;
    for (const WarpMove &M : Step.Moves) {
      json::Object Move{{"from", M.From}, {"result", M.Result}};
      if (M.Operand != NoRegister)
        Move["operand"] = M.Operand;
      Moves.push_back(std::move(Move));
    }
    for (const WarpInstruction &I : Step.Instructions)
      Instructions.push_back(toJson(I));
    Steps.push_back(json::Object{{"moves", std::move(Moves)},
                                 {"instructions", std::move(Instructions)}});
  }
  return Steps;
}

/// For each access the most lanes that want one word, if any do.
void addTogether(const WarpRoute &Of, json::Object &To) {
  json::Array Together;
  for (const WarpAccess &A : Of.Accesses)
    Together.push_back(A.Together);
  if (any_of(Of.Accesses, [](const WarpAccess &A) { return A.Together > 1; }))
    To["together"] = std::move(Together);
}

/// Pairs of step and lanes, and for each access its wavefronts, or its
/// sectors.
json::Object pathToJson(const WarpPath &Path) {
  json::Array Visits, Accesses;
  for (const WarpVisit &V : Path.Route->Visits)
    Visits.push_back(json::Array{V.Step, V.Lanes});
  auto Sector = Path.Sectors.begin();
  for (const WarpAccess &A : Path.Route->Accesses) {
    if (A.Shared) {
      Accesses.push_back(A.Count);
      continue;
    }
    Accesses.push_back(json::Array(ArrayRef(&*Sector, A.Count)));
    Sector += A.Count;
  }
  json::Object Out{{"visits", std::move(Visits)},
                   {"accesses", std::move(Accesses)}};
  addTogether(*Path.Route, Out);
  return Out;
}

json::Object toJson(const BlockTrace &T, size_t Code, bool Paths) {
  json::Array Warps;
  for (const auto &Warp : T.Warps) {
    WarpSums Sum;
    Sum.add(*Warp, *T.Code);
    json::Object One = toJson(Sum);
    One.erase("warps");
    if (Paths)
      One["path"] = pathToJson(*Warp);
    Warps.push_back(std::move(One));
  }
  return json::Object{{"launch", T.Launch},
                      {"block", T.Block},
                      {"code", Code},
                      {"warps", std::move(Warps)}};
}

void showWarpsJson(const DumpView &View) {
  const Recording &What = View.In;
  const bool Paths = View.How.Paths;
  const std::vector<BlockTrace> Traces = tracesOf(View);
  json::Array Launches, Blocks, Shown;
  for (const auto &[Launch, Of] : sumUp(Traces)) {
    json::Object One = toJson(Of.Sum);
    One["launch"] = Launch;
    One["blocks"] = What.Launches[Launch].Grid.count();
    One["traced"] = Of.Blocks;
    Launches.push_back(std::move(One));
  }
  CodeNumbers Codes;
  for (const BlockTrace &T : Traces) {
    if (Codes.add(T.Code.get()) && Paths)
      Shown.push_back(toJson(*T.Code));
    Blocks.push_back(toJson(T, Codes.of(T.Code.get()), Paths));
  }
  json::Object Out{{"warps_one_in", What.WarpsOneIn},
                   {"launches", std::move(Launches)},
                   {"blocks", std::move(Blocks)}};
  if (Paths)
    Out["codes"] = std::move(Shown);
  printJson(std::move(Out));
}

Error showWarps(const DumpView &View) {
  (View.How.Json ? showWarpsJson : showWarpsText)(View);
  return Error::success();
}

} // namespace

int runWarps(const DumpOptions &Given) {
  return showRecording(showWarps, Given);
}

} // namespace blockmaestro
