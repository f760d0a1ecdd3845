// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: reads a machine description, a JSON object of plain numbers.
// On the data's way: from machines/*.json to runtime/sim/Machine.h.
// Invariants: every key is known, every number is in a sensible range; a key
// left out keeps the default of Machine.h. What the file says of where its
// numbers are from is read by people only. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_MACHINEFILE_H
#define BLOCKMAESTRO_TOOLS_INPUTS_MACHINEFILE_H

#include "Machine.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro {

/// Name is a file, or the name of one in MachineFolder without its ending.
llvm::Expected<sim::Machine> readMachine(llvm::StringRef Name,
                                         llvm::StringRef MachineFolder);

/// The same with other numbers, each key=value, which its name then has too.
llvm::Expected<sim::Machine> readMachine(llvm::StringRef Name,
                                         llvm::ArrayRef<std::string> Keys,
                                         llvm::StringRef MachineFolder);

/// Sets one number of a machine, given as in its file: key=value.
llvm::Error setMachineKey(sim::Machine &To, llvm::StringRef KeyAndValue);

/// The machines in MachineFolder.
std::vector<std::string> machineNames(llvm::StringRef MachineFolder);

/// Where machines are installed, next to the running tool.
std::string machineFolder(const char *Argument0);

} // namespace blockmaestro

#endif
