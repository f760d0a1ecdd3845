// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AbsentCalls.h"
#include "ErrorText.h"
#include "InstallPaths.h"
#include "Notes.h"
#include "emulated/memory/DeviceHeap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using namespace blockmaestro;

namespace {

TEST(DeviceHeap, AlignsCountsAndReleases) {
  DeviceHeap Heap(1000);
  void *A = nullptr, *B = nullptr;
  ASSERT_EQ(Heap.allocate(HeapKind::Device, 100, &A), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(A) % 256, 0u);
  EXPECT_EQ(Heap.free(), 900u);
  EXPECT_EQ(Heap.allocate(HeapKind::Device, 901, &B),
            cudaErrorMemoryAllocation);
  EXPECT_EQ(B, nullptr);
  EXPECT_EQ(Heap.allocate(HeapKind::Device, SIZE_MAX, &B),
            cudaErrorMemoryAllocation);
  EXPECT_EQ(Heap.release(HeapKind::Host, A), cudaErrorInvalidValue);
  EXPECT_EQ(Heap.release(HeapKind::Device, static_cast<char *>(A) + 1),
            cudaErrorInvalidValue);
  EXPECT_EQ(Heap.release(HeapKind::Device, A), cudaSuccess);
  EXPECT_EQ(Heap.release(HeapKind::Device, A), cudaErrorInvalidValue);
  EXPECT_EQ(Heap.free(), 1000u);
}

TEST(DeviceHeap, NothingAndNullAsInCuda) {
  DeviceHeap Heap(1000);
  void *A = &Heap;
  EXPECT_EQ(Heap.allocate(HeapKind::Device, 0, &A), cudaSuccess);
  EXPECT_EQ(A, nullptr);
  EXPECT_EQ(Heap.allocate(HeapKind::Device, 1, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(Heap.release(HeapKind::Device, nullptr), cudaSuccess);
}

TEST(DeviceHeap, KnowsWhatLiesInside) {
  DeviceHeap Heap(1000);
  void *A = nullptr;
  ASSERT_EQ(Heap.allocate(HeapKind::Device, 100, &A), cudaSuccess);
  char *Bytes = static_cast<char *>(A);
  EXPECT_TRUE(Heap.holds(Bytes, 100));
  EXPECT_TRUE(Heap.holds(Bytes + 99, 1));
  EXPECT_FALSE(Heap.holds(Bytes + 99, 2));
  EXPECT_FALSE(Heap.holds(Bytes + 100, 1));
  EXPECT_TRUE(Heap.overruns(Bytes + 99, 2));
  EXPECT_FALSE(Heap.overruns(Bytes + 100, 2));
  EXPECT_FALSE(Heap.holds(&Heap, 1));
}

TEST(Notes, AreSortedAndCounted) {
  Notes Reasons;
  Reasons.add("b", "second");
  Reasons.add("a", "first");
  Reasons.add("b", "second");
  Reasons.add("", "of the program");
  EXPECT_EQ(Reasons.text(), "BlockMaestro: of the program\n"
                            "BlockMaestro: a: first\n"
                            "BlockMaestro: b: second (2 times)\n");
}

TEST(ErrorText, IsCudas) {
  EXPECT_STREQ(errorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  EXPECT_STREQ(errorText(cudaErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(errorText(cudaSuccess), "no error");
  EXPECT_STREQ(errorName(static_cast<cudaError_t>(12345)),
               "unrecognized error code");
}

TEST(AbsentCalls, AreNotedOnceWithTheirReason) {
  cudaError_t (*Call)(cudaLibrary_t) = nullptr;
  Call =
      absentCall<ApiCall::cudaLibraryUnload, AbsentFrom::EmulatedDevice>(Call);
  EXPECT_EQ(Call(nullptr), cudaErrorNotSupported);
  EXPECT_EQ(Call(nullptr), cudaErrorNotSupported);
  std::vector<std::string> Noted = absentCalls();
  EXPECT_EQ(std::count_if(Noted.begin(), Noted.end(),
                          [](const std::string &Each) {
                            return Each.rfind("cudaLibraryUnload is not on the "
                                              "emulated device: code cannot",
                                              0) == 0;
                          }),
            1);
}

TEST(AbsentCalls, OfAnOlderRuntimeSaySo) {
  cudaError_t (*Call)(int) = nullptr;
  Call = absentCall<ApiCall::cudaSetDevice, AbsentFrom::CudaRuntime>(Call);
  EXPECT_EQ(Call(0), cudaErrorNotSupported);
  std::vector<std::string> Noted = absentCalls();
  EXPECT_EQ(std::count(Noted.begin(), Noted.end(),
                       "cudaSetDevice is not in the installed CUDA runtime"),
            1);
}

TEST(Places, OwnFolderIsThatOfThisProgram) {
  std::filesystem::path Program =
      std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_TRUE(std::filesystem::equivalent(ownFolder(), Program.parent_path()));
  EXPECT_EQ(ownFolder().back(), '/');
}

TEST(Places, TheUsersToolkitComesBeforeOurs) {
  const char *Home = std::getenv("CUDA_HOME");
  std::string Kept = Home ? Home : "";
  setenv("CUDA_HOME", "/some/toolkit", 1);
  std::vector<std::string> Places = cudaLibraryPlaces();
  Home ? setenv("CUDA_HOME", Kept.c_str(), 1) : unsetenv("CUDA_HOME");

  auto Position = [&Places](const std::string &Text) {
    return std::find(Places.begin(), Places.end(), Text) - Places.begin();
  };
  EXPECT_EQ(Places.front(), "");
  EXPECT_EQ(Position("/some/toolkit/lib64/"), 1);
  EXPECT_LT(1, Position(ownFolder() + "../cuda/lib64/"));
  EXPECT_LT(Position(ownFolder() + "../cuda/lib64/"),
            Position("/usr/local/cuda/lib64/"));
  EXPECT_EQ(Places.back(), "/usr/local/cuda/lib64/");
}

} // namespace
