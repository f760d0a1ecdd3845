// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LocalGpu.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Process.h"

#include <cerrno>
#include <csignal>
#include <dlfcn.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace blockmaestro {
namespace {

constexpr llvm::StringLiteral EmulatedArchitecture = "sm_90";

/// For each library.
constexpr int LimitMilliseconds = 1000;

struct Capability {
  int Major = 0;
  int Minor = 0;
};

template <typename Signature>
Signature *function(void *Library, const char *Name) {
  return reinterpret_cast<Signature *>(dlsym(Library, Name));
}

/// By NVIDIA's management library: quick, and without a context on the GPU.
bool askManagement(void *Library, Capability &Out) {
  auto *Start = function<int()>(Library, "nvmlInit_v2");
  auto *Find = function<int(unsigned, void **)>(
      Library, "nvmlDeviceGetHandleByIndex_v2");
  auto *Ask = function<int(void *, int *, int *)>(
      Library, "nvmlDeviceGetCudaComputeCapability");
  void *Device = nullptr;
  return Start && Find && Ask && Start() == 0 && Find(0, &Device) == 0 &&
         Ask(Device, &Out.Major, &Out.Minor) == 0;
}

/// By the CUDA driver, which is there in every container with a GPU.
bool askDriver(void *Library, Capability &Out) {
  constexpr int MajorAttribute = 75, MinorAttribute = 76;
  auto *Start = function<int(unsigned)>(Library, "cuInit");
  auto *Find = function<int(int *, int)>(Library, "cuDeviceGet");
  auto *Ask = function<int(int *, int, int)>(Library, "cuDeviceGetAttribute");
  int Device = 0;
  return Start && Find && Ask && Start(0) == 0 && Find(&Device, 0) == 0 &&
         Ask(&Out.Major, MajorAttribute, Device) == 0 &&
         Ask(&Out.Minor, MinorAttribute, Device) == 0;
}

struct Source {
  const char *Library;
  bool (*Ask)(void *Library, Capability &Out);
};

const Source Sources[] = {{"libnvidia-ml.so.1", askManagement},
                          {"libcuda.so.1", askDriver}};

/// Asks in a child and writes the answer into the pipe; never returns.
[[noreturn]] void answer(const Source &From, void *Library, int Pipe) {
  Capability Found;
  bool Sent = From.Ask(Library, Found) &&
              write(Pipe, &Found, sizeof(Found)) == sizeof(Found);
  _exit(Sent ? 0 : 1);
}

/// What the child writes within the limit; nothing if it does not.
bool readInTime(int Pipe, Capability &Out) {
  pollfd Waiting{Pipe, POLLIN, 0};
  int Ready = 0;
  do
    Ready = poll(&Waiting, 1, LimitMilliseconds);
  while (Ready < 0 && errno == EINTR);
  return Ready == 1 && read(Pipe, &Out, sizeof(Out)) == sizeof(Out);
}

bool askInChild(const Source &From, void *Library, Capability &Out) {
  int Pipe[2];
  if (pipe(Pipe) != 0)
    return false;
  pid_t Child = fork();
  if (Child == 0)
    answer(From, Library, Pipe[1]);
  close(Pipe[1]);
  bool Known = Child > 0 && readInTime(Pipe[0], Out);
  close(Pipe[0]);
  if (Child > 0) {
    kill(Child, SIGKILL);
    waitpid(Child, nullptr, Known ? 0 : WNOHANG);
  }
  return Known;
}

} // namespace

std::optional<std::string> localArchitecture() {
  for (const Source &From : Sources) {
    void *Library = dlopen(From.Library, RTLD_LAZY | RTLD_LOCAL);
    Capability Found;
    if (Library && askInChild(From, Library, Found))
      return "sm_" + std::to_string(Found.Major) + std::to_string(Found.Minor);
  }
  return std::nullopt;
}

std::string defaultArchitecture() {
  std::optional<std::string> Local;
  if (llvm::sys::Process::GetEnv("BLOCKMAESTRO_DEVICE") != "emulated")
    Local = localArchitecture();
  return Local.value_or(EmulatedArchitecture.str());
}

} // namespace blockmaestro
