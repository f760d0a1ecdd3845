// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IslSets.h"

#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace blockmaestro::soundness {

namespace {

constexpr unsigned long MostOperations = 2000000;
constexpr uint64_t MostPoints = 5000;
constexpr std::chrono::seconds MostTime{2};

/// Writes the set { [o] : exists threads, counters, quotients : ... } in isl's
/// own notation.
class SetText {
public:
  SetText(const Instance &I, const Access &A, Dim3 Block)
      : I(I), F(I.footprint()), A(A), Block(Block) {}

  /// None when something is not affine.
  std::optional<std::string> write();

private:
  std::string name(uint16_t Id) const { return "x" + std::to_string(Id); }
  /// P over the names of the variables.
  std::string sum(const Polynomial &P);
  void say(const std::string &What) {
    Text += (Text.empty() ? "" : " and ") + What;
  }
  void describe(uint16_t Id);

  const Instance &I;
  const Footprint &F;
  const Access &A;
  Dim3 Block;
  std::string Text;
  bool Affine = true;
};

std::string digits(Wide Value) {
  if (Value < 0)
    return "-" + digits(-Value);
  std::string Low(1, char('0' + int(Value % 10)));
  return Value < 10 ? Low : digits(Value / 10) + Low;
}

std::string SetText::sum(const Polynomial &P) {
  Reduced R = I.reduce(P);
  Affine &= R.Usable;
  std::string Out = "0";
  for (const Reduced::Term &T : R.Terms) {
    Wide Coefficient = T.Coefficient;
    std::string Variable;
    for (uint16_t Id : T.Factors) {
      const Symbol &S = F.Symbols[Id];
      if (S.Kind == SymbolKind::BlockIdx) {
        Coefficient *= Block[S.Dimension];
        continue;
      }
      Affine &= Variable.empty();
      Variable = "*" + name(Id);
    }
    Out += " + " + digits(Coefficient) + Variable;
  }
  return Out;
}

void SetText::describe(uint16_t Id) {
  const Symbol &S = F.Symbols[Id];
  if (S.Kind == SymbolKind::ThreadIdx) {
    say("0 <= " + name(Id) + " < " +
        std::to_string(I.launch().Block[S.Dimension]));
  } else if (S.Kind == SymbolKind::Counter) {
    Affine &= I.extent(S.Index).has_value();
    say("0 <= " + name(Id) + " < " +
        std::to_string(I.extent(S.Index).value_or(0)));
  } else if (S.Kind == SymbolKind::Quotient) {
    std::string Numerator = sum(F.Quotients[S.Index].Numerator);
    Reduced D = I.reduce(F.Quotients[S.Index].Denominator);
    Affine &= D.Terms.size() == 1 && D.Terms[0].Factors.empty();
    if (!Affine)
      return;
    std::string By = digits(D.Terms[0].Coefficient);
    say(By + "*" + name(Id) + " <= " + Numerator);
    say(Numerator + " <= " + By + "*" + name(Id) + " + " + By + " - 1");
  } else {
    Affine = false;
  }
}

std::optional<std::string> SetText::write() {
  std::vector<bool> Used(F.Symbols.size());
  I.use(A.Offset, Used);
  for (const Constraint &C : A.Domain)
    I.use(C.Value, Used);
  std::string Names;
  for (uint16_t Id = 0; Id < Used.size(); ++Id) {
    if (!Used[Id] || I.isNumber(Id) ||
        F.Symbols[Id].Kind == SymbolKind::BlockIdx)
      continue;
    Names += (Names.empty() ? "" : ", ") + name(Id);
    describe(Id);
  }
  for (const Constraint &C : A.Domain)
    say(sum(C.Value) + (C.Equality ? " = 0" : " >= 0"));
  say("o = " + sum(A.Offset));
  if (!Affine)
    return std::nullopt;
  return "{ [o] : " +
         (Names.empty() ? Text : "exists " + Names + " : " + Text) + " }";
}

struct Gathered {
  Bytes Set;
  uint64_t Points = 0;
  uint32_t ElementBytes = 0;
};

isl_stat gather(isl_point *Point, void *User) {
  auto &To = *static_cast<Gathered *>(User);
  isl_val *V = isl_point_get_coordinate_val(Point, isl_dim_set, 0);
  int64_t First = isl_val_get_num_si(V);
  isl_val_free(V);
  isl_point_free(Point);
  To.Set.add(First, First + To.ElementBytes - 1);
  return ++To.Points > MostPoints ? isl_stat_error : isl_stat_ok;
}

/// Lets isl give up after a while: with numbers of thousands of digits few
/// operations take hours.
class TimeLimit {
public:
  explicit TimeLimit(isl_ctx *Context)
      : Watch([Context](const std::stop_token &Done) {
          std::mutex Lock;
          std::unique_lock<std::mutex> Held(Lock);
          std::condition_variable_any Never;
          if (!Never.wait_for(Held, Done, MostTime,
                              [&] { return Done.stop_requested(); }))
            isl_ctx_abort(Context);
        }) {}

private:
  std::jthread Watch;
};

} // namespace

std::optional<Bytes> bytesByIsl(const Instance &I, const Access &A,
                                Dim3 Block) {
  std::optional<std::string> Text = SetText(I, A, Block).write();
  if (!Text)
    return std::nullopt;
  isl_ctx *Context = isl_ctx_alloc();
  isl_options_set_on_error(Context, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(Context, MostOperations);
  isl_set *Set = isl_set_read_from_str(Context, Text->c_str());
  Gathered Found;
  Found.ElementBytes = A.ElementBytes;
  bool Done = false;
  {
    const TimeLimit Short(Context);
    Done = Set && isl_set_foreach_point(Set, gather, &Found) == isl_stat_ok;
  }
  isl_set_free(Set);
  isl_ctx_free(Context);
  if (!Done)
    return std::nullopt;
  Found.Set.normalise();
  return std::move(Found.Set);
}

} // namespace blockmaestro::soundness
