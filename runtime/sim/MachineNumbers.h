// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the numbers of a machine by their names, as its file, --set and
// Python's dictionaries give them, and the range that each has.
// On the data's way: from a name and a number to Machine.h.
// Invariants: a number out of its range, or of an unknown name, leaves the
// machine as it is. Ownership and threads: plain values, no state.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MACHINENUMBERS_H
#define BLOCKMAESTRO_RUNTIME_SIM_MACHINENUMBERS_H

#include "Machine.h"
#include "blockmaestro/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockmaestro::sim {

/// A number as users see it.
struct MachineNumber {
  std::string Name;
  uint64_t Value = 0;
  uint64_t Least = 0;
  uint64_t Most = 0;
};

/// All numbers of a machine, in the order of Machine.h.
std::vector<MachineNumber> machineNumbers(const Machine &Of);

/// Whether there is a number of this name; the message is for users.
Status checkMachineNumber(std::string_view Name);

/// Sets one; \p Value is none where what was given is no such number.
Status setMachineNumber(Machine &To, std::string_view Name,
                        std::optional<uint64_t> Value);

} // namespace blockmaestro::sim

#endif
