// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "emulated/memory/DeviceHeap.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace blockmaestro;

namespace {

/// Writes down what it is told, and keeps memory when asked to.
struct Diary final : HeapListener {
  std::vector<std::string> Lines;
  std::vector<uint64_t> Kept;
  bool Keeps = false;

  void allocated(uint64_t, uint64_t Bytes, const char *Call) override {
    Lines.push_back(std::string(Call) + " " + std::to_string(Bytes));
  }
  bool released(uint64_t Base, const char *Call) override {
    Lines.push_back(std::string("-") + Call);
    if (Keeps)
      Kept.push_back(Base);
    return Keeps;
  }
  void badRelease(uint64_t, const char *Call) override {
    Lines.push_back(std::string("!") + Call);
  }
};

HeapRequest request(HeapKind Kind, size_t Bytes) {
  HeapRequest Out;
  Out.Kind = Kind;
  Out.Bytes = Bytes;
  return Out;
}

} // namespace

TEST(Heap, CountsOnlyMemoryOfTheDevice) {
  DeviceHeap Heap(1000);
  void *A = nullptr, *B = nullptr, *C = nullptr;
  ASSERT_EQ(Heap.allocate(HeapKind::Device, 600, &A), cudaSuccess);
  ASSERT_EQ(Heap.allocate(HeapKind::Host, 600, &B), cudaSuccess);
  EXPECT_EQ(Heap.free(), 400u);
  EXPECT_EQ(Heap.allocate(HeapKind::Managed, 401, &C),
            cudaErrorMemoryAllocation);
  EXPECT_EQ(C, nullptr);
  EXPECT_EQ(Heap.allocate(HeapKind::Managed, 400, &C), cudaSuccess);
  EXPECT_EQ(Heap.free(), 0u);
  EXPECT_EQ(Heap.allocate(HeapKind::Host, size_t(-8), &A),
            cudaErrorMemoryAllocation);
}

TEST(Heap, MemoryIsReleasedByTheCallOfItsKind) {
  DeviceHeap Heap(1000);
  void *A = nullptr, *B = nullptr, *C = nullptr;
  ASSERT_EQ(Heap.allocate(HeapKind::Device, 10, &A), cudaSuccess);
  ASSERT_EQ(Heap.allocate(HeapKind::Host, 10, &B), cudaSuccess);
  ASSERT_EQ(Heap.allocate(HeapKind::Managed, 10, &C), cudaSuccess);
  EXPECT_EQ(Heap.release(HeapKind::Host, A), cudaErrorInvalidValue);
  EXPECT_EQ(Heap.release(HeapKind::Device, B), cudaErrorInvalidValue);
  EXPECT_EQ(Heap.release(HeapKind::Device, static_cast<char *>(A) + 1),
            cudaErrorInvalidValue);
  EXPECT_EQ(Heap.release(HeapKind::Device, A), cudaSuccess);
  EXPECT_EQ(Heap.release(HeapKind::Device, A), cudaErrorInvalidValue);
  EXPECT_EQ(Heap.release(HeapKind::Host, B), cudaSuccess);
  EXPECT_EQ(Heap.release(HeapKind::Device, C), cudaSuccess);
  EXPECT_EQ(Heap.release(HeapKind::Device, nullptr), cudaSuccess);
  EXPECT_EQ(Heap.free(), 1000u);
}

TEST(Heap, FindsTheAreaOfAnAddress) {
  DeviceHeap Heap(1000);
  void *A = nullptr;
  HeapRequest What = request(HeapKind::Host, 100);
  What.Flags = 7;
  ASSERT_EQ(Heap.allocate(What, &A), cudaSuccess);
  char *Bytes = static_cast<char *>(A);
  ASSERT_TRUE(Heap.find(Bytes + 99));
  EXPECT_EQ(Heap.find(Bytes + 99)->Flags, 7u);
  EXPECT_FALSE(Heap.find(Bytes + 100));
  EXPECT_FALSE(Heap.find(Bytes - 1));
  EXPECT_TRUE(Heap.holds(Bytes + 40, 60));
  EXPECT_FALSE(Heap.holds(Bytes + 40, 61));
  EXPECT_TRUE(Heap.overruns(Bytes + 40, 61));
  EXPECT_FALSE(Heap.overruns(Bytes + 100, 61));
  EXPECT_TRUE(Heap.isHost(A));
  EXPECT_FALSE(Heap.isDeviceOnly(A));
}

TEST(Heap, RegisteredMemoryStaysTheCallers) {
  DeviceHeap Heap(1000);
  std::vector<char> Mine(300);
  char *At = Mine.data();
  ASSERT_EQ(Heap.add(At + 100, 100, 2), cudaSuccess);
  EXPECT_EQ(Heap.add(At + 100, 100, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(Heap.add(At + 150, 100, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(Heap.add(At, 101, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(Heap.add(At, 300, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(Heap.add(At, 100, 0), cudaSuccess);
  EXPECT_EQ(Heap.add(nullptr, 100, 0), cudaErrorInvalidValue);
  EXPECT_EQ(Heap.add(At + 200, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(Heap.add(At + 200, size_t(-1), 0), cudaErrorInvalidValue);
  EXPECT_TRUE(Heap.isHost(At + 199));
  EXPECT_EQ(Heap.release(HeapKind::Registered, At + 100), cudaSuccess);
  EXPECT_FALSE(Heap.find(At + 100));
  Mine[150] = 1;
  void *Device = nullptr;
  ASSERT_EQ(Heap.allocate(HeapKind::Device, 100, &Device), cudaSuccess);
  EXPECT_EQ(Heap.add(Device, 10, 0), cudaErrorInvalidValue);
}

TEST(Heap, WhatIsRetiredIsReleasedOnce) {
  DeviceHeap Heap(1000);
  void *A = nullptr;
  ASSERT_EQ(Heap.allocate(HeapKind::Device, 100, &A), cudaSuccess);
  uint64_t Id = Heap.find(A)->Id;
  EXPECT_EQ(Heap.retire(A, "cudaFreeAsync"), cudaSuccess);
  EXPECT_EQ(Heap.retire(A, "cudaFreeAsync"), cudaErrorInvalidValue);
  EXPECT_TRUE(Heap.holds(A, 100));
  Heap.keepRetired(A);
  EXPECT_EQ(Heap.retire(A, "cudaFreeAsync"), cudaSuccess);
  EXPECT_FALSE(Heap.releaseRetired(A, Id + 1));
  EXPECT_TRUE(Heap.releaseRetired(A, Id));
  EXPECT_FALSE(Heap.releaseRetired(A, Id));
  EXPECT_EQ(Heap.free(), 1000u);
}

TEST(Heap, TellsItsListenerOfEveryChange) {
  DeviceHeap Heap(1000);
  Diary Told;
  Heap.listen(&Told);
  void *A = nullptr, *B = nullptr, *C = nullptr;
  HeapRequest What = request(HeapKind::Device, 100);
  What.Call = "cudaMallocPitch";
  ASSERT_EQ(Heap.allocate(What, &A), cudaSuccess);
  ASSERT_EQ(Heap.allocate(HeapKind::Device, 0, &B), cudaSuccess);
  EXPECT_EQ(Heap.release(HeapKind::Host, A, "cudaFreeHost"),
            cudaErrorInvalidValue);
  EXPECT_EQ(Heap.release(HeapKind::Device, A, "cudaFree"), cudaSuccess);
  ASSERT_EQ(Heap.allocate(HeapKind::Host, 5, &C), cudaSuccess);
  Heap.clear();
  EXPECT_EQ(Told.Lines, (std::vector<std::string>{
                            "cudaMallocPitch 100", "!cudaFreeHost", "-cudaFree",
                            "cudaMalloc 5", "-cudaDeviceReset"}));
}

TEST(Heap, AListenerMayKeepMemory) {
  DeviceHeap Heap(1000);
  Diary Told;
  Told.Keeps = true;
  Heap.listen(&Told);
  void *A = nullptr;
  ASSERT_EQ(Heap.allocate(HeapKind::Device, 100, &A), cudaSuccess);
  ASSERT_EQ(Heap.release(HeapKind::Device, A), cudaSuccess);
  ASSERT_EQ(Told.Kept.size(), 1u);
  EXPECT_EQ(Told.Kept[0], reinterpret_cast<uint64_t>(A));
  static_cast<char *>(A)[99] = 3;
  Heap.reclaim(Told.Kept[0]);
}
