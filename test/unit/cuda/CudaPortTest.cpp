// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The parts of the CUDA device that need no GPU, against a runtime that notes
// what it is asked.

#include "CudaPort.h"
#include "CudaKernels.h"
#include "DriverUsers.h"
#include "FakeCuda.h"
#include "LaunchingLibraries.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace blockmaestro {
namespace {

TEST(CudaKernels, VariantsAreRegisteredInTheirKernelsFatBinary) {
  RegistrationCalls Real = fakeRegistration();
  CudaKernels Kernels(Real);
  Program P;
  EXPECT_EQ(Kernels.find(P.Record.Kernels[0]), nullptr) << "not yet named";
  Kernels.addModule(P.Module);

  std::vector<std::string> Names;
  for (const Registered &Each : Functions) {
    Names.push_back(Each.Symbol);
    EXPECT_EQ(Each.Handle, &Handles[0]);
  }
  EXPECT_EQ(Names, (std::vector<std::string>{"a", "a$bm_pdl", "a$bm_prelaunch",
                                             "a$bm_timed", "bm_persistent_1",
                                             "b", "b$bm_pdl", "b$bm_prelaunch",
                                             "b$bm_timed", "c"}));
  const KernelKeys *A = Kernels.find(P.Record.Kernels[0]);
  const KernelKeys *B = Kernels.find(P.Record.Kernels[1]);
  ASSERT_TRUE(A && B);
  EXPECT_EQ(A->of(KernelVariant::Plain), &P.Stubs[0]);
  EXPECT_EQ(A->of(KernelVariant::Pdl), Functions[1].Key);
  EXPECT_EQ(A->of(KernelVariant::Prelaunch), Functions[2].Key);
  EXPECT_EQ(A->of(KernelVariant::Timed), Functions[3].Key);
  EXPECT_EQ(A->of(KernelVariant::Persistent), Functions[4].Key);
  EXPECT_EQ(B->of(KernelVariant::Persistent), Functions[4].Key);
  EXPECT_NE(A->of(KernelVariant::Prelaunch), B->of(KernelVariant::Prelaunch));
  EXPECT_EQ(A->Module, B->Module);
}

TEST(CudaKernels, AKernelWithoutVariantsHasOnlyItself) {
  RegistrationCalls Real = fakeRegistration();
  CudaKernels Kernels(Real);
  Program P;
  Kernels.addModule(P.Module);
  const KernelKeys *C = Kernels.find(P.Record.Kernels[2]);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->of(KernelVariant::Plain), &P.Stubs[2]);
  EXPECT_EQ(C->of(KernelVariant::Pdl), nullptr);
  EXPECT_EQ(C->of(KernelVariant::Prelaunch), nullptr);
  EXPECT_EQ(C->of(KernelVariant::Timed), nullptr);
  EXPECT_EQ(C->of(KernelVariant::Persistent), nullptr);
}

std::vector<std::string> Asked;

/// The program's streams may wait for the host, and may be captured: memory is
/// asked for, cleared and given back in the order of the stream that uses it.
TEST(CudaPort, MemoryComesInStreamOrder) {
  RuntimeCalls Real;
  Asked.clear();
  Real.cudaMemPoolCreate = [](cudaMemPool_t *Made, const cudaMemPoolProps *) {
    Asked.push_back("pool");
    *Made = reinterpret_cast<cudaMemPool_t>(&Asked);
    return cudaSuccess;
  };
  static constexpr auto Note = [](const char *What, cudaStream_t On) {
    bool Given = On == reinterpret_cast<cudaStream_t>(&Handles);
    Asked.push_back(std::string(What) + (Given ? "" : " elsewhere"));
    return cudaSuccess;
  };
  Real.cudaMallocFromPoolAsync = [](void **Memory, size_t, cudaMemPool_t,
                                    cudaStream_t On) {
    *Memory = &Handles;
    return Note("allocate", On);
  };
  Real.cudaMemsetAsync = [](void *, int, size_t, cudaStream_t On) {
    return Note("clear", On);
  };
  Real.cudaFreeAsync = [](void *, cudaStream_t On) { return Note("free", On); };
  Real.cudaGetDevice = [](int *Number) {
    *Number = 0;
    return cudaSuccess;
  };
  RegistrationCalls Registration = fakeRegistration();
  CudaKernels Kernels(Registration);
  CudaPort Port(Real, Kernels, 0);
  for (unsigned I = 0; I < 2; ++I) {
    Result<void *> Made = Port.allocate(64, &Handles);
    ASSERT_TRUE(Made.ok());
    Port.retire(*Made, &Handles);
  }
  Port.forget();
  EXPECT_TRUE(Port.allocate(64, &Handles).ok());
  EXPECT_EQ(Asked, (std::vector<std::string>{
                       "pool", "allocate", "clear", "free", "allocate", "clear",
                       "free", "pool", "allocate", "clear"}));
}

TEST(CudaKernels, AModuleWithoutRecordsHasNoVariants) {
  RegistrationCalls Real = fakeRegistration();
  CudaKernels Kernels(Real);
  Program P;
  P.Module.Records.clear();
  for (RegisteredFunction &Each : P.Module.Functions)
    Each.Record = nullptr;
  Kernels.addModule(P.Module);
  EXPECT_EQ(Functions.size(), 3u);
  EXPECT_EQ(Kernels.find(P.Record.Kernels[0]), nullptr);
  EXPECT_EQ(Kernels.variable({"table", 4, false}, P.Record), nullptr);
}

TEST(CudaKernels, VariablesAndTheEndOfAModule) {
  RegistrationCalls Real = fakeRegistration();
  CudaKernels Kernels(Real);
  Program P;
  Kernels.addModule(P.Module);
  EXPECT_EQ(Variables, std::vector<std::string>{"table"});
  const GlobalRecord Table = {"table", 4, false}, Own = {"table", 4, true};
  EXPECT_EQ(Kernels.variable(Table, P.Record), &P.HostVariable);
  EXPECT_EQ(Kernels.variable({"other", 4, false}, P.Record), nullptr);
  EXPECT_EQ(Kernels.variable(Own, P.Record), &P.HostVariable);
  P.Record.Relocatable = true;
  EXPECT_EQ(Kernels.variable(Own, P.Record), nullptr) << "of another file";
  Kernels.removeModule(P.Module);
  Kernels.removeModule(P.Module);
  EXPECT_EQ(Unregistered, std::vector<void **>{&Handles[0]});
}

/// Two files with a static variable of one name.
TEST(CudaKernels, AVariableIsThatOfItsModule) {
  RegistrationCalls Real = fakeRegistration();
  CudaKernels Kernels(Real);
  Program First, Second;
  Kernels.addModule(First.Module);
  Kernels.addModule(Second.Module);
  const GlobalRecord Table = {"table", 4, true};
  EXPECT_EQ(Kernels.variable(Table, First.Record), &First.HostVariable);
  EXPECT_EQ(Kernels.variable(Table, Second.Record), &Second.HostVariable);
}

class CudaPortTest : public testing::Test {
protected:
  CudaPortTest()
      : Registration(fakeRegistration()), Real(fakeRuntime()),
        Kernels(Registration), Port(Real, Kernels, 0) {
    Kernels.addModule(P.Module);
  }
  GpuLaunch launchOf(unsigned Kernel, KernelVariant Form) {
    GpuLaunch Out;
    Out.Kernel = &P.Record.Kernels[Kernel];
    Out.Form = Form;
    Out.Grid = {7, 2, 1};
    Out.Block = {64, 1, 1};
    return Out;
  }

  Result<void *> chainOf(const std::vector<GpuWork> &Works,
                         const ChainOrder &Order) {
    Result<GpuPort::ChainWork> Work = Port.chainOf(Works, Order);
    return Work.ok() ? (*Work)() : Work.status();
  }
  Result<void *> chainOf(const std::vector<GpuWork> &Works) {
    return chainOf(Works, ChainOrder::line(Works.size()));
  }

  Program P;
  RegistrationCalls Registration;
  RuntimeCalls Real;
  CudaKernels Kernels;
  CudaPort Port;
};

TEST_F(CudaPortTest, OnlyProgrammaticLaunchesCarryTheAttribute) {
  GpuLaunch What = launchOf(0, KernelVariant::Prelaunch);
  ASSERT_TRUE(Port.launch(What).ok());
  What.Programmatic = true;
  ASSERT_TRUE(Port.launch(What).ok());
  ASSERT_EQ(Launches.size(), 2u);
  EXPECT_EQ(Launches[0].Key, Functions[2].Key);
  EXPECT_EQ(Launches[0].Config.gridDim.y, 2u);
  EXPECT_TRUE(Launches[0].Attributes.empty());
  ASSERT_EQ(Launches[1].Attributes.size(), 1u);
  EXPECT_EQ(Launches[1].Attributes[0].id,
            cudaLaunchAttributeProgrammaticStreamSerialization);
  EXPECT_EQ(
      Launches[1].Attributes[0].val.programmaticStreamSerializationAllowed, 1);
}

TEST_F(CudaPortTest, CooperativeLaunches) {
  GpuLaunch What = launchOf(1, KernelVariant::Persistent);
  What.Cooperative = true;
  ASSERT_TRUE(Port.launch(What).ok());
  ASSERT_EQ(Launches[0].Attributes.size(), 1u);
  EXPECT_EQ(Launches[0].Attributes[0].id, cudaLaunchAttributeCooperative);
}

TEST_F(CudaPortTest, SharedMemoryIsAskedForOnceAndOnlyForVariants) {
  GpuLaunch What = launchOf(0, KernelVariant::Plain);
  What.SharedBytes = 60000;
  ASSERT_TRUE(Port.launch(What).ok());
  EXPECT_TRUE(SharedAsked.empty()) << "the program asks for its own kernels";
  What.Form = KernelVariant::Prelaunch;
  ASSERT_TRUE(Port.launch(What).ok());
  ASSERT_TRUE(Port.launch(What).ok());
  What.SharedBytes = 1000;
  ASSERT_TRUE(Port.launch(What).ok());
  EXPECT_EQ(SharedAsked, std::vector<int>{60000});
}

// 48,000 bytes are less than every kernel may have, but not beside the 2,448
// that this one has of its own.
TEST_F(CudaPortTest, SharedMemoryIsAskedForBesideStaticMemory) {
  GpuLaunch What = launchOf(0, KernelVariant::Persistent);
  What.SharedBytes = 48000;
  ASSERT_TRUE(Port.launch(What).ok());
  EXPECT_EQ(SharedAsked, std::vector<int>{48000});
}

TEST_F(CudaPortTest, FailuresNameTheKernel) {
  LaunchResult = cudaErrorLaunchOutOfResources;
  Status Failed = Port.launch(launchOf(0, KernelVariant::Plain));
  EXPECT_EQ(Failed.message(), "a: it went wrong");
  EXPECT_EQ(Failed.code(), StatusCode::Device);
  Status Missing = Port.launch(launchOf(2, KernelVariant::Prelaunch));
  EXPECT_EQ(Missing.message(), "the GPU has no such form of c");
}

TEST_F(CudaPortTest, CapacityIsAskedForOnce) {
  const KernelRecord &A = P.Record.Kernels[0];
  for (unsigned I = 0; I < 3; ++I)
    EXPECT_EQ(*Port.residentBlocks(A, KernelVariant::Prelaunch, 256, 0), 528u);
  EXPECT_EQ(OccupancyAsked, 1u);
  EXPECT_EQ(*Port.residentBlocks(A, KernelVariant::Prelaunch, 512, 0), 264u);
  EXPECT_EQ(*Port.threadLimit(A, KernelVariant::Persistent), 640u);
  EXPECT_EQ(*Port.sharedLimit(A, KernelVariant::Persistent), 230000u);
}

/// What the program lets its kernel have is not ours to change.
TEST_F(CudaPortTest, AskingHowManyBlocksFitChangesNoKernelOfTheProgram) {
  const KernelRecord &A = P.Record.Kernels[0];
  EXPECT_EQ(*Port.residentBlocks(A, KernelVariant::Plain, 256, 1000), 528u);
  EXPECT_TRUE(SharedAsked.empty());
  EXPECT_EQ(*Port.residentBlocks(A, KernelVariant::Pdl, 256, 1000), 528u);
  EXPECT_EQ(SharedAsked, std::vector<int>{1000});
}

TEST_F(CudaPortTest, ChainsBeginEachLaunchEarlyAndAreUsedAgain) {
  GpuLaunch A = launchOf(0, KernelVariant::Pdl),
            B = launchOf(1, KernelVariant::Pdl);
  Result<void *> Chain = chainOf({A, A, A});
  ASSERT_TRUE(Chain.ok());
  ASSERT_EQ(Edges.size(), 2u);
  for (size_t I = 0; I < Edges.size(); ++I) {
    EXPECT_EQ(Edges[I].From, I + 1);
    EXPECT_EQ(Edges[I].To, I + 2);
    EXPECT_EQ(Edges[I].How.from_port, cudaGraphKernelNodePortProgrammatic);
    EXPECT_EQ(Edges[I].How.type, cudaGraphDependencyTypeProgrammatic);
  }
  B.SharedBytes = 60000;
  ASSERT_TRUE(Port.setWork(*Chain, 1, B).ok());
  EXPECT_EQ(SharedAsked, std::vector<int>{60000});
  ASSERT_TRUE(Port.launchChain(*Chain, &Handles).ok());
  ASSERT_EQ(Launches.size(), 3u);
  const KernelKeys *Ka = Kernels.find(*A.Kernel), *Kb = Kernels.find(*B.Kernel);
  EXPECT_EQ(Launches[0].Key, Ka->Pdl);
  EXPECT_EQ(Launches[1].Key, Kb->Pdl);
  EXPECT_EQ(Launches[1].Config.dynamicSmemBytes, 60000u);
  EXPECT_EQ(Launches[1].Config.gridDim.y, 2u);
  EXPECT_EQ(Launches[2].Key, Ka->Pdl);
  EXPECT_EQ(Launches[2].Config.stream,
            reinterpret_cast<cudaStream_t>(&Handles));
  GpuLaunch None = launchOf(2, KernelVariant::Pdl);
  EXPECT_FALSE(Port.setWork(*Chain, 0, None).ok());
  Port.releaseChain(*Chain);
}

/// Of those only the launch in front of which there is one launch, with nothing
/// else behind it.
TEST_F(CudaPortTest, LaunchesBesideOthersBeginWhenAllInFrontIsDone) {
  const std::vector<GpuWork> Five(5, launchOf(0, KernelVariant::Pdl));
  Result<void *> Chain = chainOf(Five, {{{}, {0}, {0}, {1, 2}, {3}}});
  ASSERT_TRUE(Chain.ok());
  const std::vector<std::pair<size_t, size_t>> Wanted = {
      {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}};
  ASSERT_EQ(Edges.size(), Wanted.size());
  for (size_t I = 0; I < Edges.size(); ++I) {
    EXPECT_EQ(std::pair(Edges[I].From, Edges[I].To), Wanted[I]);
    EXPECT_EQ(Edges[I].How.type == cudaGraphDependencyTypeProgrammatic, I == 4);
    EXPECT_EQ(Edges[I].How.from_port == cudaGraphKernelNodePortProgrammatic,
              I == 4);
  }
  Port.releaseChain(*Chain);
}

TEST_F(CudaPortTest, CopiesAndFillsAreNodesOfChains) {
  char To[64], From[64];
  const GpuWork A = launchOf(0, KernelVariant::Pdl);
  Result<void *> Chain = chainOf({A, GpuCopy{To, From, 16, nullptr}, A,
                                  GpuFill{To + 32, 7, 8, nullptr}, A, A});
  ASSERT_TRUE(Chain.ok());
  ASSERT_EQ(Edges.size(), 5u);
  for (size_t I = 0; I < Edges.size(); ++I)
    EXPECT_EQ(Edges[I].How.type == cudaGraphDependencyTypeProgrammatic, I == 4)
        << "only behind a launch a launch begins early";
  ASSERT_TRUE(Port.setWork(*Chain, 1, GpuCopy{To, From + 1, 17, nullptr}).ok());
  ASSERT_TRUE(Port.setWork(*Chain, 3, GpuFill{To, 9, 5, nullptr}).ok());
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].From, From);
  EXPECT_EQ(Rows[1].From, From + 1);
  EXPECT_EQ(Rows[1].To, To);
  EXPECT_EQ(Rows[1].Count, 17u);
  EXPECT_EQ(Rows[1].Kind, cudaMemcpyDeviceToDevice);
  ASSERT_EQ(Fills.size(), 2u);
  for (const cudaMemsetParams &Each : Fills) {
    EXPECT_EQ(Each.elementSize, 1u);
    EXPECT_EQ(Each.height, 1u);
  }
  EXPECT_EQ(Fills[0].dst, To + 32);
  EXPECT_EQ(Fills[1].width, 5u);
  EXPECT_EQ(Fills[1].value, 9u);
  Port.releaseChain(*Chain);
}

/// On a stream that no other waits for, and as no part of what the program may
/// be capturing.
TEST_F(CudaPortTest, ChainsAreBroughtToTheDeviceWhenTheyAreMade) {
  static std::vector<cudaStreamCaptureMode> Modes;
  Modes.clear();
  Real.cudaGraphUpload = [](cudaGraphExec_t, cudaStream_t) {
    Modes.push_back(CaptureMode);
    return cudaSuccess;
  };
  const std::vector<GpuWork> Two(2, launchOf(0, KernelVariant::Pdl));
  Result<void *> Chain = chainOf(Two);
  ASSERT_TRUE(Chain.ok());
  EXPECT_EQ(Modes, std::vector{cudaStreamCaptureModeRelaxed});
  EXPECT_EQ(CaptureMode, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(UploadFlags, unsigned(cudaStreamNonBlocking));
  EXPECT_NE(UploadedTo, nullptr) << "nobody has waited for it";
  Port.releaseChain(*Chain);
}

TEST_F(CudaPortTest, AChainThatCannotBeMadeLeavesNothing) {
  static int Graphs;
  Graphs = 0;
  Real.cudaGraphDestroy = [](cudaGraph_t) {
    ++Graphs;
    return cudaSuccess;
  };
  Real.cudaGraphExecDestroy = [](cudaGraphExec_t) {
    ++Graphs;
    return cudaSuccess;
  };
  UploadResult = cudaErrorMemoryAllocation;
  EXPECT_FALSE(
      chainOf(std::vector<GpuWork>(2, launchOf(0, KernelVariant::Pdl))).ok());
  EXPECT_EQ(Graphs, 2);
  EXPECT_EQ(CaptureMode, cudaStreamCaptureModeGlobal);
}

/// The legacy stream is that of the current device, and a thread of ours
/// submits what was gathered.
TEST_F(CudaPortTest, WhatWasGatheredGoesToItsOwnDevice) {
  Result<void *> Chain =
      chainOf(std::vector<GpuWork>(2, launchOf(0, KernelVariant::Pdl)));
  ASSERT_TRUE(Chain.ok());
  CurrentDevice = 1;
  ASSERT_TRUE(Port.launchChain(*Chain, nullptr).ok());
  EXPECT_EQ(LaunchedOn, std::vector<int>{0});
  EXPECT_EQ(CurrentDevice, 1);
  Port.releaseChain(*Chain);
}

/// What is done beside the program's streams is no part of what it captures, on
/// no stream that others wait for, on our device, and over when it returns.
TEST_F(CudaPortTest, WhatIsBesideTheStreamsWaitsForNone) {
  CurrentDevice = 1;
  Result<void *> Made = Port.allocateBeside(8);
  ASSERT_TRUE(Made.ok());
  uint64_t Seen = 1;
  ASSERT_TRUE(Port.readBeside(&Seen, *Made, 8).ok());
  EXPECT_EQ(Seen, 0u);
  *static_cast<uint64_t *>(*Made) = 5;
  ASSERT_TRUE(Port.readBeside(&Seen, *Made, 8).ok());
  EXPECT_EQ(Seen, 5u);
  ASSERT_TRUE(Port.clearBeside(*Made, 8).ok());
  EXPECT_EQ(*static_cast<uint64_t *>(*Made), 0u);
  Port.releaseBeside(*Made);

  std::string Names;
  for (const FakeStreamCall &Each : StreamCalls) {
    Names += Each.Name + " ";
    EXPECT_EQ(Each.Mode, cudaStreamCaptureModeRelaxed);
    EXPECT_EQ(Each.Device, 0);
    EXPECT_EQ(Each.Stream, UploadedTo) << "the host has waited";
  }
  EXPECT_EQ(Names, "allocate clear copy copy clear free ");
  EXPECT_EQ(UploadFlags, unsigned(cudaStreamNonBlocking));
  EXPECT_EQ(CaptureMode, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(CurrentDevice, 1);
}

/// Asking too early leaves no error that the program would see.
TEST_F(CudaPortTest, MarksSayWhatTheDeviceTookBetweenThem) {
  CurrentDevice = 1;
  Result<void *> First = Port.mark(nullptr), Last = Port.mark(nullptr);
  ASSERT_TRUE(First.ok() && Last.ok());
  for (const FakeStreamCall &Each : StreamCalls)
    EXPECT_EQ(Each.Device, 0);
  EXPECT_EQ(StreamCalls.size(), 2u);
  EXPECT_FALSE(Port.between(*First, *Last));
  EXPECT_EQ(LastError, cudaSuccess);
  EventsReached = 2;
  EXPECT_EQ(Port.between(*First, *Last), std::chrono::microseconds(250));
  Port.releaseMark(*First);
  Port.releaseMark(*Last);
  EXPECT_EQ(EventsGone, 2u);
  EXPECT_EQ(CurrentDevice, 1);
}

TEST_F(CudaPortTest, AMarkThatCannotBeSetIsGone) {
  Real.cudaEventRecord = [](cudaEvent_t, cudaStream_t) {
    return LastError = cudaErrorInvalidResourceHandle;
  };
  EXPECT_FALSE(Port.mark(nullptr).ok());
  EXPECT_EQ(EventsGone, 1u);
  EXPECT_EQ(LastError, cudaSuccess);
}

/// A launch by block has one argument more, and begins early behind another.
TEST_F(CudaPortTest, ChainsByBlock) {
  char Words[64];
  const GpuWork A = launchOf(0, KernelVariant::Prelaunch);
  Result<void *> Chain = chainOf({GpuFill{Words, 0, 64, nullptr}, A, A});
  ASSERT_TRUE(Chain.ok());
  ASSERT_EQ(Edges.size(), 2u);
  EXPECT_NE(Edges[0].How.type, cudaGraphDependencyTypeProgrammatic);
  EXPECT_EQ(Edges[1].How.type, cudaGraphDependencyTypeProgrammatic);
  EXPECT_EQ(Nodes[1].func, Kernels.find(P.Record.Kernels[0])->Prelaunch);
  Port.releaseChain(*Chain);
}

TEST_F(CudaPortTest, MemoryThatIsNotToBeHadLeavesNoError) {
  MemoryResult = cudaErrorMemoryAllocation;
  EXPECT_EQ(Port.allocateBeside(8).status().message(),
            "allocating memory beside the streams: it went wrong");
  EXPECT_EQ(LastError, cudaSuccess);
  EXPECT_EQ(CaptureMode, cudaStreamCaptureModeGlobal);
}

TEST(LaunchingLibraries, AreKnownByName) {
  EXPECT_TRUE(launchesKernels("/opt/cuda/lib64/libcublas.so.13"));
  EXPECT_TRUE(launchesKernels("libcublasLt.so.13"));
  EXPECT_TRUE(launchesKernels("/usr/lib/libnccl.so.2"));
  EXPECT_FALSE(launchesKernels("/usr/lib/libcuda.so.1"));
  EXPECT_FALSE(launchesKernels("/opt/libcublas/libcudart.so.13"));
  EXPECT_FALSE(launchesKernels(""));
  LaunchingLibraries Others;
  EXPECT_EQ(Others.loaded(), "") << "this test loads none";
}

/// This program has nothing but our own way to CUDA, until it loads a library.
TEST(DriverUsers, AreFoundWhenTheyAreLoaded) {
  DriverUsers Users;
  ASSERT_EQ(Users.found(), "");
  void *Finder = dlopen(BM_FINDS_BY_NAME, RTLD_NOW);
  ASSERT_NE(Finder, nullptr) << dlerror();
  EXPECT_EQ(Users.found(), "bm-finds-by-name.so looks functions up by name");
  EXPECT_EQ(dlclose(Finder), 0);
}

} // namespace
} // namespace blockmaestro
