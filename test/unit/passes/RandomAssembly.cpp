// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RandomAssembly.h"

#include <algorithm>

namespace blockmaestro::test {

namespace {

/// Stand between statements and do nothing.
constexpr const char *Noises[] = {
    "/* st.global.u32 [$2], 1; */ ",
    "// exit; }\\0A",
    "\\0A\\09",
    "/* // */",
    ".loc 1 7 0\\0A ",
    ".loc 1 7 0 ",
    ".pragma \\22nounroll\\22; ",
    "{ .reg .b32 own; mov.b32 own, 3; } ",
    "membar.gl; ",
    "/**/",
};

/// As Noises, but ones of which little is known.
constexpr const char *OddNoises[] = {
    ".file 1 \\22x.cu\\22\\0A ",
    ".section .debug_str { }\\0A ",
    ".pragma \\22used_bytes_mask 0x1\\22; ",
    "unknown.op.u32 x, y; ",
    ".align 4; ",
    "# 1 \\22x.cu\\22\\0A",
    "odd: ",
    "ld.shared.future.u32 x, [y]; ",
    "mov.b32 x, ${4:c}; ",
};

struct AccessForm {
  const char *Before, *After;
  AccessKind Kind;
  uint64_t Bytes;
};

constexpr AccessForm Accesses[] = {
    {"ld.global.u32 x, [", "]", AccessKind::Read, 4},
    {"ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {a,b,c,d},[", "]",
     AccessKind::Read, 16},
    {"ld.volatile.global.v2.b64 {a,\\0A b} , [", " ]", AccessKind::Read, 16},
    {"st.u8[", "],1", AccessKind::Write, 1},
    {"st.global.L2::cache_hint.v4.b32 [", "], {1,1,1,1}, policy",
     AccessKind::Write, 16},
    {"st.release.gpu.global.b64\\09[ ", "],\\0A v", AccessKind::Write, 8},
    {"st.weak.global.cs.v2.u16 [", "], {1, /*,*/ 1}", AccessKind::Write, 4},
    {"red.global.add.u32 [", "], 1", AccessKind::Atomic, 4},
    {"atom.acq_rel.gpu.cas.b64 o, [", "], v, w", AccessKind::Atomic, 8},
    {"cp.async.cg.shared.global.L2::128B [s], [", "], 16", AccessKind::Read,
     16},
};

} // namespace

std::string RandomAssembly::addressRegister() {
  static constexpr const char *Operands[] = {"$0", "$1", "$2",
                                             "$3", "$5", "${2}"};
  std::vector<std::string> Known;
  for (const std::vector<std::string> &Scope : Open)
    Known.insert(Known.end(), Scope.begin(), Scope.end());
  return Known.empty() || chance(50) ? pick(Operands)
                                     : Known[below(unsigned(Known.size()))];
}

std::string RandomAssembly::guard(Line &To) {
  if (Predicates.empty() || chance(70))
    return "";
  To.Guard = Predicates[below(unsigned(Predicates.size()))];
  To.Negated = chance(40);
  return (To.Negated ? "@!" : "@") + To.Guard + " ";
}

/// A few names, so that inner scopes declare those of outer ones again.
void RandomAssembly::declare() {
  static constexpr const char *Names[] = {"q", "addr", "%ptr", "u$$v"};
  const std::string Name = pick(Names);
  if (std::count(Open.back().begin(), Open.back().end(), Name))
    return;
  Open.back().push_back(Name);
  static constexpr const char *Types[] = {".b64", ".u64", ".s64"};
  Lines.push_back({Line::Declare,
                   std::string(".reg ") + pick(Types) + " " + Name + ";", Name,
                   "", ""});
}

void RandomAssembly::addCompare() {
  const std::string Name = "p" + std::to_string(Predicates.size());
  Line Next{Line::Compare, "", Name, "", ""};
  Next.Value = below(3);
  Next.Text = ".reg .pred " + Name + "; setp.ne.s32 " + Name + ", $4, " +
              std::to_string(Next.Value) + ";";
  Predicates.push_back(Name);
  Lines.push_back(Next);
}

void RandomAssembly::addMove() {
  Line Next;
  Next.To = addressRegister();
  Next.From = addressRegister();
  Next.Text = guard(Next);
  Next.Value = int64_t(below(9)) * 4 - 16;
  const std::string Names = " " + Next.To + ", " + Next.From;
  const std::string Number = ", " + std::to_string(Next.Value);
  static constexpr const char *Moves[] = {
      "mov.u64", "mov.b64", "cvta.global.u64", "cvta.to.global.u64"};
  switch (below(4)) {
  case 0:
    Next.Shape = Line::Add;
    Next.Text += "add.s64" + Names + Number + ";";
    break;
  case 1:
    Next.Shape = Line::Add;
    Next.Text += "sub.u64" + Names + ", " + std::to_string(-Next.Value) + ";";
    break;
  case 2:
    Next.Shape = Line::Flip;
    Next.Text += "xor.b64" + Names + Number + ";";
    break;
  default:
    Next.Shape = Line::Move;
    Next.Text += pick(Moves) + Names + ";";
  }
  Lines.push_back(Next);
}

void RandomAssembly::addTouch() {
  const AccessForm &Form = Accesses[below(std::size(Accesses))];
  Line Next{Line::Touch, "", "", addressRegister(), ""};
  Next.Kind = Form.Kind;
  Next.Bytes = Form.Bytes;
  Next.Text = guard(Next) + Form.Before + Next.From;
  if (chance(60)) {
    Next.Value = int64_t(below(9)) * 8 - 32;
    const std::string Size = std::to_string(std::abs(Next.Value));
    const unsigned How = below(10);
    if (How == 0 && Next.Value < 0)
      Next.Text += "-" + Size;
    else if (How == 1)
      Next.Text += "+" + std::to_string(Next.Value - 8) + "+8";
    else if (How == 2 && Next.Value > 0)
      Next.Text += " + 0x8*" + std::to_string(Next.Value / 8);
    else
      Next.Text += (chance(30) ? " + " : "+") + std::to_string(Next.Value);
  }
  Next.Text += std::string(Form.After) + ";";
  Lines.push_back(Next);
}

/// Over a few statements.
void RandomAssembly::addJump() {
  Line Jump{Line::Jump, "", "L" + std::to_string(Labels++), "", ""};
  Jump.Text = guard(Jump);
  Jump.Text += "bra " + Jump.To + ";";
  Lines.push_back(Jump);
  for (unsigned I = below(3); I-- > 0;)
    chance(50) ? addMove() : addTouch();
  Lines.push_back({Line::Label, Jump.To + ":", Jump.To, "", ""});
}

RandomAssembly::RandomAssembly(uint32_t Seed) : Random(Seed) {
  for (unsigned Length = 2 + below(9); Length-- > 0;) {
    const unsigned Choice = below(100);
    if (Choice < 12) {
      Lines.push_back({Line::Open, "{", "", "", ""});
      Open.emplace_back();
      declare();
    } else if (Choice < 20 && Open.size() > 1) {
      Lines.push_back({Line::Close, "}", "", "", ""});
      Open.pop_back();
    } else if (Choice < 30) {
      declare();
    } else if (Choice < 36 && Open.size() == 1) {
      addCompare();
    } else if (Choice < 60) {
      addMove();
    } else if (Choice < 92) {
      addTouch();
    } else if (Choice < 95) {
      Line Exit{Line::Exit, "", "", "", ""};
      Exit.Text = guard(Exit);
      Exit.Text += "exit;";
      Lines.push_back(Exit);
    } else {
      addJump();
    }
  }
  for (; Open.size() > 1; Open.pop_back())
    Lines.push_back({Line::Close, "}", "", "", ""});
}

std::string RandomAssembly::noise() {
  if (chance(3))
    return pick(OddNoises);
  return chance(25) ? pick(Noises) : " ";
}

std::string RandomAssembly::text() {
  std::string Result;
  for (const Line &Each : Lines)
    Result += noise() + Each.Text;
  return Result + noise();
}

AssemblyRun RandomAssembly::run(const uint64_t (&Inputs)[InputCount]) const {
  std::vector<Scope> Scopes{{{"$0", 0},
                             {"$1", Inputs[3]},
                             {"$2", Inputs[0]},
                             {"$3", Inputs[1]},
                             {"$4", Inputs[2]}}};
  auto Find = [&](const std::string &Name) -> uint64_t & {
    const std::string Key = Name == "$5" ? "$1" : Name == "${2}" ? "$2" : Name;
    for (auto It = Scopes.rbegin(); It != Scopes.rend(); ++It)
      if (auto Found = It->find(Key); Found != It->end())
        return Found->second;
    return Scopes.front()[Key];
  };
  AssemblyRun Result;
  std::string Skipped;
  for (const Line &Each : Lines) {
    if (Each.Shape == Line::Open)
      Scopes.emplace_back();
    else if (Each.Shape == Line::Close)
      Scopes.pop_back();
    else if (Each.Shape == Line::Declare)
      Scopes.back()[Each.To] = 0;
    else if (Each.Shape == Line::Label && Each.To == Skipped)
      Skipped.clear();
    if (!Skipped.empty() ||
        (!Each.Guard.empty() && (Find(Each.Guard) != 0) == Each.Negated))
      continue;
    if (Each.Shape == Line::Compare)
      Find(Each.To) = Inputs[2] != uint64_t(Each.Value);
    else if (Each.Shape == Line::Move)
      Find(Each.To) = Find(Each.From);
    else if (Each.Shape == Line::Add)
      Find(Each.To) = Find(Each.From) + uint64_t(Each.Value);
    else if (Each.Shape == Line::Flip)
      Find(Each.To) = Find(Each.From) ^ uint64_t(Each.Value);
    else if (Each.Shape == Line::Touch)
      Result.Touches.push_back(
          {Each.Kind, Find(Each.From) + uint64_t(Each.Value), Each.Bytes});
    else if (Each.Shape == Line::Jump)
      Skipped = Each.To;
    else if (Each.Shape == Line::Exit) {
      Result.Exits = true;
      break;
    }
  }
  return Result;
}

} // namespace blockmaestro::test
