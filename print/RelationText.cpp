// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RelationText.h"

#include "blockmaestro/BlockGraph.h"

#include <algorithm>

namespace blockmaestro {

static constexpr const char *Axis[] = {"x", "y", "z"};

std::string hazardsText(uint8_t Hazards) {
  static constexpr struct {
    uint8_t Bit;
    const char *Name;
  } Names[] = {{HazardRAW, "RAW"}, {HazardWAR, "WAR"}, {HazardWAW, "WAW"}};
  std::string Text;
  for (const auto &Name : Names)
    if (Hazards & Name.Bit)
      Text += (Text.empty() ? "" : "+") + std::string(Name.Name);
  return Text.empty() ? "none" : Text;
}

/// One more than the last dimension that is not 1; at least 1.
static unsigned dimensions(Dim3 Grid) {
  return Grid.Z != 1 ? 3 : Grid.Y != 1 ? 2 : 1;
}

std::string gridText(Dim3 Grid) {
  std::string Text = std::to_string(Grid.X);
  for (unsigned J = 1; J < dimensions(Grid); ++J)
    Text += "x" + std::to_string(Grid[J]);
  return Text;
}

std::string blockText(uint64_t Linear, Dim3 Grid) {
  unsigned Count = dimensions(Grid);
  if (Count == 1)
    return std::to_string(Linear);
  Dim3 Block = blockOf(Linear, Grid);
  std::string Text = "(";
  for (unsigned J = 0; J < Count; ++J)
    Text += (J ? "," : "") + std::to_string(Block[J]);
  return Text + ")";
}

/// "2*c.x-c.y+3"
static std::string sumText(const EncodedRow &Row, int64_t Constant) {
  std::string Text;
  auto Add = [&](int64_t Value, const std::string &Factor) {
    int64_t Size = Value < 0 ? -Value : Value;
    Text += Value < 0 ? "-" : Text.empty() ? "" : "+";
    if (Factor.empty() || Size != 1)
      Text += std::to_string(Size) + (Factor.empty() ? "" : "*");
    Text += Factor;
  };
  for (int J = 0; J < 3; ++J)
    if (Row.A[J])
      Add(Row.A[J], std::string("c.") + Axis[J]);
  if (Constant || Text.empty())
    Add(Constant, "");
  return Text;
}

static std::string boundText(const EncodedRow &Row, int64_t Constant) {
  std::string Sum = sumText(Row, Constant);
  return Row.D == 1 ? Sum
                    : "floor((" + Sum + ")/" + std::to_string(Row.D) + ")";
}

/// "p.x = c.x" or "p.x in [c.x-1, c.x+1]"
static std::string rowText(const EncodedRow &Row, int J) {
  std::string Text = std::string("p.") + Axis[J];
  if (Row.Low == Row.High)
    return Text + " = " + boundText(Row, Row.Low);
  return Text + " in [" + boundText(Row, Row.Low) + ", " +
         boundText(Row, Row.High) + "]";
}

static std::string boxText(const int32_t Low[3], const int32_t High[3],
                           unsigned Dimensions) {
  std::string Text;
  for (unsigned J = 0; J < Dimensions; ++J)
    Text += (J ? "x[" : "[") + std::to_string(Low[J]) + ".." +
            std::to_string(High[J]) + "]";
  return Text;
}

std::string toText(const EncodedPiece &P, Dim3 ProducerGrid,
                   Dim3 ConsumerGrid) {
  unsigned Count = std::max(dimensions(ProducerGrid), dimensions(ConsumerGrid));
  std::string Text;
  bool WholeProducer = true;
  for (unsigned J = 0; J < Count; ++J) {
    if (ProducerGrid[J] != 1 || ConsumerGrid[J] != 1)
      Text += (Text.empty() ? "" : ", ") + rowText(P.Rows[J], int(J));
    WholeProducer &= P.ProducerLow[J] == 0 &&
                     int64_t(P.ProducerHigh[J]) + 1 == ProducerGrid[J];
  }
  if (Text.empty())
    Text = rowText(P.Rows[0], 0);
  Text += " for c in " +
          boxText(P.ConsumerLow, P.ConsumerHigh, dimensions(ConsumerGrid));
  if (!WholeProducer)
    Text += ", p in " +
            boxText(P.ProducerLow, P.ProducerHigh, dimensions(ProducerGrid));
  return Text;
}

} // namespace blockmaestro
