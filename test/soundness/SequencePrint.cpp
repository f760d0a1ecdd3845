// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sequence.h"

#include <algorithm>

namespace blockmaestro::soundness {

namespace {

std::string text(int64_t Value) { return std::to_string(Value); }

std::string text(Dim3 D) {
  return "dim3(" + text(D.X) + ", " + text(D.Y) + ", " + text(D.Z) + ")";
}

std::string text(const Place &P) {
  return "at(" + text(P.Memory) + ", " + text(P.Offset) + ")";
}

std::string scalar(Wide Value, Int T) {
  return std::string("(") + traits(T).Name + ")" +
         std::to_string(uint64_t(Value)) + "ull";
}

class SequencePrinter {
public:
  SequencePrinter(const Sequence &S, uint32_t Label, bool Relocatable)
      : S(S), Label(Label), Relocatable(Relocatable), Kernels(S.Kernels) {}
  std::string print();
  std::string printStrong();

private:
  std::string parameter(const Operation &O, bool IsArray, unsigned Id) const;
  std::string structure(const Operation &O) const;
  std::string bundle(const Operation &O, unsigned Id) const;
  std::string argument(const Operation &O, const ParameterInfo &P) const;
  bool uses(unsigned Kernel) const;
  void nameKernels();
  std::string launch(const Operation &O) const;
  std::string contents(const Operation &O) const;
  std::string operation(const Operation &O) const;
  std::string begin() const;

  const Sequence &S;
  uint32_t Label;
  bool Relocatable;
  std::vector<Kernel> Kernels;
};

std::string SequencePrinter::parameter(const Operation &O, bool IsArray,
                                       unsigned Id) const {
  const Shape &Of = S.Shapes[O.Shape];
  const Kernel &K = Kernels[Of.Kernel];
  if (!IsArray)
    return scalar(Of.Case.Scalars[Id], K.Scalars[Id].Type);
  return (K.Arrays[Id].Hidden
              ? std::string("(unsigned long)")
              : std::string("(") + traits(K.Arrays[Id].Of).Name + " *)") +
         text(O.Pointers[Id]);
}

std::string SequencePrinter::structure(const Operation &O) const {
  const Kernel &K = Kernels[S.Shapes[O.Shape].Kernel];
  std::string Parts[2];
  for (const MemberInfo &M : K.Members) {
    std::string &To = Parts[M.Inner];
    To += (To.empty() ? "" : ", ") + parameter(O, M.IsArray, M.Id);
  }
  return "S" + text(K.Seed) + "{" + Parts[0] + (Parts[0].empty() ? "" : ", ") +
         "{" + Parts[1] + "}}";
}

/// Where it has no pointer there is a small number.
std::string SequencePrinter::bundle(const Operation &O, unsigned Id) const {
  const Kernel &K = Kernels[S.Shapes[O.Shape].Kernel];
  const BundleInfo &B = K.Bundles[Id];
  std::string Out = "[] { B" + text(K.Seed) + "_" + text(Id) + " b = {};";
  for (unsigned I = 0; I < B.Arrays.size(); ++I)
    Out += " put(b, " + text(offsetIn(B, I)) + ", " +
           (B.Arrays[I] == BundleInfo::Unused
                ? "(void *)3"
                : text(O.Pointers[unsigned(B.Arrays[I])])) +
           ");";
  return Out + " return b; }()";
}

std::string SequencePrinter::argument(const Operation &O,
                                      const ParameterInfo &P) const {
  switch (P.What) {
  case ParameterInfo::Struct:
    return structure(O);
  case ParameterInfo::Bundle:
    return bundle(O, P.Id);
  default:
    return parameter(O, P.What == ParameterInfo::Array, P.Id);
  }
}

std::string SequencePrinter::launch(const Operation &O) const {
  const Shape &Of = S.Shapes[O.Shape];
  const Kernel &K = Kernels[Of.Kernel];
  std::string Arguments;
  for (const ParameterInfo &P : K.Parameters)
    Arguments += (Arguments.empty() ? "" : ", ") + argument(O, P);
  return symbolOf(K) + "<<<" + text(Of.Case.Grid) + ", " + text(Of.Case.Block) +
         ", 0, on(" + text(O.Stream) + ")>>>(" + Arguments + ")";
}

std::string SequencePrinter::contents(const Operation &O) const {
  const Shape &Of = S.Shapes[O.Shape];
  const Int T = integerOf(Kernels[Of.Kernel].Arrays[O.Array].Of);
  return "contents(" + text(O.Stream) + ", " + text(O.To) + ", " +
         text(O.Range.Low) + ", " + text(O.Range.High) + ", " +
         text(traits(T).Bits / 8) + ", " + text(Of.Case.Contents) + "u, " +
         text(O.Array) + ", " + text(Of.Case.WildTables) + ", " +
         text(traits(T).Signed) + ")";
}

std::string SequencePrinter::operation(const Operation &O) const {
  const std::string Rest = ", " + text(int64_t(O.Bytes)) + ")";
  const std::string Stream = text(O.Stream);
  switch (O.What) {
  case Operation::Launch:
    return launch(O);
  case Operation::Copy:
    return "copy(" + Stream + ", " + text(O.To) + ", " + text(O.From) + Rest;
  case Operation::Fill:
    return "fill(" + Stream + ", " + text(O.To) + ", " + text(O.Value) + Rest;
  case Operation::Upload:
    return "upload(" + Stream + ", " + text(O.To) + ", " + text(O.Value) + Rest;
  case Operation::Download:
    return "download(" + text(O.From) + Rest;
  case Operation::Contents:
    return contents(O);
  case Operation::Wait:
    break;
  }
  return "wait(" + Stream + ", " + text(O.Value) + ")";
}

std::string SequencePrinter::begin() const {
  std::string Out = "  begin(" + text(Label) + ");\n";
  for (const Memory &M : S.Memories)
    Out += "  memory(" + text(int64_t(M.Bytes)) +
           (M.Variable ? ", &" + globalName(Kernels[M.Kernel], M.Array) : "") +
           ");\n";
  return Out;
}

bool SequencePrinter::uses(unsigned Kernel) const {
  return std::ranges::any_of(S.Operations,
                             [&](const Operation &O) {
                               return O.What == Operation::Launch &&
                                      S.Shapes[O.Shape].Kernel == Kernel;
                             }) ||
         std::ranges::any_of(S.Memories, [&](const Memory &M) {
           return M.Variable && M.Kernel == Kernel;
         });
}

void SequencePrinter::nameKernels() {
  for (unsigned I = 0; I < Kernels.size(); ++I) {
    Kernels[I].Seed = 4 * Label + I;
    Kernels[I].Relocatable = Relocatable;
  }
}

std::string SequencePrinter::print() {
  nameKernels();
  std::string Out;
  for (unsigned I = 0; I < Kernels.size(); ++I)
    if (uses(I))
      Out += blockmaestro::soundness::print(Kernels[I]);
  Out += "static void program" + text(Label) + "() {\n" + begin();
  for (const Operation &O : S.Operations)
    Out += "  " + operation(O) + ";\n";
  return Out + "  end();\n}\n";
}

std::string SequencePrinter::printStrong() {
  nameKernels();
  std::string Out;
  for (unsigned I = 0; I < Kernels.size(); ++I)
    if (uses(I))
      Out += blockmaestro::soundness::printStrong(Kernels[I]);
  return Out;
}

} // namespace

std::string print(const Sequence &S, uint32_t Label, bool Relocatable) {
  return SequencePrinter(S, Label, Relocatable).print();
}

std::string printStrong(const Sequence &S, uint32_t Label) {
  return SequencePrinter(S, Label, true).printStrong();
}

} // namespace blockmaestro::soundness
