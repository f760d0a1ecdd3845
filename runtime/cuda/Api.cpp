// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The exported calls. Each line of Api.def becomes a function that does what
// its effect says and then asks the device; the names as...() below are the
// effects. The rest is what programs are linked against without naming it:
// registration, the launch syntax, and what the host passes call.

#include "Process.h"

#include "ErrorText.h"

#include <atomic>
#include <memory>
#include <new>
#include <tuple>

using namespace blockmaestro;

namespace {

thread_local cudaError_t LastError = cudaSuccess;

cudaError_t note(cudaError_t Error) {
  if (Error != cudaSuccess)
    LastError = Error;
  return Error;
}

/// Opens the front end and runs Body with it.
template <typename Body> cudaError_t withRuntime(Body Run) {
  cudaError_t Error = cudaSuccess;
  Runtime *Front = openRuntime(Error);
  return note(Front ? Run(*Front) : Error);
}

template <typename Call, typename... Args>
cudaError_t asPlain(const char *, Call Forward, std::tuple<Args...>) {
  return withRuntime([&](Runtime &Front) { return Forward(Front.calls()); });
}

template <typename Call, typename... Args>
cudaError_t asFence(const char *Name, Call Forward, std::tuple<Args...>) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Wrong = Front.fence(Name);
    return Wrong != cudaSuccess ? Wrong : Forward(Front.calls());
  });
}

template <typename Call, typename... Args>
cudaError_t asDrain(const char *Name, Call Forward, std::tuple<Args...>) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Wrong = Front.drain(Name);
    return Wrong != cudaSuccess ? Wrong : Forward(Front.calls());
  });
}

template <typename Call, typename... Args>
cudaError_t asAllocate(const char *, Call Forward, std::tuple<Args...> Given) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Wrong = Front.failure();
    if (Wrong == cudaSuccess)
      Wrong = Forward(Front.calls());
    if (Wrong == cudaSuccess)
      Front.allocated(*std::get<0>(Given), std::get<1>(Given));
    return Wrong;
  });
}

template <typename Call, typename... Args>
cudaError_t asRelease(const char *Name, Call Forward,
                      std::tuple<Args...> Given) {
  return withRuntime([&](Runtime &Front) {
    cudaError_t Wrong = Front.releasing(Name, std::get<0>(Given));
    return Wrong != cudaSuccess ? Wrong : Forward(Front.calls());
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

/// The error of this thread, ours before the device's own.
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

/// Without a destructor: static destructors launch after a thread's own ran.
thread_local LaunchShape *Innermost = nullptr;

} // namespace

#define BM_CALL(Return, Name, Parameters, Arguments, Effect)                   \
  extern "C" Return Name Parameters {                                          \
    return as##Effect(                                                         \
        #Name,                                                                 \
        [&](const RuntimeCalls &Calls) { return Calls.Name Arguments; },       \
        std::make_tuple Arguments);                                            \
  }
#include "Api.def"
#undef BM_CALL

extern "C" {

void __blockmaestro_register(const void *Data, size_t Bytes) {
  processRegistry().addRecords(static_cast<const uint8_t *>(Data), Bytes);
}

void __blockmaestro_register_module(const void *Data, size_t Bytes) {
  processRegistry().addRecordsOfNext(static_cast<const uint8_t *>(Data), Bytes);
}

/// Slot is the launch site's own cache of the kernel it launches, and behind it
/// the address its object's records were registered with. The sizes
/// come as the words that the C ABI makes of a dim3 in cudaLaunchKernel, since
/// the host passes rewrite calls to that.
int __blockmaestro_launch(void **Slot, const char *Symbol, const void *Stub,
                          uint64_t GridXY, uint32_t GridZ, uint64_t BlockXY,
                          uint32_t BlockZ, void **Args, size_t SharedBytes,
                          cudaStream_t Stream) {
  return withRuntime([&](Runtime &Front) {
    std::atomic_ref<void *> Cache(*Slot);
    auto *Known = static_cast<Kernel *>(Cache.load(std::memory_order_acquire));
    if (!Known) {
      Known = processRegistry().find(Slot[1], Symbol);
      Cache.store(Known, std::memory_order_release);
    }
    return Front.launch({Known, Stub, fromWords(GridXY, GridZ),
                         fromWords(BlockXY, BlockZ), Args, SharedBytes,
                         Stream});
  });
}

unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t SharedBytes,
                                     cudaStream_t Stream) {
  auto *Pushed = new (std::nothrow)
      LaunchShape{Grid, Block, SharedBytes, Stream, Innermost};
  if (!Pushed)
    return note(cudaErrorMemoryAllocation);
  Innermost = Pushed;
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block,
                                       size_t *SharedBytes, void *Stream) {
  std::unique_ptr<LaunchShape> Last(Innermost);
  if (!Last)
    return note(cudaErrorMissingConfiguration);
  *Grid = Last->Grid;
  *Block = Last->Block;
  *SharedBytes = Last->SharedBytes;
  *static_cast<cudaStream_t *>(Stream) = Last->Stream;
  Innermost = Last->Outer;
  return cudaSuccess;
}

void **__cudaRegisterFatBinary(void *FatBinary) {
  return reinterpret_cast<void **>(processRegistry().beginModule(FatBinary));
}

void __cudaRegisterFatBinaryEnd(void **Handle) {
  processRegistry().endModule(reinterpret_cast<RegisteredModule *>(Handle));
  if (Runtime *Front = runtimeIfOpen())
    Front->takeRegistered();
}

void __cudaUnregisterFatBinary(void **Handle) {
  unregisterModule(reinterpret_cast<RegisteredModule *>(Handle));
}

void __cudaRegisterFunction(void **Handle, const char *Stub, char *,
                            const char *Symbol, int ThreadLimit, uint3 *,
                            uint3 *, dim3 *, dim3 *, int *) {
  processRegistry().addFunction(reinterpret_cast<RegisteredModule *>(Handle),
                                {Stub, Symbol, ThreadLimit});
}

void __cudaRegisterVar(void **Handle, char *Host, char *, const char *Symbol,
                       int Extern, size_t Bytes, int Constant, int) {
  processRegistry().addVariable(
      reinterpret_cast<RegisteredModule *>(Handle),
      {Host, Symbol, Bytes, Constant != 0, Extern != 0});
}

/// Its variable stays a null pointer on the host, so the program cannot work.
void __cudaRegisterManagedVar(void **, void **, char *, const char *Symbol, int,
                              size_t, int, int) {
  processRegistry().refuse(std::string("the __managed__ variable ") + Symbol +
                           " is not supported");
}

} // extern "C"
