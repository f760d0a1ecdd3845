// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Google Benchmark's main, with --lu=FILE for an object or program that has the
// kernels of benchmarks/lu.

#include "GoalBenchmark.h"
#include "ObjectMetadata.h"

#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string_view>

using namespace blockmaestro;

/// The value of --lu, taken out of the arguments; empty when there is none.
static std::string_view takeProgram(int &Count, char **Arguments) {
  constexpr std::string_view Name = "--lu=";
  auto Found =
      std::find_if(Arguments, Arguments + Count, [&](const char *Each) {
        return std::string_view(Each).starts_with(Name);
      });
  if (Found == Arguments + Count)
    return {};
  std::string_view Value = *Found;
  std::copy(Found + 1, Arguments + Count + 1, Found);
  --Count;
  return Value.substr(Name.size());
}

int main(int Count, char **Arguments) {
  std::vector<ModuleRecord> Records;
  if (std::string_view File = takeProgram(Count, Arguments); !File.empty()) {
    llvm::Expected<std::vector<ModuleRecord>> Read = readObject(File);
    if (!Read) {
      llvm::errs() << "bm-launch-benchmark: error: "
                   << llvm::toString(Read.takeError()) << "\n";
      return 1;
    }
    Records = std::move(*Read);
    for (const ModuleRecord &Each : Records)
      registerLU(Each);
  }
  benchmark::Initialize(&Count, Arguments);
  if (benchmark::ReportUnrecognizedArguments(Count, Arguments))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
