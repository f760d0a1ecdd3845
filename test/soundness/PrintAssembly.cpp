// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Inline assembly of generated kernels: accesses of one element, and the ways
// in which a thread ends.

#include "Program.h"

namespace blockmaestro::soundness {

namespace {

/// How PTX names an element's type, and the register it is held in.
struct PtxType {
  const char *Name;
  const char *Added; ///< As a type of atomic additions.
  char Constraint;
  const char *Held;
};

constexpr PtxType AssemblyTypes[] = {
    {"s8", nullptr, 'r', "int"},    {"u8", nullptr, 'r', "unsigned"},
    {"s16", nullptr, 'h', "short"}, {"u16", nullptr, 'h', "unsigned short"},
    {"s32", "s32", 'r', "int"},     {"u32", "u32", 'r', "unsigned"},
    {"s64", nullptr, 'l', "long"},  {"u64", "u64", 'l', "unsigned long"},
    {"f32", "f32", 'f', "float"},   {"f64", nullptr, 'd', "double"},
};

std::string quoted(const std::string &Text) { return "\"" + Text + "\""; }

/// "{ .reg .pred p; setp.ne.s32 p, N, 0; @p WHAT }"
std::string predicated(const std::string &What, unsigned Operand) {
  return "{ .reg .pred p; setp.ne.s32 p, %" + std::to_string(Operand) +
         ", 0; @p " + What + " }";
}

/// The bracket of the address, operand number Operand; Before is what must come
/// before it.
std::string address(const Node &N, unsigned Operand, std::string &Before) {
  const std::string From = "%" + std::to_string(Operand);
  const std::string By = std::to_string(displacementOf(N));
  switch (assemblyForm(N).How) {
  case AssemblyForm::Converted:
    Before = ".reg .u64 a; cvta.to.global.u64 a, " + From + "; ";
    return displacementOf(N) ? "[a+" + By + "]" : "[a]";
  case AssemblyForm::Added:
    Before = ".reg .b64 a; add.s64 a, " + From + ", " + By + "; ";
    return "[a]";
  default:
    return displacementOf(N) ? "[" + From + "+" + By + "]" : "[" + From + "]";
  }
}

} // namespace

AssemblyForm assemblyForm(const Node &N) {
  return {AssemblyForm::Kind(N.Value % 4), AssemblyForm::Address(N.Value / 4)};
}

int64_t valueOf(AssemblyForm F) { return F.What + 4 * F.How; }

int64_t displacementOf(const Node &N) {
  return (int64_t(N.Id) - AssemblyOrigin) * traits(N.Kids[0].Of).Bytes;
}

std::string assemblyText(const Node &N, const std::string &Pointer,
                         const std::string &Guard) {
  const PtxType &T = AssemblyTypes[unsigned(N.Kids[0].Of)];
  const AssemblyForm Form = assemblyForm(N);
  const bool Results =
      Form.What == AssemblyForm::Load || Form.What == AssemblyForm::Exchange;
  std::string Before;
  const std::string At = address(N, Results, Before);
  const std::string Space =
      Form.How == AssemblyForm::Generic ? "." : ".global.";
  const std::string Value = Results ? "%2" : "%1";
  std::string What =
      Form.What == AssemblyForm::Load ? "ld" + Space + T.Name + " %0, " + At
      : Form.What == AssemblyForm::Store
          ? "st" + Space + T.Name + " " + At + ", " + Value
      : Form.What == AssemblyForm::Reduce
          ? "red" + Space + "add." + T.Added + " " + At + ", " + Value
          : "atom" + Space + "add." + T.Added + " %0, " + At + ", " + Value;
  What += ";";
  const bool HasValue = Form.What != AssemblyForm::Load;
  if (!Guard.empty())
    What = predicated(What, 1u + Results + HasValue);
  if (!Before.empty())
    What = "{ " + Before + What + " }";
  const std::string Held = std::string("\"") + T.Constraint + "\"";
  const std::string Given =
      Form.What == AssemblyForm::Store ? "acc" : std::string("1");
  std::string Text = std::string("{ ") + T.Held + " r = 0; asm volatile(" +
                     quoted(What) + " : ";
  if (Results)
    Text += std::string("\"+") + T.Constraint + "\"(r)";
  Text += " : \"l\"(" + Pointer + ")";
  if (HasValue)
    Text += ", " + Held + "((" + T.Held + ")" + Given + ")";
  if (!Guard.empty())
    Text += ", \"r\"((int)(" + Guard + " != 0))";
  Text += " : \"memory\");";
  if (Form.What == AssemblyForm::Load)
    Text += " acc += (float)r; KEEP(acc);";
  return Text + " }";
}

std::string exitText(const Node &N, const std::string &Guard) {
  if (!Guard.empty())
    return "asm volatile(" + quoted(predicated("exit;", 0)) +
           " :: \"r\"((int)(" + Guard + " != 0)));";
  return N.Value ? "__nvvm_exit();" : "asm volatile(\"exit;\");";
}

} // namespace blockmaestro::soundness
