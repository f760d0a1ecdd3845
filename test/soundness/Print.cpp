// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

#include <array>

namespace blockmaestro::soundness {

const char *const Prelude = R"(
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __host__ __attribute__((host))
struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
#include <__clang_cuda_builtin_vars.h>
struct alignas(16) Float4 { float x, y, z, w; };
struct Triple { int m0, m1, m2; };
#define ACC 0
#define KEEP(v)
#define LOOK(T, place) place
#define BEGIN_TILE
#define BOTH(T) \
  __device__ inline T min(T a, T b) { return b < a ? b : a; } \
  __device__ inline T max(T a, T b) { return a < b ? b : a; }
BOTH(int) BOTH(unsigned) BOTH(long) BOTH(unsigned long)
#define ATOMICS(T, max_of) \
  __device__ inline T atomicAdd(T *p, T v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); } \
  __device__ inline T atomicMax(T *p, T v) { return __atomic_fetch_max(p, v, __ATOMIC_RELAXED); } \
  __device__ inline T atomicExch(T *p, T v) { return __atomic_exchange_n(p, v, __ATOMIC_RELAXED); } \
  __device__ inline T atomicCAS(T *p, T c, T v) { \
    __atomic_compare_exchange_n(p, &c, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); return c; }
ATOMICS(int, i) ATOMICS(unsigned, ui) ATOMICS(long, l) ATOMICS(unsigned long, ul)
__device__ inline float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
)";

namespace {

constexpr const char *Registers[] = {"threadIdx", "blockIdx", "blockDim",
                                     "gridDim"};
constexpr char Axes[] = "xyz";
constexpr const char *AtomicNames[] = {"atomicAdd", "atomicMax", "atomicExch"};

class Printer {
public:
  explicit Printer(Kernel &K) : K(K) {}
  std::string print();
  std::string printStrong();

private:
  void line(const std::string &Text) {
    Out += std::string(2 * Depth, ' ') + Text + "\n";
    ++Lines;
  }
  void open(const std::string &Text) {
    line(Text + " {");
    ++Depth;
  }
  void close(const std::string &Tail = "") {
    --Depth;
    line("}" + Tail);
  }

  std::string constant(const Node &N) const;
  std::string scalarName(unsigned Id) const;
  std::string arrayName(unsigned Id) const;
  std::string integer(const Node &N) const;
  std::string functionName(unsigned Id) const {
    return "f" + std::to_string(K.Seed) + "_" + std::to_string(Id);
  }
  std::string arguments(const Node &N, size_t First) const;
  std::string pointer(const Node &N) const;
  std::string place(const Node &N) const;
  std::string value(const Node &N) const {
    return isPointer(N.What) ? pointer(N) : integer(N);
  }

  void statement(Node &N);
  void access(Node &N);
  void atomic(Node &N);
  void loop(Node &N);
  void choice(Node &N);
  void globals();
  void structure();
  void bundle(unsigned Id);
  std::string chosen(const Node &N) const;
  std::string signature(unsigned Id) const;
  void function(unsigned Id, const std::string &Linkage, Node &Body);
  std::string parameters() const;
  std::string arrayParameter(const ArrayInfo &A, const std::string &Name) const;

  Kernel &K;
  std::string Out;
  unsigned Lines = 0;
  unsigned Depth = 0;
};

std::string Printer::constant(const Node &N) const {
  std::string Digits = std::to_string(N.Value);
  std::string Suffix = N.Type == Int::U32   ? "u"
                       : N.Type == Int::I64 ? "l"
                       : N.Type == Int::U64 ? "ul"
                                            : "";
  if (traits(N.Type).Bits < 32)
    return std::string("((") + traits(N.Type).Name + ")" + Digits + ")";
  return N.Value < 0 ? "(" + Digits + Suffix + ")" : Digits + Suffix;
}

std::string Printer::scalarName(unsigned Id) const {
  std::string Name = "s" + std::to_string(Id);
  if (!K.Scalars[Id].Member)
    return Name;
  for (const MemberInfo &M : K.Members)
    if (!M.IsArray && M.Id == Id)
      return (M.Inner ? "st.in." : "st.") + Name;
  return Name;
}

std::string Printer::arrayName(unsigned Id) const {
  std::string Name = "p" + std::to_string(Id);
  if (K.Arrays[Id].Where >= ArrayInfo::Device)
    return globalName(K, Id);
  if (K.Arrays[Id].Hidden)
    return std::string("((") + traits(K.Arrays[Id].Of).Name + " *)" + Name +
           ")";
  for (const MemberInfo &M : K.Members)
    if (M.IsArray && M.Id == Id)
      return (M.Inner ? "st.in." : "st.") + Name;
  return Name;
}

std::string Printer::arguments(const Node &N, size_t First) const {
  std::string Text = "(";
  for (size_t I = First; I < N.Kids.size(); ++I)
    Text += (I == First ? "" : ", ") + value(N.Kids[I]);
  return Text + ")";
}

std::string Printer::integer(const Node &N) const {
  auto Kid = [&](size_t I) { return value(N.Kids[I]); };
  std::string Name = traits(N.Type).Name;
  switch (N.What) {
  case Op::Constant:
    return constant(N);
  case Op::Register:
    return std::string(Registers[N.Value / 3]) + "." + Axes[N.Value % 3];
  case Op::Scalar:
    return scalarName(N.Id);
  case Op::Local:
    return "v" + std::to_string(N.Id);
  case Op::Binary:
    return "(" + Kid(0) + " " + spelling(Operator(N.Value)) + " " + Kid(1) +
           ")";
  case Op::Negate:
    return "(-" + Kid(0) + ")";
  case Op::Complement:
    return "(~" + Kid(0) + ")";
  case Op::Not:
    return "(!" + Kid(0) + ")";
  case Op::AndAlso:
    return "(" + Kid(0) + " && " + Kid(1) + ")";
  case Op::OrElse:
    return "(" + Kid(0) + " || " + Kid(1) + ")";
  case Op::Before:
    return "(" + Kid(0) + " < " + Kid(1) + ")";
  case Op::Choose:
    return "(" + Kid(0) + " ? " + Kid(1) + " : " + Kid(2) + ")";
  case Op::Minimum:
  case Op::Maximum:
    return std::string(N.What == Op::Minimum ? "min((" : "max((") + Name + ")" +
           Kid(0) + ", (" + Name + ")" + Kid(1) + ")";
  case Op::Cast:
    return "((" + Name + ")" + Kid(0) + ")";
  case Op::Load:
    return std::string("LOOK(") + traits(N.Kids[0].Of).Name + ", " +
           place(N.Kids[0]) + ")";
  case Op::Fetch:
    return "atomicAdd(" + Kid(0) + ", (" + traits(N.Kids[0].Of).Name + ")" +
           Kid(1) + ")";
  default:
    return functionName(N.Id) + arguments(N, 0);
  }
}

std::string Printer::pointer(const Node &N) const {
  auto Kid = [&](size_t I) { return value(N.Kids[I]); };
  switch (N.What) {
  case Op::Array:
    return arrayName(N.Id);
  case Op::Pointer:
    return "q" + std::to_string(N.Id);
  case Op::Advance:
    return "(" + Kid(0) + " + " + Kid(1) + ")";
  case Op::Either:
    return "(" + Kid(0) + " ? " + Kid(1) + " : " + Kid(2) + ")";
  case Op::Chosen:
    return chosen(N);
  case Op::Retype:
    return std::string("((") + traits(N.Of).Name + " *)" + Kid(0) + ")";
  default:
    return "(&(" + Kid(0) + ")->m" + std::to_string(N.Value) + ")";
  }
}

/// A pointer of a bundle.
std::string Printer::chosen(const Node &N) const {
  const BundleInfo &B = K.Bundles[N.Id];
  const std::string Name = "b" + std::to_string(N.Id),
                    At = "[" + integer(N.Kids[0]) + "]";
  switch (B.How) {
  case BundleInfo::Apart:
    return Name + ".rows" + At + "[2]";
  case BundleInfo::Integers:
    return std::string("((") + traits(B.Of).Name + " *)" + Name + ".rows" + At +
           ")";
  case BundleInfo::Unions:
  case BundleInfo::Packed:
    return Name + ".rows" + At + ".array";
  case BundleInfo::Mixed:
    return "(&" + Name + ".first)" + At;
  default:
    return Name + ".rows" + At;
  }
}

/// The object a pointer points to.
std::string Printer::place(const Node &N) const {
  if (N.What == Op::Advance)
    return pointer(N.Kids[0]) + "[" + integer(N.Kids[1]) + "]";
  return "(*" + pointer(N) + ")";
}

void Printer::access(Node &N) {
  Element Of = N.Kids[0].Of;
  std::string Name = traits(Of).Name, Where = place(N.Kids[0]);
  if (N.Value)
    Where = "(*(volatile " + Name + " *)" + pointer(N.Kids[0]) + ")";
  if (!traits(Of).Aggregate)
    return line(N.What == Op::Read ? "acc += (float)" + Where + "; KEEP(acc);"
                                   : Where + " = (" + Name + ")acc;");
  bool Quad = Of == Element::Float4;
  std::string Whole = Quad ? "quad" : "triple";
  line(N.What == Op::Write ? Where + " = " + Whole + ";"
       : Quad ? "quad = " + Where + "; KEEP(quad.x + quad.y + quad.z + quad.w);"
              : "triple = " + Where +
                    "; KEEP(triple.m0 + triple.m1 + triple.m2);");
}

void Printer::atomic(Node &N) {
  std::string Name = traits(N.Kids[0].Of).Name, To = pointer(N.Kids[0]);
  if (N.Value < 3)
    return line(std::string(AtomicNames[N.Value]) + "(" + To + ", (" + Name +
                ")1);");
  line("{ " + Name + " old = *" + To +
       ", seen; do { seen = old; old = atomicCAS(" + To + ", seen, (" + Name +
       ")(seen + 1)); } while (old != seen); }");
}

void Printer::loop(Node &N) {
  if (N.What == Op::While)
    open("while (" + integer(N.Kids[0]) + ")");
  else if (N.What == Op::DoWhile)
    open("do");
  else
    open("for (" + std::string(traits(K.Locals[N.Kids[0].Id]).Name) + " v" +
         std::to_string(N.Kids[0].Id) + " = " + value(N.Kids[0].Kids[0]) +
         "; " + integer(N.Kids[1]) + "; v" + std::to_string(N.Kids[2].Id) +
         " = " + integer(N.Kids[2].Kids[0]) + ")");
  statement(N.What == Op::For     ? N.Kids[3]
            : N.What == Op::While ? N.Kids[1]
                                  : N.Kids[0]);
  N.EndLine = Lines + 1;
  close(N.What == Op::DoWhile ? " while (" + integer(N.Kids[1]) + ");" : "");
}

void Printer::choice(Node &N) {
  if (N.What == Op::If) {
    open("if (" + integer(N.Kids[0]) + ")");
    statement(N.Kids[1]);
    if (!N.Kids[2].Kids.empty()) {
      close(" else {");
      ++Depth;
      statement(N.Kids[2]);
    }
    return close();
  }
  open("switch (" + integer(N.Kids[0]) + ")");
  for (size_t I = 1; I < N.Kids.size(); ++I) {
    Node &Case = N.Kids[I];
    line(Case.Id == 2 ? "default:"
                      : "case " + std::to_string(Case.Value) + ":");
    statement(Case.Kids[0]);
    if (Case.Id != 1)
      line("break;");
  }
  close();
}

void Printer::statement(Node &N) {
  N.Line = Lines + 1;
  auto Kid = [&](size_t I) { return value(N.Kids[I]); };
  std::string Local = "v" + std::to_string(N.Id);
  std::string Pointer = "q" + std::to_string(N.Id);
  switch (N.What) {
  case Op::Sequence:
    for (Node &Each : N.Kids)
      statement(Each);
    return;
  case Op::Let:
    return line(std::string(traits(K.Locals[N.Id]).Name) + " " + Local + " = " +
                Kid(0) + ";");
  case Op::Set:
    return line(Local + " = " + Kid(0) + ";");
  case Op::LetPointer:
    return line(std::string(traits(K.Pointers[N.Id]).Name) + " *" + Pointer +
                " = " + Kid(0) + ";");
  case Op::SetPointer:
    return line(Pointer + " = " + Kid(0) + ";");
  case Op::Read:
  case Op::Write:
    return access(N);
  case Op::Atomic:
    return atomic(N);
  case Op::Assembly:
    return line(assemblyText(N, Kid(0), N.Kids.size() > 1 ? Kid(1) : ""));
  case Op::Copy:
    return line("__builtin_memcpy(" + Kid(0) + ", " + Kid(1) + ", " + Kid(2) +
                ");");
  case Op::Fill:
    return line("__builtin_memset(" + Kid(0) + ", 0, " + Kid(1) + ");");
  case Op::If:
  case Op::Switch:
    return choice(N);
  case Op::For:
  case Op::While:
  case Op::DoWhile:
    return loop(N);
  case Op::Return:
    return line("return;");
  case Op::Exit:
    return line(exitText(N, N.Kids.empty() ? "" : Kid(0)));
  case Op::ReturnInteger:
    return line("return " + Kid(0) + ";");
  case Op::Break:
    return line("break;");
  case Op::Continue:
    return line("continue;");
  case Op::Call:
    return line(functionName(N.Id) + arguments(N, 0) + ";");
  case Op::CallVia:
    return line("(" + Kid(0) + " ? " + functionName(N.Id) + " : " +
                functionName(N.Value) + ")" + arguments(N, 1) + ";");
  case Op::Barrier:
    return line("__syncthreads();");
  case Op::Stage:
    return line("tile[" + Kid(0) + " & 63] = acc; acc += tile[(" + Kid(0) +
                " + 1) & 63];");
  case Op::Scratch:
    return line("scratch[" + Kid(0) + " & 7] += acc; acc += scratch[3];");
  default:
    return line("acc += __nvvm_shfl_sync_down_f32(0xffffffff, acc, 16, 31);");
  }
}

void Printer::globals() {
  for (unsigned I = 0; I < K.Arrays.size(); ++I) {
    const ArrayInfo &A = K.Arrays[I];
    if (A.Where < ArrayInfo::Device)
      continue;
    line(std::string(A.Where == ArrayInfo::Device ? "__device__ "
                                                  : "__constant__ ") +
         traits(A.Of).Name + " " + globalName(K, I) + "[" +
         std::to_string(A.Length) + "];");
  }
}

void Printer::structure() {
  if (K.Members.empty())
    return;
  open("struct S" + std::to_string(K.Seed));
  for (bool Inner : {false, true}) {
    if (Inner)
      open("struct");
    for (const MemberInfo &M : K.Members)
      if (M.Inner == Inner)
        line(M.IsArray
                 ? arrayParameter(K.Arrays[M.Id], "p" + std::to_string(M.Id)) +
                       ";"
                 : std::string(traits(K.Scalars[M.Id].Type).Name) + " s" +
                       std::to_string(M.Id) + ";");
    if (Inner)
      close(" in;");
  }
  close(";");
}

std::string Printer::arrayParameter(const ArrayInfo &A,
                                    const std::string &Name) const {
  return A.Hidden ? "unsigned long " + Name
                  : std::string(traits(A.Of).Name) + " *" + Name;
}

void Printer::bundle(unsigned Id) {
  const BundleInfo &B = K.Bundles[Id];
  const std::string Array = std::string(traits(B.Of).Name) + " *";
  const std::string Count = "[" + std::to_string(B.Arrays.size()) + "]";
  open("struct B" + std::to_string(K.Seed) + "_" + std::to_string(Id));
  if (B.How == BundleInfo::Behind)
    line("char before[1104];");
  if (B.How == BundleInfo::Mixed)
    line(Array + "first; union { unsigned long bits; " + Array +
         "array; } second; unsigned third[2]; char fourth[8];");
  else if (B.How == BundleInfo::Packed)
    line("struct __attribute__((packed)) { char tag; " + Array +
         "array; int more; } rows" + Count + ";");
  else if (B.How == BundleInfo::Unions)
    line("union { unsigned long bits; " + Array + "array; } rows" + Count +
         ";");
  else if (B.How == BundleInfo::Integers)
    line("unsigned long rows" + Count + ";");
  else
    line(Array + "rows" + Count + (B.How == BundleInfo::Apart ? "[50];" : ";"));
  close(";");
}

std::string Printer::parameters() const {
  std::string Text;
  for (const ParameterInfo &P : K.Parameters) {
    std::string Id = std::to_string(P.Id);
    Text += Text.empty() ? "" : ", ";
    if (P.What == ParameterInfo::Struct)
      Text += "S" + std::to_string(K.Seed) + " st";
    else if (P.What == ParameterInfo::Bundle)
      Text += "B" + std::to_string(K.Seed) + "_" + Id + " b" + Id;
    else if (P.What == ParameterInfo::Array)
      Text += arrayParameter(K.Arrays[P.Id], "p" + Id);
    else
      Text += std::string(traits(K.Scalars[P.Id].Type).Name) + " s" + Id;
  }
  return Text;
}

std::string Printer::signature(unsigned Id) const {
  const Function &F = K.Functions[Id];
  std::string Text =
      std::string(F.NoInline ? "__attribute__((noinline)) " : "") +
      (F.Integer ? "int " : "void ") + functionName(Id) + "(";
  for (size_t I = 0; I < F.Parameters.size(); ++I) {
    const Function::Parameter &P = F.Parameters[I];
    Text += I ? ", " : "";
    Text += P.IsPointer ? std::string(traits(K.Pointers[P.Id]).Name) + " *q"
                        : std::string(traits(K.Locals[P.Id]).Name) + " v";
    Text += std::to_string(P.Id);
  }
  return Text + ")";
}

void Printer::function(unsigned Id, const std::string &Linkage, Node &Body) {
  open(Linkage + "__device__ " + signature(Id));
  line(
      "float acc = ACC; Float4 quad = {}; Triple triple = {}; float scratch[8] "
      "= {};");
  statement(Body);
  close();
}

std::string Printer::print() {
  globals();
  structure();
  for (unsigned I = 0; I < K.Bundles.size(); ++I)
    bundle(I);
  for (unsigned I = 0; I < K.Functions.size(); ++I) {
    Function &F = K.Functions[I];
    function(I, F.Weak ? "__attribute__((weak)) " : "static ",
             F.Weak && K.Relocatable ? F.Decoy : F.Body);
  }
  open(std::string("extern \"C\" ") + (K.Weak ? "__attribute__((weak)) " : "") +
       "__global__ void " + symbolOf(K) + "(" + parameters() + ")");
  line("__shared__ float tile[64];");
  if (contains(K.Body, Op::Stage))
    line("BEGIN_TILE");
  line(
      "float acc = ACC; Float4 quad = {}; Triple triple = {}; float scratch[8] "
      "= {};");
  statement(K.Body);
  close();
  return std::move(Out);
}

std::string Printer::printStrong() {
  for (unsigned I = 0; I < K.Functions.size(); ++I)
    if (K.Functions[I].Weak)
      function(I, "", K.Functions[I].Body);
  return std::move(Out);
}

} // namespace

std::string print(Kernel &K) { return Printer(K).print(); }
std::string printStrong(Kernel K) { return Printer(K).printStrong(); }

} // namespace blockmaestro::soundness
