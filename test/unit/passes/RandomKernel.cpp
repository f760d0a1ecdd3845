// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RandomKernel.h"

#include <array>

namespace blockmaestro::randomir {

namespace {

constexpr const char *Predicates[] = {"slt", "sle", "sgt", "sge", "ult",
                                      "ule", "ugt", "uge", "eq",  "ne"};
constexpr const char *Axes[] = {"x", "y"};

int64_t asSigned(uint64_t Bits, unsigned Width) {
  return static_cast<int64_t>(Bits << (64 - Width)) >> (64 - Width);
}
uint64_t asUnsigned(uint64_t Bits, unsigned Width) {
  return Bits << (64 - Width) >> (64 - Width);
}

/// Writes the IR text; every value is %v followed by a number.
class Writer {
public:
  explicit Writer(unsigned Width) : Width(Width) {}

  std::string write(const std::vector<Statement> &Body, unsigned Accesses);

private:
  std::string type() const { return "i" + std::to_string(Width); }
  std::string fresh() { return "%v" + std::to_string(Next++); }
  std::string label() { return "b" + std::to_string(Next++); }
  void line(const std::string &Text) { Out += "  " + Text + "\n"; }
  void open(const std::string &Label) { Out += Label + ":\n"; }

  std::string assign(const std::string &Text) {
    std::string Name = fresh();
    line(Name + " = " + Text);
    return Name;
  }
  std::string value(const Expression &E);
  std::string index(const char *Register, int64_t Axis);
  std::string condition(const Condition &C);
  void statement(const Statement &S);
  void loop(const Statement &S);

  unsigned Width;
  unsigned Next = 0;
  std::string Out;
  std::vector<std::string> Counters;
};

std::string Writer::index(const char *Register, int64_t Axis) {
  std::string Name = assign(std::string("call i32 @llvm.nvvm.read.ptx.sreg.") +
                            Register + "." + Axes[Axis] + "()");
  return Width == 32 ? Name : assign("trunc i32 " + Name + " to " + type());
}

std::string Writer::value(const Expression &E) {
  auto Binary = [&](const char *Name) {
    std::string Left = value(*E.Left);
    std::string Right = E.Right ? value(*E.Right) : std::to_string(E.Value);
    return assign(std::string(Name) + " " + type() + " " + Left + ", " + Right);
  };
  switch (E.What) {
  case Expression::Thread:
    return index("tid", E.Value);
  case Expression::Block:
    return index("ctaid", E.Value);
  case Expression::BlockSize:
    return index("ntid", E.Value);
  case Expression::GridSize:
    return index("nctaid", E.Value);
  case Expression::Scalar:
    return "%s" + std::to_string(E.Value);
  case Expression::Constant:
    return std::to_string(E.Value);
  case Expression::Counter:
    return Counters[E.Value];
  case Expression::Add:
    return Binary("add");
  case Expression::Subtract:
    return Binary("sub");
  case Expression::Multiply:
    return Binary("mul");
  case Expression::ShiftLeft:
    return Binary("shl");
  case Expression::Mask:
    return Binary("and");
  }
  return "";
}

std::string Writer::condition(const Condition &C) {
  std::string Left = value(*C.Left);
  std::string Right = value(*C.Right);
  std::string First =
      assign("icmp " + C.Predicate + " " + type() + " " + Left + ", " + Right);
  if (!C.Next)
    return First;
  return assign(C.Join + " i1 " + First + ", " + condition(*C.Next));
}

void Writer::loop(const Statement &S) {
  std::string Bound = value(*S.Index);
  std::string Before = label(), Head = label(), Inside = label(),
              Tail = label(), After = label();
  std::string Counter = fresh(), Following = fresh(), Test = fresh();
  line("br label %" + Before);
  open(Before);
  line("br label %" + Head);
  open(Head);
  line(Counter + " = phi " + type() + " [0, %" + Before + "], [" + Following +
       ", %" + Tail + "]");
  line(Test + " = icmp " + (S.Signed ? "slt " : "ult ") + type() + " " +
       Counter + ", " + Bound);
  line("br i1 " + Test + ", label %" + Inside + ", label %" + After);
  open(Inside);
  Counters.push_back(Counter);
  for (const Statement &Inner : S.Body)
    statement(Inner);
  Counters.pop_back();
  line("br label %" + Tail);
  open(Tail);
  line(Following + " = add " + type() + " " + Counter + ", 1");
  line("br label %" + Head);
  open(After);
}

void Writer::statement(const Statement &S) {
  if (S.What == Statement::Loop)
    return loop(S);
  if (S.What == Statement::Access) {
    std::string Index = assign(std::string(S.Signed ? "sext " : "zext ") +
                               type() + " " + value(*S.Index) + " to i64");
    std::string Pointer = assign("getelementptr i8, ptr %p" +
                                 std::to_string(S.Number) + ", i64 " + Index);
    return line("store i8 1, ptr " + Pointer);
  }
  std::string Test = condition(*S.When);
  std::string Then = label(), After = label();
  line("br i1 " + Test + ", label %" + Then + ", label %" + After);
  open(Then);
  for (const Statement &Inner : S.Body)
    statement(Inner);
  line(S.What == Statement::ReturnIf ? "ret void" : "br label %" + After);
  open(After);
}

std::string Writer::write(const std::vector<Statement> &Body,
                          unsigned Accesses) {
  Out = "target triple = \"nvptx64-nvidia-cuda\"\n"
        "define ptx_kernel void @kernel(";
  for (unsigned I = 0; I < Accesses; ++I)
    Out += "ptr %p" + std::to_string(I) + ", ";
  Out += type() + " %s0, " + type() + " %s1) {\nentry:\n";
  for (const Statement &S : Body)
    statement(S);
  line("ret void");
  Out += "}\n";
  for (const char *Register : {"tid", "ctaid", "ntid", "nctaid"})
    for (const char *Axis : Axes)
      Out += std::string("declare i32 @llvm.nvvm.read.ptx.sreg.") + Register +
             "." + Axis + "()\n";
  return Out;
}

/// Runs one thread; bits above the width are always zero.
class Interpreter {
public:
  Interpreter(const RandomLaunch &L, unsigned Width, Dim3 Block, Dim3 Thread,
              std::map<unsigned, std::set<int64_t>> &To)
      : L(L), Width(Width), Block(Block), Thread(Thread), To(To) {}

  /// False once the thread has returned.
  bool run(const std::vector<Statement> &Body);

private:
  uint64_t value(const Expression &E) const;
  bool holds(const Condition &C) const;
  bool less(uint64_t A, uint64_t B, bool Signed) const {
    return Signed ? asSigned(A, Width) < asSigned(B, Width) : A < B;
  }
  bool loop(const Statement &S);

  const RandomLaunch &L;
  unsigned Width;
  Dim3 Block, Thread;
  std::map<unsigned, std::set<int64_t>> &To;
  std::vector<uint64_t> Counters;
};

uint64_t Interpreter::value(const Expression &E) const {
  uint64_t A = E.Left ? value(*E.Left) : 0;
  uint64_t B = E.Right ? value(*E.Right) : static_cast<uint64_t>(E.Value);
  const std::array<uint64_t, 12> Results = {
      Thread[E.Value & 1],
      Block[E.Value & 1],
      L.Block[E.Value & 1],
      L.Grid[E.Value & 1],
      static_cast<uint64_t>(L.Scalars[E.Value & 1]),
      B,
      E.What == Expression::Counter ? Counters[E.Value] : 0,
      A + B,
      A - B,
      A * B,
      A << (B & 7),
      A & B};
  return asUnsigned(Results[E.What], Width);
}

bool Interpreter::holds(const Condition &C) const {
  uint64_t A = value(*C.Left), B = value(*C.Right);
  const std::string &P = C.Predicate;
  bool Signed = P[0] == 's';
  bool First = P == "eq"             ? A == B
               : P == "ne"           ? A != B
               : P.substr(1) == "lt" ? less(A, B, Signed)
               : P.substr(1) == "le" ? !less(B, A, Signed)
               : P.substr(1) == "gt" ? less(B, A, Signed)
                                     : !less(A, B, Signed);
  if (!C.Next)
    return First;
  return C.Join == "and" ? First && holds(*C.Next) : First || holds(*C.Next);
}

bool Interpreter::loop(const Statement &S) {
  uint64_t Bound = value(*S.Index);
  bool Running = true;
  for (uint64_t K = 0; Running && less(K, Bound, S.Signed); ++K) {
    Counters.push_back(K);
    Running = run(S.Body);
    Counters.pop_back();
  }
  return Running;
}

bool Interpreter::run(const std::vector<Statement> &Body) {
  for (const Statement &S : Body) {
    if (S.What == Statement::Access) {
      uint64_t Index = value(*S.Index);
      To[S.Number].insert(S.Signed ? asSigned(Index, Width)
                                   : static_cast<int64_t>(Index));
    } else if (S.What == Statement::Loop) {
      if (!loop(S))
        return false;
    } else if (holds(*S.When)) {
      if (!run(S.Body) || S.What == Statement::ReturnIf)
        return false;
    }
  }
  return true;
}

} // namespace

RandomKernel::RandomKernel(uint32_t Seed) : Random(Seed) {
  constexpr unsigned Widths[] = {8, 16, 32};
  Width = Widths[pick(3)];
  do
    Statements = body(0, 0);
  while (AccessCount == 0);
}

std::unique_ptr<Expression> RandomKernel::expression(unsigned Depth,
                                                     unsigned Loops) {
  auto E = std::make_unique<Expression>();
  if (Depth == 0 || pick(4) == 0) {
    E->What = static_cast<Expression::Operation>(pick(Loops ? 7 : 6));
    E->Value = E->What == Expression::Constant  ? int64_t(pick(12)) - 4
               : E->What == Expression::Counter ? pick(Loops)
                                                : pick(2);
    return E;
  }
  constexpr Expression::Operation Operations[] = {
      Expression::Add,      Expression::Add,      Expression::Add,
      Expression::Subtract, Expression::Multiply, Expression::Multiply,
      Expression::Multiply, Expression::ShiftLeft};
  E->What = pick(20) == 0 ? Expression::Mask : Operations[pick(8)];
  E->Left = expression(Depth - 1, Loops);
  if (E->What == Expression::ShiftLeft)
    E->Value = 1 + pick(2);
  else if (E->What == Expression::Mask)
    E->Value = 7;
  else
    E->Right = expression(Depth - 1, Loops);
  return E;
}

std::unique_ptr<Condition> RandomKernel::condition(unsigned Loops,
                                                   bool MayJoin) {
  auto C = std::make_unique<Condition>();
  C->Predicate = Predicates[pick(10)];
  C->Left = expression(2, Loops);
  C->Right = expression(1, Loops);
  if (MayJoin && pick(2)) {
    C->Join = pick(3) ? "and" : "or";
    C->Next = condition(Loops, false);
  }
  return C;
}

std::vector<Statement> RandomKernel::body(unsigned Depth, unsigned Loops) {
  std::vector<Statement> Result;
  for (unsigned I = 0, Count = 1 + pick(2); I < Count; ++I) {
    Statement S;
    S.Signed = pick(3) != 0;
    unsigned Shape = Depth == 3 ? 0 : pick(6);
    S.What = Shape < 2   ? Statement::Access
             : Shape < 4 ? Statement::If
             : Shape < 5 ? Statement::ReturnIf
                         : Statement::Loop;
    if (S.What == Statement::Loop && Loops == 2)
      S.What = Statement::If;
    if (S.What == Statement::Access) {
      S.Number = AccessCount++;
      S.Index = expression(3, Loops);
    } else if (S.What == Statement::Loop) {
      S.Signed = true;
      S.Index = expression(0, Loops);
      S.Body = body(Depth + 1, Loops + 1);
    } else {
      S.When = condition(Loops, true);
      if (S.What == Statement::If)
        S.Body = body(Depth + 1, Loops);
    }
    Result.push_back(std::move(S));
  }
  return Result;
}

std::string RandomKernel::text() const {
  return Writer(Width).write(Statements, AccessCount);
}

RandomLaunch RandomKernel::launch() {
  RandomLaunch L;
  L.Grid = {1 + pick(4), 1 + pick(3), 1};
  L.Block = {1 + pick(6), 1 + pick(4), 1};
  for (int64_t &Scalar : L.Scalars)
    Scalar = int64_t(pick(24)) - 6;
  return L;
}

std::map<unsigned, std::set<int64_t>> RandomKernel::run(const RandomLaunch &L,
                                                        uint64_t B) const {
  std::map<unsigned, std::set<int64_t>> Touched;
  for (uint64_t T = 0; T < L.Block.count(); ++T)
    Interpreter(L, Width, blockOf(B, L.Grid), blockOf(T, L.Block), Touched)
        .run(Statements);
  return Touched;
}

} // namespace blockmaestro::randomir
