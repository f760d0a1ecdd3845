// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The exported calls. Each row of Api.def becomes a function that does what
// its effect says and then asks the device; the names as...() below are the
// effects. The rest is what programs are linked against without naming it: the
// launch syntax, and what the host passes call; registration is
// Registration.h's. No exception leaves this file: guarded() turns memory that
// ran out into CUDA's error.

#include "Process.h"

#include "CallsUnderWay.h"
#include "ErrorText.h"
#include "HostClock.h"
#include "Registration.h"
#include "emulated/device/EmulatedDevice.h"

#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <system_error>
#include <tuple>
#include <type_traits>

using namespace blockmaestro;

namespace {

thread_local cudaError_t LastError = cudaSuccess;

/// That something is not done yet is an answer, not an error.
cudaError_t note(cudaError_t Error) {
  if (Error != cudaSuccess && Error != cudaErrorNotReady)
    LastError = Error;
  return Error;
}

/// Runs a call, which may throw: memory or threads may run out anywhere below.
template <typename Body> auto guarded(Body Run) noexcept -> decltype(Run()) {
  const HostClock::Call Made;
  if constexpr (!std::is_same_v<decltype(Run()), cudaError_t>) {
    return Run();
  } else {
    try {
      return Run();
    } catch (const std::bad_alloc &) {
      return note(cudaErrorMemoryAllocation);
    } catch (const std::system_error &) {
      return note(cudaErrorOperatingSystem);
    } catch (...) {
      return note(cudaErrorUnknown);
    }
  }
}

/// Opens the front end and runs Body with it.
template <typename Body> cudaError_t withRuntime(Body Run) {
  if (registrationFailed())
    return note(cudaErrorMemoryAllocation);
  cudaError_t Error = cudaSuccess;
  Runtime *Front = openRuntime(Error);
  const CallsUnderWay::Call Here;
  if (Front)
    Error = Run(*Front);
  if (Error == cudaErrorLaunchFailure)
    Front->explainFailure();
  return note(Error);
}

template <typename Call, typename... Args>
cudaError_t asFree(const char *, Call Forward, std::tuple<Args...>) {
  return withRuntime([&](Runtime &Front) { return Forward(Front.calls()); });
}

template <typename Call, typename... Args>
cudaError_t asPlain(const char *, Call Forward, std::tuple<Args...>) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Error = Front.failure();
    return Error != cudaSuccess ? Error : Forward(Front.calls());
  });
}

/// Forms of the kernel that are ours follow it.
template <typename Call>
cudaError_t
asAttribute(const char *Name, Call Forward,
            std::tuple<const void *, cudaFuncAttribute, int> Given) {
  const cudaError_t Error = asPlain(Name, Forward, Given);
  const auto &[Stub, Which, Value] = Given;
  const Kernel *Known = processRegistry().byStub(Stub);
  if (Runtime *Front = runtimeIfOpen(); Front && Known && Error == cudaSuccess)
    Front->attributeSet(Stub, *Known, Which, Value);
  return Error;
}

template <typename Call, typename... Args>
cudaError_t asFence(const char *Name, Call Forward, std::tuple<Args...>) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Error = Front.fence(Name);
    return Error != cudaSuccess ? Error : Forward(Front.calls());
  });
}

template <typename Call, typename... Args>
cudaError_t asDrain(const char *Name, Call Forward, std::tuple<Args...>) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Error = Front.drain(Name);
    return Error != cudaSuccess ? Error : Front.wait(Forward);
  });
}

template <typename Call, typename... Args>
cudaError_t copyOr(Status (Executor::*Otherwise)(), const char *Name,
                   Call Forward, const std::tuple<Args...> &Given) {
  return withRuntime([&](Runtime &Front) {
    return Front.copy(
        Name, std::ref(Forward),
        [&](const FindSymbol &Find, Request &Out) {
          return requestOf(Name, Find, Given, Out);
        },
        Otherwise);
  });
}

template <typename Call, typename... Args>
cudaError_t asCopy(const char *Name, Call Forward, std::tuple<Args...> Given) {
  return copyOr(&Executor::fence, Name, Forward, Given);
}

template <typename Call, typename... Args>
cudaError_t asCopyNow(const char *Name, Call Forward,
                      std::tuple<Args...> Given) {
  return copyOr(&Executor::drain, Name, Forward, Given);
}

unsigned flagsOf() { return cudaStreamDefault; }
template <typename... Rest> unsigned flagsOf(unsigned Flags, Rest...) {
  return Flags;
}

/// Makes what the first argument is put to, and tells the front end of it.
template <typename Handle, typename Call, typename... Args>
cudaError_t makeHandle(Call Forward, std::tuple<Handle *, Args...> Given,
                       void (Runtime::*Tell)(Handle, unsigned Flags)) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Error = Front.failure();
    if (Error == cudaSuccess)
      Error = Forward(Front.calls());
    if (Error == cudaSuccess)
      std::apply([&](Handle *Made,
                     auto... Rest) { (Front.*Tell)(*Made, flagsOf(Rest...)); },
                 Given);
    return Error;
  });
}

template <typename Call, typename... Args>
cudaError_t asStream(const char *, Call Forward,
                     std::tuple<cudaStream_t *, Args...> Given) {
  return makeHandle(Forward, Given, &Runtime::madeStream);
}

template <typename Call, typename... Args>
cudaError_t asEvent(const char *, Call Forward,
                    std::tuple<cudaEvent_t *, Args...> Given) {
  return makeHandle(Forward, Given, &Runtime::madeEvent);
}

template <typename Call>
cudaError_t asStreamGone(const char *Name, Call Forward,
                         std::tuple<cudaStream_t> Given) {
  return withRuntime([&](Runtime &Front) {
    const cudaError_t Error = Front.forgetStream(Name, std::get<0>(Given));
    return Error != cudaSuccess ? Error : Forward(Front.calls());
  });
}

template <typename Call, typename... Args>
cudaError_t asSelect(const char *Name, Call Forward, std::tuple<Args...>) {
  const cudaError_t Error = withRuntime([&](Runtime &Front) {
    const cudaError_t Before = Front.selecting(Name);
    return Before != cudaSuccess ? Before : Forward(Front.calls());
  });
  if (Runtime *Front = runtimeIfOpen())
    Front->deviceSelected();
  return Error;
}

template <typename Call, typename... Rest>
cudaError_t asCapture(const char *Name, Call Forward,
                      std::tuple<cudaStream_t, Rest...> Given) {
  return withRuntime([&](Runtime &Front) {
    return Front.beginCapture(Name, Forward, std::get<0>(Given));
  });
}

template <typename Call, typename... Rest>
cudaError_t asEndCapture(const char *, Call Forward,
                         std::tuple<cudaStream_t, Rest...> Given) {
  return withRuntime([&](Runtime &Front) {
    return Front.endCapture(Forward, std::get<0>(Given));
  });
}

template <typename Call, typename... Args>
cudaError_t asDriver(const char *Name, Call Forward, std::tuple<Args...>) {
  return withRuntime([&](Runtime &Front) {
    const cudaError_t Error = Front.driverGiven(Name);
    return Error != cudaSuccess ? Error : Forward(Front.calls());
  });
}

template <typename Call, typename... Args>
cudaError_t asShares(const char *Name, Call Forward, std::tuple<Args...>) {
  return withRuntime([&](Runtime &Front) {
    const cudaError_t Error = Front.memoryShared(Name);
    return Error != cudaSuccess ? Error : Forward(Front.calls());
  });
}

template <typename Call, typename... Rest>
cudaError_t asRecord(const char *Name, Call Forward,
                     std::tuple<cudaEvent_t, cudaStream_t, Rest...> Given) {
  return withRuntime([&](Runtime &Front) {
    return std::apply(
        [&](cudaEvent_t Event, cudaStream_t Stream, Rest... Flags) {
          return Front.record(Name, Forward, {Event, flagsOf(Flags...)},
                              Stream);
        },
        Given);
  });
}

template <typename Call, typename... Rest>
cudaError_t asJoin(const char *, Call Forward,
                   std::tuple<cudaStream_t, cudaEvent_t, Rest...> Given) {
  return withRuntime([&](Runtime &Front) {
    return std::apply(
        [&](cudaStream_t Stream, cudaEvent_t Event, Rest... Flags) {
          return Front.join(Forward, Stream, {Event, flagsOf(Flags...)});
        },
        Given);
  });
}

template <typename Call>
cudaError_t asGraph(const char *Name, Call Forward,
                    std::tuple<cudaGraphExec_t, cudaStream_t> Given) {
  return withRuntime([&](Runtime &Front) {
    return Front.launchGraph(Name, Forward, std::get<0>(Given),
                             std::get<1>(Given));
  });
}

template <typename Call>
cudaError_t asInstantiate(
    const char *Name, Call Forward,
    std::tuple<cudaGraphExec_t *, cudaGraph_t, unsigned long long> Given) {
  const cudaError_t Error = asPlain(Name, Forward, Given);
  const auto &[Made, From, Flags] = Given;
  if (Runtime *Front = runtimeIfOpen(); Front && Error == cudaSuccess)
    Front->madeGraph(*Made, From, Flags);
  return Error;
}

template <typename Call, typename... Rest>
cudaError_t asChange(const char *, Call Forward,
                     std::tuple<cudaGraphExec_t, Rest...> Given) {
  return withRuntime([&](Runtime &Front) {
    const cudaError_t Error = Front.changeGraph(std::get<0>(Given));
    return Error != cudaSuccess ? Error : Forward(Front.calls());
  });
}

template <typename Call>
cudaError_t asGraphGone(const char *, Call Forward,
                        std::tuple<cudaGraphExec_t> Given) {
  return withRuntime([&](Runtime &Front) {
    Front.forgetGraph(std::get<0>(Given));
    const cudaError_t Error = Front.failure();
    return Error != cudaSuccess ? Error : Forward(Front.calls());
  });
}

template <typename Call>
cudaError_t asObserve(const char *Name, Call Forward,
                      std::tuple<cudaEvent_t> One) {
  return withRuntime([&](Runtime &Front) {
    return Front.observe(Name, Forward, {&std::get<0>(One), 1});
  });
}
template <typename Call>
cudaError_t asObserve(const char *Name, Call Forward,
                      std::tuple<float *, cudaEvent_t, cudaEvent_t> Two) {
  return withRuntime([&](Runtime &Front) {
    const cudaEvent_t Events[] = {std::get<1>(Two), std::get<2>(Two)};
    return Front.observe(Name, Forward, Events);
  });
}

template <typename Call>
cudaError_t asDestroy(const char *, Call Forward, std::tuple<cudaEvent_t> One) {
  return withRuntime(
      [&](Runtime &Front) { return Front.destroy(Forward, std::get<0>(One)); });
}

struct MemoryRange {
  void *Address;
  size_t Bytes;
  bool Registered = false; ///< Memory the program had before.
};

/// Where the memory lies that a call has just made, by its arguments.
template <typename... Rest>
MemoryRange rangeOf(void **Address, size_t Bytes, Rest...) {
  return {*Address, Bytes};
}
MemoryRange rangeOf(void **Address, const size_t *Pitch, size_t,
                    size_t Height) {
  return {*Address, *Pitch * Height};
}
MemoryRange rangeOf(const cudaPitchedPtr *Made, cudaExtent Size) {
  return {Made->ptr, Made->pitch * Size.height * Size.depth};
}
MemoryRange rangeOf(void *Registered, size_t Bytes, unsigned) {
  return {Registered, Bytes, true};
}

template <typename Call, typename... Args>
cudaError_t asAllocate(const char *, Call Forward, std::tuple<Args...> Given) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Error = Front.failure();
    if (Error == cudaSuccess)
      Error = Forward(Front.calls());
    if (Error != cudaSuccess)
      return Error;
    MemoryRange Made =
        std::apply([](auto... Each) { return rangeOf(Each...); }, Given);
    if (Made.Registered)
      Front.registered(Made.Address, Made.Bytes);
    else if (Made.Address)
      Front.allocated(Made.Address, Made.Bytes);
    nameClosedLibraries();
    return Error;
  });
}

template <typename Call, typename... Args>
cudaError_t asRelease(const char *Name, Call Forward,
                      std::tuple<Args...> Given) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Error = Front.releasing(Name, std::get<0>(Given));
    return Error != cudaSuccess ? Error : Forward(Front.calls());
  });
}

template <typename Call, typename... Args>
cudaError_t asRetire(const char *Name, Call Forward,
                     std::tuple<Args...> Given) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Error = Front.retiring(Name, std::get<0>(Given));
    return Error != cudaSuccess ? Error : Forward(Front.calls());
  });
}

template <typename Call, typename... Args>
cudaError_t asReset(const char *Name, Call, std::tuple<Args...>) {
  return withRuntime([&](Runtime &Front) { return Front.reset(Name); });
}

template <typename Call>
const char *asText(const char *Name, Call Forward, std::tuple<cudaError_t> E) {
  if (Runtime *Front = runtimeIfOpen())
    return Forward(Front->calls());
  return std::string_view(Name) == "cudaGetErrorName"
             ? errorName(std::get<0>(E))
             : errorText(std::get<0>(E));
}

/// A value that depends on nothing but the arguments.
template <typename Call, typename... Args>
auto asValue(const char *, Call Forward, std::tuple<Args...>) {
  static const RuntimeCalls Calls = emulatedCalls();
  return Forward(Calls);
}

/// The error of this thread, ours before the device's own. What the device died
/// of counts once a call has returned it.
template <typename Call>
cudaError_t asPeekError(const char *, Call Forward, std::tuple<>) {
  Runtime *Front = runtimeIfOpen();
  cudaError_t Theirs = Front ? Forward(Front->calls()) : cudaSuccess;
  return LastError != cudaSuccess ? LastError : Theirs;
}

template <typename Call>
cudaError_t asTakeError(const char *Name, Call Forward, std::tuple<> None) {
  cudaError_t Error = asPeekError(Name, Forward, None);
  LastError = cudaSuccess;
  return Error;
}

cudaError_t launchOf(const void *Stub, dim3 Grid, dim3 Block, void **Args,
                     size_t SharedBytes, cudaStream_t Stream) {
  return withRuntime([&](Runtime &Front) {
    Kernel *Known = processRegistry().byStub(Stub);
    return Front.launch({Known, Stub, Grid, Block, Args, SharedBytes, Stream});
  });
}

cudaError_t launchOf(const cudaLaunchConfig_t *Config, const void *Stub,
                     void **Args) {
  if (!Config)
    return note(cudaErrorInvalidValue);
  if (Config->numAttrs == 0)
    return launchOf(Stub, Config->gridDim, Config->blockDim, Args,
                    Config->dynamicSmemBytes, Config->stream);
  return withRuntime(
      [&](Runtime &Front) { return Front.launchPlain(Config, Stub, Args); });
}

template <typename Call, typename... Args>
cudaError_t asLaunch(const char *, Call, std::tuple<Args...> Given) {
  return std::apply([](auto... Each) { return launchOf(Each...); }, Given);
}

/// A cooperative launch is one with the attribute that says so.
template <typename Call>
cudaError_t asTogether(
    const char *, Call,
    std::tuple<const void *, dim3, dim3, void **, size_t, cudaStream_t> Given) {
  const auto &[Stub, Grid, Block, Args, SharedBytes, Stream] = Given;
  cudaLaunchAttribute Cooperative = {};
  Cooperative.id = cudaLaunchAttributeCooperative;
  Cooperative.val.cooperative = 1;
  cudaLaunchConfig_t Config = {};
  Config.gridDim = Grid;
  Config.blockDim = Block;
  Config.dynamicSmemBytes = SharedBytes;
  Config.stream = Stream;
  Config.attrs = &Cooperative;
  Config.numAttrs = 1;
  return launchOf(&Config, Stub, Args);
}

/// What a call with per-thread default stream passes on: the same arguments,
/// that stream in place of none.
template <typename Argument> Argument perThread(Argument Given) {
  return Given;
}
cudaStream_t perThread(cudaStream_t Given) {
  return Given ? Given : cudaStreamPerThread;
}
struct PerThreadConfig {
  bool Given;
  cudaLaunchConfig_t Config;
  operator const cudaLaunchConfig_t *() const {
    return Given ? &Config : nullptr;
  }
};
PerThreadConfig perThread(const cudaLaunchConfig_t *Given) {
  PerThreadConfig Out = {Given != nullptr,
                         Given ? *Given : cudaLaunchConfig_t()};
  Out.Config.stream = perThread(Out.Config.stream);
  return Out;
}

dim3 fromWords(uint64_t XY, uint32_t Z) {
  return dim3(static_cast<unsigned>(XY), static_cast<unsigned>(XY >> 32), Z);
}

/// What the launch syntax `<<<...>>>` keeps between its two halves.
struct LaunchShape {
  dim3 Grid;
  dim3 Block;
  size_t SharedBytes;
  cudaStream_t Stream;
  LaunchShape *Outer; ///< Of the launch whose arguments launch this one.
};

/// Without destructors: static destructors launch after a thread's own ran. The
/// first of a thread has its place, those in its arguments are allocated.
constinit thread_local LaunchShape Outermost = {};
constinit thread_local LaunchShape *Innermost = nullptr;

} // namespace

// Some calls are deprecated, and still there.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

#define BM_TWIN_None(Return, Name, Parameters, Arguments)
#define BM_TWIN_Ptsz(Return, Name, Parameters, Arguments)                      \
  extern "C" Return Name##_ptsz Parameters {                                   \
    return std::apply([](auto... Each) { return Name(perThread(Each)...); },   \
                      std::make_tuple Arguments);                              \
  }
#define BM_CALL(Return, Name, Parameters, Arguments, Effect, Emulated, Twin,   \
                Remark)                                                        \
  extern "C" Return Name Parameters {                                          \
    return guarded([&] {                                                       \
      return as##Effect(                                                       \
          #Name,                                                               \
          [&](const RuntimeCalls &Calls) { return Calls.Name Arguments; },     \
          std::make_tuple Arguments);                                          \
    });                                                                        \
  }                                                                            \
  BM_TWIN_##Twin(Return, Name, Parameters, Arguments)
#include "Api.def"
#undef BM_CALL
#undef BM_TWIN_None
#undef BM_TWIN_Ptsz

extern "C" {

/// Slot is the launch site's own cache of what Stub stands for, Symbol the name
/// of the kernel in its object's device code. The sizes come as the words that
/// the C ABI makes of a dim3 in cudaLaunchKernel, since the host passes rewrite
/// calls to that.
int __blockmaestro_launch(void **Slot, const char *Symbol, const void *Stub,
                          uint64_t GridXY, uint32_t GridZ, uint64_t BlockXY,
                          uint32_t BlockZ, void **Args, size_t SharedBytes,
                          cudaStream_t Stream) {
  return guarded([&] {
    return withRuntime([&](Runtime &Front) {
      std::atomic_ref<void *> Cache(*Slot);
      auto *Known =
          static_cast<Kernel *>(Cache.load(std::memory_order_acquire));
      if (!Known) {
        Known = processRegistry().byStub(Stub);
        Cache.store(Known, std::memory_order_release);
      }
      return Front.launch({Known, Stub, fromWords(GridXY, GridZ),
                           fromWords(BlockXY, BlockZ), Args, SharedBytes,
                           Stream, Symbol});
    });
  });
}

unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t SharedBytes,
                                     cudaStream_t Stream) {
  LaunchShape *Pushed = Innermost ? new (std::nothrow) LaunchShape : &Outermost;
  if (!Pushed)
    return note(cudaErrorMemoryAllocation);
  *Pushed = {Grid, Block, SharedBytes, Stream, Innermost};
  Innermost = Pushed;
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block,
                                       size_t *SharedBytes, void *Stream) {
  LaunchShape *Last = Innermost;
  if (!Last)
    return note(cudaErrorMissingConfiguration);
  *Grid = Last->Grid;
  *Block = Last->Block;
  *SharedBytes = Last->SharedBytes;
  *static_cast<cudaStream_t *>(Stream) = Last->Stream;
  Innermost = Last->Outer;
  if (Last != &Outermost)
    delete Last;
  return cudaSuccess;
}

// What nvcc writes for the launch syntax. A kernel's handle is its stub.

cudaError_t __cudaGetKernel(cudaKernel_t *Kernel, const void *Stub) {
  *Kernel = reinterpret_cast<cudaKernel_t>(const_cast<void *>(Stub));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t Kernel, dim3 Grid, dim3 Block,
                               void **Args, size_t SharedBytes,
                               cudaStream_t Stream) {
  return cudaLaunchKernel(Kernel, Grid, Block, Args, SharedBytes, Stream);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t Kernel, dim3 Grid, dim3 Block,
                                    void **Args, size_t SharedBytes,
                                    cudaStream_t Stream) {
  return __cudaLaunchKernel(Kernel, Grid, Block, Args, SharedBytes,
                            perThread(Stream));
}

} // extern "C"
