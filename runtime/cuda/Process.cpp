// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Process.h"

#include "AbsentCalls.h"
#include "CudaDevice.h"
#include "LaunchingLibraries.h"
#include "RecordName.h"
#include "emulated/device/EmulatedDevice.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <unistd.h>

namespace blockmaestro {
namespace {

void complain(const std::string &What) {
  std::fprintf(stderr, "BlockMaestro: %s\n", What.c_str());
}

struct Process {
  Registry Registered;
  Notes Reasons{complain};
  Options Asked;
  std::once_flag Once;
  std::mutex LibraryLock;
  ClosedLibraries Libraries;
  std::unique_ptr<Device> Machine;
  std::unique_ptr<Runtime> Front;
  std::atomic<Runtime *> Open{nullptr};
  cudaError_t Error = cudaSuccess;
};

/// Never destroyed.
Process &process() {
  static Process *Only = new Process;
  return *Only;
}

const char *environment(const char *Name) { return std::getenv(Name); }

std::string programName() {
  char Buffer[4096];
  ssize_t Length = readlink("/proc/self/exe", Buffer, sizeof(Buffer));
  std::string Path(Buffer, Length > 0 ? static_cast<size_t>(Length) : 0);
  return Path.substr(Path.rfind('/') + 1);
}

Result<std::unique_ptr<Device>> chooseDevice(const Options &Asked,
                                             Notes &Reasons) {
  if (Asked.Device == DeviceChoice::Emulated)
    return openEmulatedDevice(Asked, Reasons);
  Result<std::unique_ptr<Device>> Gpu = openCudaDevice(Asked);
  if (Gpu.ok() || Asked.Device == DeviceChoice::Cuda)
    return Gpu;
  Reasons.add("", "no GPU, running emulated: " + Gpu.status().message());
  return openEmulatedDevice(Asked, Reasons);
}

/// Ends the launches in flight and the recording, and explains.
void finishFront() {
  Process &P = process();
  if (P.Front) {
    Status Done = P.Front->finish();
    if (!Done.ok())
      complain(Done.message());
  }
  if (!P.Asked.Explain)
    return;
  for (const std::string &Each : P.Registered.problems())
    P.Reasons.add("", Each);
  for (const std::string &Each : absentCalls())
    P.Reasons.add("", Each);
  std::fputs(P.Reasons.text().c_str(), stderr);
  if (P.Front)
    complain(P.Front->explained());
}

/// Runs when the program exits, before destructors of objects that are older
/// than the first CUDA call.
void finishProcess() {
  try {
    finishFront();
  } catch (const std::bad_alloc &) {
    std::fputs("BlockMaestro: no memory to end the program\n", stderr);
  }
}

cudaError_t openFailed(Process &P, cudaError_t Error, const Status &Why) {
  P.Reasons.add("", Why.message());
  return Error;
}

cudaError_t openProcess(Process &P) {
  for (const std::string &Each : unknownVariables(environ))
    complain(Each);
  Result<Options> Asked = parseOptions(environment);
  if (!Asked.ok()) {
    complain(Asked.status().message());
    return cudaErrorInvalidValue;
  }
  P.Asked = *Asked;
  Result<std::string> Name =
      recordName(P.Asked.RecordPath, environment, getpid());
  if (!Name.ok()) {
    complain(Name.status().message());
    return cudaErrorInvalidValue;
  }
  P.Asked.RecordNameNow = [Pattern = P.Asked.RecordPath, First = *Name] {
    Result<std::string> Now = recordName(Pattern, environment, getpid());
    return Now.ok() ? *Now : First;
  };
  P.Asked.RecordPath = *Name;
  std::string Refusal = P.Registered.refusal();
  if (!Refusal.empty())
    return openFailed(P, cudaErrorNotSupported,
                      Status(StatusCode::Unsupported, Refusal));
  Status Chosen = chooseMachine(P.Asked.Machine);
  if (!Chosen.ok()) {
    complain("BLOCKMAESTRO_MACHINE: " + Chosen.message());
    return cudaErrorInvalidValue;
  }
  Result<std::unique_ptr<Device>> Machine = chooseDevice(P.Asked, P.Reasons);
  if (!Machine.ok())
    return openFailed(P, cudaErrorNoDevice, Machine.status());
  P.Machine = std::move(*Machine);
  Status Offered = P.Machine->offers(P.Asked.Executor);
  if (!Offered.ok()) {
    complain(Offered.message() + "; running serial");
    P.Asked.Executor = {ExecutorKind::Serial};
    P.Asked.ExecutorText = "serial";
  }
  auto Front =
      std::make_unique<Runtime>(*P.Machine, P.Registered, P.Reasons, P.Asked);
  Status Started = Front->start(programName());
  if (!Started.ok()) {
    complain(Started.message());
    return cudaErrorInvalidValue;
  }
  Front->takeRegistered();
  P.Front = std::move(Front);
  return cudaSuccess;
}

/// Names the files whose kernels another CUDA runtime has.
void nameUnclaimed() {
  for (const std::string &File : process().Registered.takeUnclaimed())
    complain("the kernels of '" + File +
             "' run without BlockMaestro: their code went to another CUDA "
             "runtime, such as libcudart_static.a in a library; bmnvcc and "
             "bmclang++ -fblockmaestro link ours in its place");
}

void openOnce(Process &P) {
  P.Error = openProcess(P);
  nameUnclaimed();
  nameClosedLibraries();
  P.Open.store(P.Front.get(), std::memory_order_release);
  std::atexit(finishProcess);
}

} // namespace

Registry &processRegistry() { return process().Registered; }

void announceRecords(const void *Data, size_t Bytes) {
  static const int AtEnd = std::atexit(nameUnclaimed);
  (void)AtEnd;
  processRegistry().addRecordsOfNext(static_cast<const uint8_t *>(Data), Bytes);
}

Runtime *openRuntime(cudaError_t &Error) {
  Process &P = process();
  if (Runtime *Open = P.Open.load(std::memory_order_acquire))
    return Open;
  std::call_once(P.Once, openOnce, P);
  Error = P.Error;
  return P.Open.load(std::memory_order_acquire);
}

Runtime *runtimeIfOpen() {
  return process().Open.load(std::memory_order_acquire);
}

void nameClosedLibraries() {
  Process &P = process();
  if (!P.Machine || P.Machine->runsClosedCode())
    return;
  std::lock_guard<std::mutex> Held(P.LibraryLock);
  std::string Sentence = P.Libraries.sentence();
  if (!Sentence.empty())
    complain(Sentence);
}

void noteReason(const std::string &About, const std::string &Why) {
  process().Reasons.add(About, Why);
}

void sayFailure(const std::string &Why) { process().Reasons.addFailure(Why); }

void unregisterModule(RegisteredModule *Module) {
  if (Runtime *Front = runtimeIfOpen())
    Front->removeModule(*Module);
  else
    processRegistry().removeModule(Module,
                                   [](const void *, const KernelRecord *) {});
}

} // namespace blockmaestro
