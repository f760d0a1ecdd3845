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
  SequencePrinter(const Sequence &S, uint32_t Label) : S(S), Label(Label) {}
  std::string print();

private:
  std::string parameter(const Operation &O, bool IsArray, unsigned Id) const;
  std::string structure(const Operation &O) const;
  std::string launch(const Operation &O) const;
  std::string contents(const Operation &O) const;
  std::string operation(const Operation &O) const;
  std::string begin() const;

  const Sequence &S;
  uint32_t Label;
  std::vector<Kernel> Kernels;
};

std::string SequencePrinter::parameter(const Operation &O, bool IsArray,
                                       unsigned Id) const {
  const Shape &Of = S.Shapes[O.Shape];
  const Kernel &K = Kernels[Of.Kernel];
  if (!IsArray)
    return scalar(Of.Case.Scalars[Id], K.Scalars[Id].Type);
  return std::string("(") + traits(K.Arrays[Id].Of).Name + " *)" +
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

std::string SequencePrinter::launch(const Operation &O) const {
  const Shape &Of = S.Shapes[O.Shape];
  const Kernel &K = Kernels[Of.Kernel];
  std::string Arguments;
  for (const ParameterInfo &P : K.Parameters)
    Arguments += (Arguments.empty() ? "" : ", ") +
                 (P.What == ParameterInfo::Struct
                      ? structure(O)
                      : parameter(O, P.What == ParameterInfo::Array, P.Id));
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

std::string SequencePrinter::print() {
  Kernels = S.Kernels;
  std::string Out;
  for (unsigned I = 0; I < Kernels.size(); ++I) {
    Kernels[I].Seed = 4 * Label + I;
    bool Used = std::ranges::any_of(S.Operations, [&](const Operation &O) {
      return O.What == Operation::Launch && S.Shapes[O.Shape].Kernel == I;
    });
    Used |= std::ranges::any_of(S.Memories, [&](const Memory &M) {
      return M.Variable && M.Kernel == I;
    });
    if (Used)
      Out += blockmaestro::soundness::print(Kernels[I]);
  }
  Out += "static void program" + text(Label) + "() {\n" + begin();
  for (const Operation &O : S.Operations)
    Out += "  " + operation(O) + ";\n";
  return Out + "  end();\n}\n";
}

} // namespace

std::string print(const Sequence &S, uint32_t Label) {
  return SequencePrinter(S, Label).print();
}

} // namespace blockmaestro::soundness
