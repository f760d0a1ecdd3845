// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SchedulerNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

Expected<std::vector<Scheduler>> parseSchedulers(StringRef Names) {
  std::vector<Scheduler> Out;
  SmallVector<StringRef, 8> Each;
  Names.split(Each, ',');
  for (StringRef Name : Each) {
    std::vector<Scheduler> Found = schedulersNamed(Name);
    if (Found.empty())
      return createStringError("unknown scheduler '" + Name +
                               "'; 'bm-sim --help' lists them");
    append_range(Out, Found);
  }
  return Out;
}

std::vector<std::string> schedulerWords() {
  std::vector<std::string> Out = {"paper", "all"};
  for (const Scheduler &Each : schedulerFamilies())
    Out.push_back(Each.Name);
  return Out;
}

} // namespace blockmaestro
