// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Energy.h"

#include <array>

namespace blockmaestro::sim {

static constexpr double FjInUj = 1e9;
static constexpr uint64_t WavefrontBytes = 128;

bool hasEnergies(const Machine &On) {
  return On.Warps.Energy.Issue > 0 || On.Warps.Energy.StaticMilliwatts > 0;
}

/// Of the lanes that a unit has executed. Loads and stores take their registers
/// here and the rest by bytes.
static double laneEnergy(const SmCounts &Of, const EnergyNumbers &By) {
  const std::array<uint32_t, UnitCount> Each = {
      By.Integer,    By.Single, By.Double, By.Integer, By.Special,
      By.Conversion, By.Matrix, 0,         0};
  double Out = 0;
  for (unsigned I = 0; I < unsigned(Unit::None); ++I)
    Out += double(Of.LanesOn[I]) * (double(By.Operands) + Each[I]);
  return Out;
}

double activityEnergy(const WarpCounts &Of, const Machine &On) {
  const EnergyNumbers &By = On.Warps.Energy;
  const double Sector = On.Warps.CacheSectorBytes;
  const double Shared = double(Of.Executed.Wavefronts * WavefrontBytes);
  const double L1 = double(Of.L1.Reads) * Sector;
  const double L2 = double(Of.L2.Reads + Of.L2.Writes + Of.L2.Atomics) * Sector;
  const double Dram = double(Of.Dram.Reads + Of.Dram.Writes) * Sector;
  return (double(Of.Executed.Instructions) * By.Issue +
          laneEnergy(Of.Executed, By) + (Shared + L1) * By.L1Byte +
          L2 * By.L2Byte + Dram * By.DramByte) /
         FjInUj;
}

double staticEnergy(uint64_t Cycles, const Machine &On) {
  const double Us = double(Cycles) / On.ClockMHz;
  return Us * On.Warps.Energy.StaticMilliwatts / 1000;
}

} // namespace blockmaestro::sim
