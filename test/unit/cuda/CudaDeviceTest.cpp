// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What launches that keep the order of their stream are made of on a GPU.

#include "CudaDevice.h"
#include "FakeCuda.h"
#include "Registry.h"

#include <gtest/gtest.h>

namespace blockmaestro {
namespace {

class CudaDeviceTest : public testing::Test {
protected:
  CudaDeviceTest() {
    Library.Registration = fakeRegistration();
    Library.Calls = fakeRuntime();
    for (unsigned I = 0; I < 3; ++I)
      Kernels[I].Record = &P.Record.Kernels[I];
  }

  void open(ExecutorKind Kind) {
    Opened = makeCudaDevice(Library, 0, Options());
    ASSERT_TRUE(Opened->addModule(P.Module).ok());
    ASSERT_TRUE(Opened->makeExecutor({Kind}, 8, nullptr).ok());
  }

  LaunchRequest request(unsigned Number) {
    LaunchRequest Out;
    Out.Known = &Kernels[Number];
    Out.Stub = &P.Stubs[Number];
    Out.Grid = dim3(7, 2);
    Out.Block = dim3(64);
    return Out;
  }

  /// What a launch of the kernel becomes: the symbol, and a star where it may
  /// start early.
  std::string launched(const LaunchRequest &What) {
    Launches.clear();
    EXPECT_EQ(Opened->launchInOrder(What, Opened->formInOrder(What)),
              LaunchResult);
    if (Launches.size() != 1)
      return std::to_string(Launches.size()) + " launches";
    EXPECT_EQ(Launches[0].Config.gridDim.y, 2u);
    EXPECT_EQ(Launches[0].Config.dynamicSmemBytes, What.SharedBytes);
    EXPECT_EQ(Launches[0].Config.stream, What.Stream);
    std::string Out = "?";
    for (const Registered &Each : Functions)
      if (Each.Key == Launches[0].Key)
        Out = Each.Symbol;
    for (const cudaLaunchAttribute &Each : Launches[0].Attributes)
      Out += Each.id == cudaLaunchAttributeProgrammaticStreamSerialization &&
                     Each.val.programmaticStreamSerializationAllowed
                 ? "*"
                 : "?";
    return Out;
  }
  std::string launched(unsigned Number) { return launched(request(Number)); }

  Program P;
  Kernel Kernels[3];
  CudaLibrary Library;
  std::unique_ptr<Device> Opened;
};

TEST_F(CudaDeviceTest, PdlLaunchesVariantsEarly) {
  for (ExecutorKind Kind : {ExecutorKind::Pdl, ExecutorKind::Auto}) {
    open(Kind);
    EXPECT_EQ(launched(0), "a$bm_pdl*");
    EXPECT_EQ(launched(1), "b$bm_pdl*");
    EXPECT_EQ(launched(2), "c") << "has no variant";
  }
}

TEST_F(CudaDeviceTest, SerialLaunchesWhatTheProgramHas) {
  open(ExecutorKind::Serial);
  EXPECT_EQ(launched(0), "a");
}

TEST_F(CudaDeviceTest, OlderGpusLaunchWhatTheProgramHas) {
  Generation = 8;
  open(ExecutorKind::Auto);
  EXPECT_EQ(launched(0), "a");
  EXPECT_FALSE(Opened->offers({ExecutorKind::Pdl}).ok());
}

TEST_F(CudaDeviceTest, KernelsThatAreNotKnownOrDoubtedStay) {
  open(ExecutorKind::Pdl);
  LaunchRequest What = request(0);
  What.Known = nullptr;
  EXPECT_EQ(launched(What), "a");
  Kernels[0].Doubt = "another file's";
  EXPECT_EQ(launched(0), "a");
}

/// A graph of the program's shows it the kernels that it launched.
TEST_F(CudaDeviceTest, WhatIsCapturedStays) {
  open(ExecutorKind::Pdl);
  Capturing = true;
  EXPECT_EQ(launched(0), "a");
  Capturing = false;
  EXPECT_EQ(launched(0), "a$bm_pdl*");
}

TEST_F(CudaDeviceTest, OtherGpusLaunchWhatTheProgramHas) {
  open(ExecutorKind::Pdl);
  CurrentDevice = 1;
  EXPECT_EQ(launched(0), "a");
}

TEST_F(CudaDeviceTest, AVariantThatHoldsFewerBlocksIsNotTaken) {
  open(ExecutorKind::Pdl);
  for (const Registered &Each : Functions)
    if (Each.Symbol == "a$bm_pdl")
      HeavyForm = Each.Key;
  EXPECT_EQ(launched(0), "a");
  EXPECT_EQ(launched(1), "b$bm_pdl*");
}

TEST_F(CudaDeviceTest, TheFormIsChosenOncePerShape) {
  open(ExecutorKind::Pdl);
  EXPECT_EQ(launched(0), "a$bm_pdl*");
  const unsigned Asked = OccupancyAsked;
  EXPECT_EQ(launched(0), "a$bm_pdl*");
  EXPECT_EQ(OccupancyAsked, Asked);
  LaunchRequest Wider = request(0);
  Wider.Block = dim3(128);
  EXPECT_EQ(launched(Wider), "a$bm_pdl*");
  EXPECT_GT(OccupancyAsked, Asked);
}

/// What a GPU refuses, it refuses for the program's own kernel.
TEST_F(CudaDeviceTest, ImpossibleShapesAreLeftToTheKernel) {
  open(ExecutorKind::Pdl);
  LaunchRequest What = request(0);
  What.Block = dim3(1024);
  EXPECT_EQ(launched(What), "a") << "640 threads are the most";
  What = request(0);
  What.SharedBytes = 50000;
  EXPECT_EQ(launched(What), "a") << "more than the program has asked for";
}

TEST_F(CudaDeviceTest, AttributesOfAKernelHoldForItsVariant) {
  open(ExecutorKind::Pdl);
  EXPECT_EQ(launched(0), "a$bm_pdl*");
  const unsigned Asked = OccupancyAsked;
  SharedAsked.clear();
  Opened->attributeSet(&P.Stubs[0], Kernels[0],
                       cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  EXPECT_EQ(SharedAsked, std::vector<int>{50});
  Opened->attributeSet(&P.Stubs[0], Kernels[0],
                       cudaFuncAttributeMaxDynamicSharedMemorySize, 1000);
  EXPECT_EQ(SharedAsked, std::vector<int>{50}) << "asked for when launched";
  Opened->attributeSet(&P.Stubs[2], Kernels[2],
                       cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  EXPECT_EQ(SharedAsked, std::vector<int>{50}) << "has no variant";
  EXPECT_EQ(launched(0), "a$bm_pdl*");
  EXPECT_EQ(OccupancyAsked, Asked) << "the port remembers";
}

TEST_F(CudaDeviceTest, ErrorsOfTheProgramStayAndOursDoNot) {
  Library.Calls.cudaOccupancyMaxActiveBlocksPerMultiprocessor =
      [](int *, const void *, int, size_t) {
        if (LastError == cudaSuccess)
          LastError = cudaErrorInvalidValue;
        return cudaErrorInvalidValue;
      };
  open(ExecutorKind::Pdl);
  EXPECT_EQ(launched(0), "a");
  EXPECT_EQ(LastError, cudaSuccess);
  LastError = cudaErrorInvalidConfiguration;
  EXPECT_EQ(launched(1), "b");
  EXPECT_EQ(LastError, cudaErrorInvalidConfiguration);
}

} // namespace
} // namespace blockmaestro
