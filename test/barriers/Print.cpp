// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

namespace blockmaestro::barriers {

namespace {

std::string number(uint32_t N) { return std::to_string(N) + "u"; }
std::string variable(unsigned N) { return "v" + std::to_string(N); }

/// What every function of a kernel gets besides its state.
constexpr const char *Parameters =
    "unsigned t, unsigned block, unsigned cell, const unsigned *in, "
    "unsigned *out, const unsigned *n, unsigned *x0, unsigned *x1, "
    "unsigned *sh, unsigned *group, unsigned a0, unsigned a1";
constexpr const char *Passed =
    "t, block, cell, in, out, n, x0, x1, sh, group, a0, a1";

class KernelPrinter {
public:
  KernelPrinter(const Program &P, const Kernel &K)
      : K(K), T(number(K.threads())),
        Name("b" + std::to_string(P.Seed) + "_" + std::to_string(K.Number)) {}

  std::string print();

private:
  std::string operand(const Operand &O) const;
  std::string condition(const Condition &C) const;
  void line(const std::string &Text) {
    Out.append(2 * Indent, ' ').append(Text).append("\n");
  }
  void list(const Statements &List);
  void statement(const Statement &S);
  void loop(const Statement &S);
  void selection(const Statement &S);
  void publish(unsigned Half, unsigned From);
  void publishNow(unsigned From);
  void get(const Statement &S);
  void barrier(const Statement &S);
  void warpWork(const Statement &S);
  void group(const Statement &S);
  void leave(bool FromFunction);
  void function(unsigned Which);
  void kernel();
  std::string functionName(unsigned Which) const {
    return "f" + Name + "_" + std::to_string(Which);
  }

  const Kernel &K;
  std::string T, Name, Out;
  unsigned Indent = 0, Loops = 0;
  bool InFunction = false;
};

std::string KernelPrinter::operand(const Operand &O) const {
  switch (O.From) {
  case Place::Variable:
    return variable(O.Number);
  case Place::Thread:
    return "t";
  case Place::Block:
    return "block";
  case Place::Argument:
    return O.Number ? "a1" : "a0";
  case Place::Constant:
    return number(O.Number);
  case Place::Round:
    return "r";
  case Place::Counter:
    return "c" + std::to_string(O.Number);
  case Place::Uniform:
    return "n[" + std::to_string(O.Number) + "]";
  }
  return "";
}

std::string KernelPrinter::condition(const Condition &C) const {
  const std::string Mask = std::to_string(C.Mask);
  const std::string Bound = std::to_string(int(C.Bound));
  switch (C.By) {
  case Test::Bits:
    return "((" + operand(C.Left) + " + " + operand(C.Right) + ") & " +
           number(C.Mask) + ") < " + number(C.Bound);
  case Test::Below:
    return "t < " + number(C.Bound);
  case Test::WarpIs:
    return "threadIdx.x / 32 == " + number(C.Bound);
  case Test::WarpBelow:
    return "(int(threadIdx.x) - " + Mask + ") / 32 < " + Bound;
  case Test::FloorBelow:
    return "(int(threadIdx.x) - " + Mask + ") >> 5 < " + Bound;
  }
  return "";
}

void KernelPrinter::list(const Statements &List) {
  ++Indent;
  for (const Statement &S : List)
    statement(S);
  --Indent;
}

void KernelPrinter::publish(unsigned Half, unsigned From) {
  if (K.Area == Exchange::Global)
    line("x" + std::to_string(Half) + "[cell] = " + variable(From) + ";");
  else
    line("sh[" + number(Half * K.threads()) + " + t] = " + variable(From) +
         ";");
}

void KernelPrinter::publishNow(unsigned From) {
  if (K.Area == Exchange::Global) {
    line("if (r & 1)");
    publish(1, From);
    line("else");
    publish(0, From);
  } else {
    line("sh[(r & 1) * " + T + " + t] = " + variable(From) + ";");
  }
}

void KernelPrinter::get(const Statement &S) {
  if (K.Sites[S.Site].How == Meeting::Off)
    return;
  const std::string Slot = "(t + " + number(S.Number) + ") % " + T;
  const std::string To = variable(S.D) + " ^= ";
  if (K.Area == Exchange::Global)
    line(To + "(r & 1 ? x0 : x1)[cell - t + " + Slot + "];");
  else
    line(To + "sh[(~r & 1) * " + T + " + " + Slot + "];");
}

void KernelPrinter::barrier(const Statement &S) {
  if (K.Sites[S.Site].How == Meeting::Off)
    return;
  if (S.Does == Kind::Begin) {
    publish(0, S.A);
    publish(1, S.A);
  } else {
    publishNow(S.A);
  }
  const Site &At = K.Sites[S.Site];
  const std::string Bit = "(" + variable(S.A) + " & 1)";
  const std::string To = variable(S.D) + " = ";
  if (At.Loose)
    line(At.Assembly ? "asm volatile(\"barrier.sync 0;\" ::: \"memory\");"
                     : "__nvvm_barrier_sync(0);");
  else if (S.Votes == Vote::Count)
    line(To + "__nvvm_bar0_popc" + Bit + ";");
  else if (S.Votes == Vote::And)
    line(To + "__nvvm_bar0_and" + Bit + " != 0;");
  else if (S.Votes == Vote::Or)
    line(To + "__nvvm_bar0_or" + Bit + " != 0;");
  else if (At.Barrier)
    line("__nvvm_bar_sync(" + std::to_string(At.Barrier) + ");");
  else
    line("__syncthreads();");
  line("++r;");
}

void KernelPrinter::warpWork(const Statement &S) {
  const std::string V = variable(S.A), To = variable(S.D);
  if (K.Sites[S.Site].How == Meeting::Off)
    line(To + " = " + V + " * 9u;");
  else if (S.Votes == Vote::None)
    line("__nvvm_bar_warp_sync(~0u);");
  else if (S.Votes == Vote::Count)
    line(To + " = __nvvm_vote_ballot_sync(~0u, " + V + " & 1);");
  else if (S.Votes == Vote::And)
    line(To + " = __nvvm_vote_all_sync(~0u, " + V + " & 1);");
  else if (S.Votes == Vote::Or)
    line(To + " = __nvvm_vote_any_sync(~0u, " + V + " & 1);");
  else
    line(To + " = __nvvm_shfl_sync_idx_i32(~0u, " + V + ", (t + " +
         number(S.Number) + ") & 31, 31);");
}

void KernelPrinter::group(const Statement &S) {
  if (K.Sites[S.Site].How == Meeting::Off)
    return;
  const std::string Size = std::to_string(WarpSize * S.Number);
  // A barrier is of one size: warps may come to the next one early.
  const std::string Number = S.Number == 1 ? "1" : "8";
  line("if (t < " + Size + "u) {");
  line("  group[t] = " + variable(S.A) + ";");
  line("  __nvvm_barrier_sync_cnt(" + Number + ", " + Size + ");");
  line("  " + variable(S.D) + " ^= group[(t + 7u) % " + Size + "u];");
  line("  __nvvm_barrier_sync_cnt(" + Number + ", " + Size + ");");
  line("}");
}

void KernelPrinter::loop(const Statement &S) {
  const std::string C = "c" + std::to_string(Loops),
                    E = "e" + std::to_string(Loops);
  const std::string Counts = "unsigned " + C + " = " + operand(S.Left) + ", " +
                             E + " = (" + operand(S.Right) + " & " +
                             number(S.When.Mask) + ") + " +
                             number(S.When.Bound) + ";";
  const std::string More = C + " < " + E, Step = C + " += " + number(S.Number);
  line("{");
  ++Indent;
  if (S.Form == LoopForm::For) {
    line("for (" + Counts + " " + More + "; " + Step + ") {");
  } else {
    line(Counts);
    line(S.Form == LoopForm::While ? "while (" + More + ") {" : "do {");
    line("  " + Step + ";");
  }
  ++Loops;
  list(S.Parts[0]);
  --Loops;
  line(S.Form == LoopForm::Do ? "} while (" + More + ");" : "}");
  --Indent;
  line("}");
}

void KernelPrinter::selection(const Statement &S) {
  line("switch (" + operand(S.Left) + " % 3) {");
  for (unsigned I = 0; I < 3; ++I) {
    line(I == 2 ? "default: {" : "case " + std::to_string(I) + ": {");
    list(S.Parts[I]);
    line(S.Falls >> I & 1 ? "}" : "} break;");
  }
  line("}");
}

void KernelPrinter::leave(bool FromFunction) {
  line("out[cell] = v0 ^ v1 * 3u ^ v2 * 5u ^ v3 * 7u ^ r * 11u;");
  if (!FromFunction)
    line("return;");
  else
    line(K.BuiltinExit ? "__nvvm_exit();" : "asm volatile(\"exit;\");");
}

void KernelPrinter::statement(const Statement &S) {
  const std::string D = variable(S.D), A = variable(S.A);
  switch (S.Does) {
  case Kind::Assign:
    return line(D + " = " + operand(S.Left) + " * " + number(S.Number) + " + " +
                operand(S.Right) + ";");
  case Kind::Read:
    return line(D + " ^= in[int(cell) + " + std::to_string(int(S.Number)) +
                "];");
  case Kind::Store:
    return line("out[cell] = " + A + " + " + number(S.Number) + ";");
  case Kind::Get:
    return get(S);
  case Kind::Begin:
  case Kind::Barrier:
    return barrier(S);
  case Kind::WarpWork:
    return warpWork(S);
  case Kind::Group:
    return group(S);
  case Kind::Sleep:
    line("if ((block & 1) == " + number(S.A) + ")");
    return line("  __nvvm_nanosleep(" + number(S.Number) + ");");
  case Kind::Trap:
    line("if (n[" + A + " & 7] > 1000u)");
    return line("  __builtin_trap();");
  case Kind::If:
    line("if (" + condition(S.When) + ") {");
    list(S.Parts[0]);
    if (!S.Parts[1].empty()) {
      line("} else {");
      list(S.Parts[1]);
    }
    return line("}");
  case Kind::Switch:
    return selection(S);
  case Kind::Loop:
    return loop(S);
  case Kind::Break:
    return line("break;");
  case Kind::Continue:
    return line("continue;");
  case Kind::Return:
    if (InFunction)
      return line("return {v0, v1, v2, v3, r};");
    return leave(false);
  case Kind::Exit:
    return leave(true);
  case Kind::Call:
    line("{");
    line("  State s = " + functionName(S.Number) + "({v0, v1, v2, v3, r}, " +
         Passed + ");");
    line("  v0 = s.v0, v1 = s.v1, v2 = s.v2, v3 = s.v3, r = s.r;");
    return line("}");
  }
}

void KernelPrinter::function(unsigned Which) {
  Out += "__device__ __attribute__((noinline)) State " + functionName(Which) +
         "(State s, " + Parameters + ") {\n";
  Out += "  unsigned v0 = s.v0, v1 = s.v1, v2 = s.v2, v3 = s.v3, r = s.r;\n";
  InFunction = true;
  list(K.Functions[Which]);
  InFunction = false;
  Out += "  return {v0, v1, v2, v3, r};\n}\n";
}

void KernelPrinter::kernel() {
  Out += "__global__ void " + Name +
         "(const unsigned *in, unsigned *out, const unsigned *n, unsigned *x0, "
         "unsigned *x1, unsigned a0, unsigned a1) {\n";
  if (K.Area == Exchange::Static)
    Out += "  __shared__ unsigned sh[" + number(2 * K.threads()) + "];\n";
  else if (K.Area == Exchange::Dynamic)
    Out += "  extern __shared__ unsigned sh[];\n";
  else
    Out += "  unsigned *sh = nullptr;\n";
  if (K.Shapes.count("group"))
    Out += "  __shared__ unsigned group[64];\n";
  else
    Out += "  unsigned *group = nullptr;\n";
  Out += "  unsigned t = threadIdx.x + " + number(K.Block[0]) +
         " * (threadIdx.y + " + number(K.Block[1]) + " * threadIdx.z);\n" +
         "  unsigned block = blockIdx.x + gridDim.x * blockIdx.y;\n" +
         "  unsigned cell = block * " + T + " + t;\n" +
         "  unsigned v0 = in[cell], v1 = t * 3u + 1, v2 = a0 + block, v3 = a1, "
         "r = 0;\n";
  list(K.Body);
  Indent = 1;
  leave(false);
  Out += "}\n";
}

std::string KernelPrinter::print() {
  for (unsigned I = 0; I < K.Functions.size(); ++I)
    function(I);
  kernel();
  return Out;
}

std::string launchText(const Program &P, unsigned Which) {
  const Launch &L = P.Launches[Which];
  const Kernel &K = P.Kernels[L.Kernel];
  auto Dimensions = [](const unsigned *Of, unsigned Count) {
    std::string Text = "dim3(";
    for (unsigned I = 0; I < Count; ++I)
      Text += (I ? ", " : "") + std::to_string(Of[I]);
    return Text + ")";
  };
  return "  b" + std::to_string(P.Seed) + "_" + std::to_string(L.Kernel) +
         "<<<" + Dimensions(K.Grid, 2) + ", " + Dimensions(K.Block, 3) + ", " +
         std::to_string(4 * K.DynamicWords) + ">>>(buffer(" +
         std::to_string(Which % Buffers) + "), buffer(" +
         std::to_string((Which + 1) % Buffers) +
         "), uniform(), half(0), half(1), " + number(L.Arguments[0]) + ", " +
         number(L.Arguments[1]) + ");\n";
}

} // namespace

std::string print(const Program &P) {
  std::string Text;
  for (const Kernel &K : P.Kernels)
    Text += KernelPrinter(P, K).print();
  Text += "void program" + std::to_string(P.Seed) + "() {\n  begin(" +
          number(P.Seed) + ", " + number(P.Cells) + ");\n";
  for (unsigned I = 0; I < P.Launches.size(); ++I)
    Text += launchText(P, I);
  return Text + "  end(" + std::to_string(P.Expected) + "ull);\n}\n";
}

} // namespace blockmaestro::barriers
