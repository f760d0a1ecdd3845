// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Google Benchmark's main, with --kernels=FILE, once or more, for objects or
// programs that have the kernels of benchmarks/launches.cu and benchmarks/lu.

#include "GoalBenchmark.h"
#include "ObjectMetadata.h"

#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace blockmaestro;

/// The values of --kernels, taken out of the arguments.
static std::vector<std::string> takePrograms(int &Count, char **Arguments) {
  constexpr std::string_view Name = "--kernels=";
  std::vector<std::string> Files;
  char **End = std::remove_if(Arguments + 1, Arguments + Count,
                              [&](std::string_view Each) {
                                const bool Mine = Each.starts_with(Name);
                                if (Mine)
                                  Files.emplace_back(Each.substr(Name.size()));
                                return Mine;
                              });
  *End = nullptr;
  Count = int(End - Arguments);
  return Files;
}

int main(int Count, char **Arguments) {
  std::vector<ModuleRecord> Records;
  const std::vector<std::string> Files = takePrograms(Count, Arguments);
  for (const std::string &File : Files) {
    llvm::Expected<std::vector<ModuleRecord>> Read = readObject(File);
    if (!Read) {
      llvm::errs() << "bm-launch-benchmark: error: "
                   << llvm::toString(Read.takeError()) << "\n";
      return 1;
    }
    Records.insert(Records.end(), std::make_move_iterator(Read->begin()),
                   std::make_move_iterator(Read->end()));
  }
  if (!Files.empty() && !registerCompiled(Records)) {
    llvm::errs() << "bm-launch-benchmark: error: neither the stencil nor the "
                    "blocked LU is in the files of --kernels\n";
    return 1;
  }
  benchmark::Initialize(&Count, Arguments);
  if (benchmark::ReportUnrecognizedArguments(Count, Arguments))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
