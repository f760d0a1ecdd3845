// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the emulator's tests share: the compiled kernels as a
// ModuleRecord and launches of them with typed arguments.

#ifndef BLOCKMAESTRO_TEST_UNIT_EMULATOR_KERNELFIXTURE_H
#define BLOCKMAESTRO_TEST_UNIT_EMULATOR_KERNELFIXTURE_H

#include "Emulator.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>

namespace blockmaestro {

class KernelFixture : public testing::Test {
protected:
  void SetUp() override {
    setenv("BLOCKMAESTRO_CACHE", "off", 1);
    std::ifstream In(BM_DEVICE_CODE, std::ios::binary);
    Module.Source = "kernels.cu";
    Module.Architecture = "sm_90";
    Module.Bitcode.assign(std::istreambuf_iterator<char>(In), {});
    Module.Kernels.reserve(MaxKernels);
    ASSERT_FALSE(Module.Bitcode.empty());
    Device.reset(blockmaestroMakeEmulator());
    ASSERT_NE(Device, nullptr);
    ASSERT_TRUE(Device->addModules({&Module}).ok());
  }

  /// A launch of the kernel \p Symbol whose parameters have the types given.
  template <typename... Types>
  Launch launch(const std::string &Symbol, Dim3 Grid, Dim3 Block,
                const Types &...Values) {
    EXPECT_LT(Module.Kernels.size(), MaxKernels);
    KernelRecord Record;
    Record.Symbol = Record.Name = Symbol;
    Launch L;
    (append(Record, L, Values), ...);
    Record.ArgumentBytes = L.Arguments.size();
    L.Kernel = known(Record);
    L.Grid = Grid;
    L.Block = Block;
    return L;
  }

  /// Runs all blocks, the last one first.
  void runAll(const Launch &L) {
    Status Ready = Device->prepare(L);
    ASSERT_TRUE(Ready.ok()) << Ready.message();
    for (uint64_t Block = L.Grid.count(); Block-- > 0;) {
      Status S = Device->run(L, Block, 0, nullptr);
      ASSERT_TRUE(S.ok()) << S.message();
    }
  }

  ModuleRecord Module;
  std::unique_ptr<Emulator> Device;

private:
  static constexpr size_t MaxKernels = 64;

  /// The module's record like \p Record, added if it has none.
  const KernelRecord *known(const KernelRecord &Record) {
    for (const KernelRecord &K : Module.Kernels)
      if (K.Symbol == Record.Symbol &&
          K.Parameters.size() == Record.Parameters.size() &&
          K.ArgumentBytes == Record.ArgumentBytes)
        return &K;
    Module.Kernels.push_back(Record);
    return &Module.Kernels.back();
  }

  template <typename T>
  static void append(KernelRecord &Record, Launch &L, const T &Value) {
    size_t At = (L.Arguments.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    L.Arguments.resize(At + sizeof(T));
    std::memcpy(L.Arguments.data() + At, &Value, sizeof(T));
    Record.Parameters.push_back({uint32_t(At), sizeof(T), alignof(T),
                                 std::is_pointer_v<T>, std::is_class_v<T>});
  }
};

} // namespace blockmaestro

#endif
