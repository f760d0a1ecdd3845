// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The exported calls by which objects register their kernels, variables and
// records. No exception leaves this file.

#include "Registration.h"

#include "Process.h"

#include <atomic>
#include <string>

using namespace blockmaestro;

namespace {

/// Something the program registered was lost.
std::atomic<bool> RegistrationFailed{false};

/// Runs a part of the registration, which has no way to report a failure.
template <typename Body> void guardedRegistration(Body Run) noexcept {
  try {
    Run();
  } catch (...) {
    RegistrationFailed = true;
  }
}

/// The same for a part of a module; without one its beginning has failed.
template <typename Body> void withModule(void **Handle, Body Run) noexcept {
  if (auto *Module = reinterpret_cast<RegisteredModule *>(Handle))
    guardedRegistration([&] { Run(*Module); });
}

} // namespace

bool blockmaestro::registrationFailed() {
  return RegistrationFailed.load(std::memory_order_relaxed);
}

extern "C" {

void __blockmaestro_register(const void *Data, size_t Bytes) {
  guardedRegistration([&] {
    processRegistry().addRecords(static_cast<const uint8_t *>(Data), Bytes);
  });
}

void __blockmaestro_register_module(const void *Data, size_t Bytes) {
  guardedRegistration([&] { announceRecords(Data, Bytes); });
}

void **__cudaRegisterFatBinary(void *FatBinary) {
  RegisteredModule *Begun = nullptr;
  guardedRegistration(
      [&] { Begun = processRegistry().beginModule(FatBinary); });
  return reinterpret_cast<void **>(Begun);
}

void __cudaRegisterFatBinaryEnd(void **Handle) {
  withModule(Handle, [](RegisteredModule &Module) {
    processRegistry().endModule(&Module);
    if (Runtime *Front = runtimeIfOpen())
      Front->takeRegistered();
  });
}

void __cudaUnregisterFatBinary(void **Handle) {
  withModule(Handle,
             [](RegisteredModule &Module) { unregisterModule(&Module); });
}

void __cudaRegisterFunction(void **Handle, const char *Stub, char *,
                            const char *Symbol, int ThreadLimit, uint3 *,
                            uint3 *, dim3 *, dim3 *, int *) {
  withModule(Handle, [&](RegisteredModule &Module) {
    processRegistry().addFunction(&Module, {Stub, Symbol, ThreadLimit});
  });
}

void __cudaRegisterVar(void **Handle, char *Host, char *, const char *Symbol,
                       int Extern, size_t Bytes, int Constant, int) {
  withModule(Handle, [&](RegisteredModule &Module) {
    processRegistry().addVariable(
        &Module, {Host, Symbol, Bytes, Constant != 0, Extern != 0});
  });
}

/// Its variable stays a null pointer on the host, so the program cannot work.
void __cudaRegisterManagedVar(void **, void **, char *, const char *Symbol, int,
                              size_t, int, int) {
  guardedRegistration([&] {
    processRegistry().refuse(std::string("the __managed__ variable ") + Symbol +
                             " is not supported");
  });
}

} // extern "C"
