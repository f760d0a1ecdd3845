// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaLibrary.h"

#include "AbsentCalls.h"
#include "InstallPaths.h"

#include <dlfcn.h>

namespace blockmaestro {
namespace {

std::string libraryName() {
  return "libcudart.so." + std::to_string(CUDART_VERSION / 1000);
}

void *openAnywhere() {
  for (const std::string &Place : cudaLibraryPlaces())
    if (void *Found = dlopen((Place + libraryName()).c_str(),
                             RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND))
      return Found;
  return nullptr;
}

/// Finds symbols of one library and remembers the first it cannot do without.
struct Finder {
  void *Library;
  std::string Missing;

  template <typename Pointer> void find(Pointer &Into, const char *Name) {
    Into = reinterpret_cast<Pointer>(dlsym(Library, Name));
    if (!Into && Missing.empty())
      Missing = Name;
  }

  /// A call that can fail may be missing: an older runtime lacks the newest.
  template <ApiCall Which, typename... Parameters>
  void findCall(cudaError_t (*&Into)(Parameters...), const char *Name) {
    using Pointer = cudaError_t (*)(Parameters...);
    Into = reinterpret_cast<Pointer>(dlsym(Library, Name));
    if (!Into)
      Into = absentCall<Which, AbsentFrom::CudaRuntime>(Into);
  }

  template <ApiCall Which, typename Pointer>
  void findCall(Pointer &Into, const char *Name) {
    find(Into, Name);
  }
};

} // namespace

Result<CudaLibrary> openCudaLibrary() {
  if (!dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL))
    return Status(StatusCode::NotFound, "there is no CUDA driver");
  void *Library = openAnywhere();
  if (!Library)
    return Status(StatusCode::NotFound,
                  "there is a CUDA driver, but no " + libraryName() +
                      " on the library path, in CUDA_HOME or in "
                      "/usr/local/cuda");
  Finder In{Library, ""};
  CudaLibrary Out;
#define BM_CALL(Return, Name, Parameters, Arguments, Effect, Emulated, Twin,   \
                Remark)                                                        \
  In.findCall<ApiCall::Name>(Out.Calls.Name, #Name);
#include "Api.def"
#undef BM_CALL
  RegistrationCalls &Start = Out.Registration;
  In.find(Start.RegisterFatBinary, "__cudaRegisterFatBinary");
  In.find(Start.RegisterFatBinaryEnd, "__cudaRegisterFatBinaryEnd");
  In.find(Start.UnregisterFatBinary, "__cudaUnregisterFatBinary");
  In.find(Start.RegisterFunction, "__cudaRegisterFunction");
  In.find(Start.RegisterVar, "__cudaRegisterVar");
  if (!In.Missing.empty())
    return Status(StatusCode::NotFound,
                  libraryName() + " has no " + In.Missing);
  return Out;
}

} // namespace blockmaestro
