// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Walk.h"

#include <algorithm>

namespace blockmaestro::soundness {

constexpr unsigned MostSteps = 300000;
/// A variable of more values than this is not tried value by value.
constexpr Wide MostValues = 20000;
constexpr Wide Unbounded = Wide(1) << 62;

Walk::Walk(const Instance &I, const Access &A, Dim3 Block)
    : I(I), F(I.footprint()), A(A), Offset(I.reduce(A.Offset)),
      At(F.Symbols.size()), Left(MostSteps) {
  for (size_t Id = 0; Id < F.Symbols.size(); ++Id)
    if (F.Symbols[Id].Kind == SymbolKind::BlockIdx)
      At[Id] = Block[F.Symbols[Id].Dimension];
  std::vector<bool> Used(F.Symbols.size());
  I.use(A.Offset, Used);
  for (const Constraint &C : A.Domain)
    I.use(C.Value, Used);
  order(Used);
  for (const Constraint &C : A.Domain) {
    Condition Made{I.reduce(C.Value), C.Equality, std::nullopt};
    size_t Level = levelOf(C.Value);
    if (Level == 0) {
      Fixed.push_back(std::move(Made));
      continue;
    }
    Made.Of = lineIn(Made.Value, Variables[Level - 1].Id);
    Variables[Level - 1].Conditions.push_back(std::move(Made));
  }
  if (!Variables.empty())
    OffsetLine = lineIn(Offset, Variables.back().Id);
}

/// Whether everything the range of value symbol Id needs is in front of it.
bool Walk::follows(uint16_t Id, const std::vector<bool> &Placed) const {
  std::vector<bool> Needs(F.Symbols.size());
  I.use(F.Values[F.Symbols[Id].Index].Low, Needs);
  I.use(F.Values[F.Symbols[Id].Index].High, Needs);
  for (size_t Other = 0; Other < Needs.size(); ++Other)
    if (Needs[Other] && F.Symbols[Other].Kind == SymbolKind::Value &&
        !Placed[Other])
      return false;
  return true;
}

void Walk::order(const std::vector<bool> &Used) {
  for (SymbolKind Kind : {SymbolKind::ThreadIdx, SymbolKind::Counter})
    for (size_t Id = 0; Id < Used.size(); ++Id)
      if (Used[Id] && F.Symbols[Id].Kind == Kind)
        Variables.push_back({uint16_t(Id), {}});
  std::vector<bool> Placed(Used.size());
  for (size_t Round = 0; Round < F.Values.size(); ++Round)
    for (size_t Id = 0; Id < Used.size(); ++Id)
      if (Used[Id] && !Placed[Id] && F.Symbols[Id].Kind == SymbolKind::Value &&
          follows(Id, Placed)) {
        Placed[Id] = true;
        Variables.push_back({uint16_t(Id), {}});
      }
}

/// 1 + the place of the last variable in P, or 0.
size_t Walk::levelOf(const Polynomial &P) const {
  std::vector<bool> Used(F.Symbols.size());
  I.use(P, Used);
  for (size_t Level = Variables.size(); Level > 0; --Level)
    if (Used[Variables[Level - 1].Id])
      return Level;
  return 0;
}

std::optional<Walk::Line> Walk::lineIn(const Reduced &P, uint16_t Id) const {
  Line Out;
  Out.Slope.Usable = Out.Rest.Usable = P.Usable;
  for (Reduced::Term T : P.Terms) {
    for (uint16_t Factor : T.Factors) {
      if (F.Symbols[Factor].Kind != SymbolKind::Quotient)
        continue;
      std::vector<bool> Inside(F.Symbols.size());
      I.use(F.Quotients[F.Symbols[Factor].Index].Numerator, Inside);
      if (Inside[Id])
        return std::nullopt;
    }
    auto Times = std::count(T.Factors.begin(), T.Factors.end(), Id);
    if (Times > 1)
      return std::nullopt;
    std::erase(T.Factors, Id);
    (Times ? Out.Slope : Out.Rest).Terms.push_back(std::move(T));
  }
  return Out;
}

bool Walk::startRange(uint16_t Id, Wide &Low, Wide &High) {
  const Symbol &S = F.Symbols[Id];
  Low = 0;
  if (S.Kind == SymbolKind::ThreadIdx) {
    High = Wide(I.launch().Block[S.Dimension]) - 1;
  } else if (S.Kind == SymbolKind::Value) {
    Low = I.value(I.low(S.Index), At, Bad);
    High = I.value(I.high(S.Index), At, Bad);
  } else {
    std::optional<int64_t> Extent = I.extent(S.Index);
    Reduced Polynomial = I.reduce(F.CounterExtents[S.Index]);
    bool Number =
        std::all_of(Polynomial.Terms.begin(), Polynomial.Terms.end(),
                    [](const Reduced::Term &T) { return T.Factors.empty(); });
    // A bound that is no number of iterations may be taken too large.
    High = !Extent ? Unbounded : Wide(*Extent) - (Number ? 1 : 0);
    if (Extent && *Extent <= 0)
      High = -1;
  }
  return Low <= High;
}

bool Walk::met(const Condition &C) {
  Wide V = I.value(C.Value, At, Bad);
  return C.Equality ? V == 0 : V >= 0;
}

/// False when nothing is left.
bool Walk::clip(const Condition &C, Wide &Low, Wide &High) {
  Wide Slope = I.value(C.Of->Slope, At, Bad);
  Wide Rest = I.value(C.Of->Rest, At, Bad);
  if (Slope == 0)
    return C.Equality ? Rest == 0 : Rest >= 0;
  if (Slope > 0 || C.Equality)
    Low = std::max(Low, Slope > 0 ? -floorDivide(Rest, Slope)
                                  : -floorDivide(-Rest, -Slope));
  if (Slope < 0 || C.Equality)
    High = std::min(High, Slope < 0 ? floorDivide(Rest, -Slope)
                                    : floorDivide(-Rest, Slope));
  return Low <= High;
}

void Walk::addPoint() {
  Wide First = I.value(Offset, At, Bad);
  if (First < -Unbounded || First > Unbounded)
    Bad = true;
  else
    Out.Set.add(int64_t(First), int64_t(First) + A.ElementBytes - 1);
}

/// All of the last variable's values at once; false when they must be tried
/// one by one.
bool Walk::addAll(const Variable &V, Wide Low, Wide High) {
  bool Clipped = std::all_of(V.Conditions.begin(), V.Conditions.end(),
                             [](const Condition &C) { return C.Of; });
  if (!Clipped || !OffsetLine)
    return false;
  Wide Slope = I.value(OffsetLine->Slope, At, Bad);
  bool Dense = Slope <= A.ElementBytes && -Slope <= Wide(A.ElementBytes);
  if (!Dense && High - Low < MostValues)
    return false;
  Wide Rest = I.value(OffsetLine->Rest, At, Bad);
  Wide One = 0, Other = 0;
  Bad |= __builtin_mul_overflow(Slope, Low, &One) ||
         __builtin_mul_overflow(Slope, High, &Other);
  Wide From = std::min(One, Other) + Rest, To = std::max(One, Other) + Rest;
  if (From < -Unbounded || To > Unbounded) {
    Bad = true;
    return true;
  }
  Out.Loose |= !Dense;
  Out.Set.add(int64_t(From), int64_t(To) + A.ElementBytes - 1);
  return true;
}

void Walk::visit(size_t Level) {
  if (Bad || Left == 0 || --Left == 0)
    return;
  if (Level == Variables.size())
    return addPoint();
  const Variable &V = Variables[Level];
  Wide Low, High;
  if (!startRange(V.Id, Low, High))
    return;
  for (const Condition &C : V.Conditions)
    if (C.Of && !clip(C, Low, High))
      return;
  if (Level + 1 == Variables.size() && addAll(V, Low, High))
    return;
  if (High - Low >= MostValues) {
    Bad = true;
    return;
  }
  for (Wide Value = Low; Value <= High && !Bad && Left; ++Value) {
    At[V.Id] = Value;
    bool Inside =
        std::all_of(V.Conditions.begin(), V.Conditions.end(),
                    [&](const Condition &C) { return C.Of || met(C); });
    if (Inside)
      visit(Level + 1);
    else
      --Left;
  }
}

AccessBytes Walk::run() {
  for (const Condition &C : Fixed)
    if (!met(C))
      return Bad ? AccessBytes{Meaning::TooMany, false, {}} : std::move(Out);
  visit(0);
  if (Bad || Left == 0)
    return {Meaning::TooMany, false, {}};
  Out.Set.normalise();
  return std::move(Out);
}

} // namespace blockmaestro::soundness
