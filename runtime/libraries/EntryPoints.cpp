// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The exported functions of cuBLAS, cuFFT and cuRAND: programs that are linked
// with -fblockmaestro find them in our runtime in place of NVIDIA's libraries.
//
// Note [Calls of libraries]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// A function of names/*.def is one jump through a slot of its own. The slot
// first leads to resolveLibraryCall(), which finds out what the call means on
// the device of this process and puts that into the slot: the function of the
// same name in NVIDIA's library on a GPU, ours on the emulated device. A jump
// keeps registers and stack, so that no function's type is needed here, and
// those that we do not implement are forwarded too. On the emulated device they
// return their library's code for what is not supported, and are named once.

#include "StandIn.h"

#include "InstallPaths.h"
#include "Process.h"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <iterator>
#include <mutex>
#include <string>

using namespace blockmaestro;

#define BM_FUNCTION(Name)                                                      \
  __asm__(".text\n.p2align 4\n.globl " #Name "\n.type " #Name ",@function\n"   \
          "" #Name ":\n\tjmpq *.Lslot." #Name "(%rip)\n"                       \
          ".Lfirst." #Name ":\n\tleaq .Lslot." #Name "(%rip), %r11\n"          \
          "\tjmp blockmaestroFirstLibraryCall\n"                               \
          ".size " #Name ", . - " #Name "\n"                                   \
          ".pushsection blockmaestro_slots,\"aw\",@progbits\n.p2align 3\n"     \
          ".Lslot." #Name ": .quad .Lfirst." #Name "\n.popsection\n");
#include "names/Cublas.def"
#include "names/CublasLt.def"
#include "names/Cufft.def"
#include "names/Curand.def"
#undef BM_FUNCTION

// Keeps what a function may get arguments in while the slot at %r11 is filled.
__asm__(R"(
.text
.p2align 4
.hidden blockmaestroFirstLibraryCall
.type blockmaestroFirstLibraryCall,@function
blockmaestroFirstLibraryCall:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq $192, %rsp
	movq %rdi, (%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	movq %rcx, 24(%rsp)
	movq %r8, 32(%rsp)
	movq %r9, 40(%rsp)
	movq %rax, 48(%rsp)
	movq %r10, 56(%rsp)
	movaps %xmm0, 64(%rsp)
	movaps %xmm1, 80(%rsp)
	movaps %xmm2, 96(%rsp)
	movaps %xmm3, 112(%rsp)
	movaps %xmm4, 128(%rsp)
	movaps %xmm5, 144(%rsp)
	movaps %xmm6, 160(%rsp)
	movaps %xmm7, 176(%rsp)
	movq %r11, %rdi
	callq blockmaestroResolveLibraryCall
	movq %rax, %r11
	movq (%rsp), %rdi
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rdx
	movq 24(%rsp), %rcx
	movq 32(%rsp), %r8
	movq 40(%rsp), %r9
	movq 48(%rsp), %rax
	movq 56(%rsp), %r10
	movaps 64(%rsp), %xmm0
	movaps 80(%rsp), %xmm1
	movaps 96(%rsp), %xmm2
	movaps 112(%rsp), %xmm3
	movaps 128(%rsp), %xmm4
	movaps 144(%rsp), %xmm5
	movaps 160(%rsp), %xmm6
	movaps 176(%rsp), %xmm7
	leave
	.cfi_def_cfa %rsp, 8
	jmpq *%r11
	.cfi_endproc
.size blockmaestroFirstLibraryCall, . - blockmaestroFirstLibraryCall
)");

/// One for each row of the names, in their order.
extern "C" std::atomic<void *>
    FirstLibrarySlot[] __asm__("__start_blockmaestro_slots")
        __attribute__((visibility("hidden")));

namespace {

#define BM_FUNCTION(Name) #Name,
constexpr const char *CublasNames[] = {
#include "names/Cublas.def"
};
constexpr const char *CublasLtNames[] = {
#include "names/CublasLt.def"
};
constexpr const char *CufftNames[] = {
#include "names/Cufft.def"
};
constexpr const char *CurandNames[] = {
#include "names/Curand.def"
};
#undef BM_FUNCTION

/// What every function of a library returns, by what it has.
template <int Status> int always() { return Status; }

struct LibraryRow {
  std::span<const char *const> Names;
  const char *File; ///< NVIDIA's.
  std::span<const LibraryFunction> (*Functions)();
  int (*NotThere)();
  int (*NotReady)();
};

/// Of a library that we do not have, or that this build is without.
std::span<const LibraryFunction> nothing() { return {}; }

#ifdef BLOCKMAESTRO_CUBLAS
constexpr auto OurCublas = cublasFunctions;
#else
constexpr auto OurCublas = nothing;
#endif
#ifdef BLOCKMAESTRO_CUFFT
constexpr auto OurCufft = cufftFunctions;
#else
constexpr auto OurCufft = nothing;
#endif
#ifdef BLOCKMAESTRO_CURAND
constexpr auto OurCurand = curandFunctions;
#else
constexpr auto OurCurand = nothing;
#endif

constexpr LibraryRow Libraries[] = {
    {CublasNames, "libcublas.so.13", OurCublas, always<15>, always<1>},
    {CublasLtNames, "libcublasLt.so.13", nothing, always<15>, always<1>},
    {CufftNames, "libcufft.so.12", OurCufft, always<16>, always<7>},
    {CurandNames, "libcurand.so.10", OurCurand, always<999>, always<203>}};

std::mutex OpenLock;

template <typename Function> void *addressOf(Function *Of) {
  return reinterpret_cast<void *>(Of);
}

/// Opens NVIDIA's library once. What it launches comes behind all that an
/// executor has gathered: nothing more is gathered once it is there.
void *openClosed(const LibraryRow &Which, Runtime &Front) {
  static void *Opened[std::size(Libraries)];
  std::lock_guard<std::mutex> Held(OpenLock);
  void *&Mine = Opened[&Which - Libraries];
  if (Mine)
    return Mine;
  for (const std::string &Place : cudaLibraryPlaces())
    if (!Mine)
      Mine = dlopen((Place + Which.File).c_str(),
                    RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (Mine)
    (void)Front.fence(Which.File);
  return Mine;
}

void *onGpu(const LibraryRow &Which, const char *Name, Runtime &Front) {
  void *Library = openClosed(Which, Front);
  void *Found = Library ? dlsym(Library, Name) : nullptr;
  if (!Library)
    sayFailure(std::string(Which.File) +
               " is not on the library path, in CUDA_HOME or in "
               "/usr/local/cuda; its calls fail");
  else if (!Found)
    sayFailure(std::string(Which.File) + " has no " + Name);
  return Found ? Found : addressOf(Which.NotThere);
}

void *onEmulated(const LibraryRow &Which, const char *Name) {
  std::span<const LibraryFunction> All = Which.Functions();
  auto Found =
      std::find_if(All.begin(), All.end(), [&](const LibraryFunction &Each) {
        return Each.Name == Name;
      });
  if (Found != All.end())
    return Found->Function;
  sayFailure(std::string(Name) + " is not on the emulated device");
  return addressOf(Which.NotThere);
}

/// What the function of this number is on the device of this process.
void *resolve(size_t Index, std::atomic<void *> &Slot) {
  const LibraryRow *Which = Libraries;
  for (; Index >= Which->Names.size(); ++Which)
    Index -= Which->Names.size();
  cudaError_t Error = cudaSuccess;
  Runtime *Front = openRuntime(Error);
  if (!Front)
    return addressOf(Which->NotReady);
  const char *Name = Which->Names[Index];
  void *Found = Front->runsClosedCode() ? onGpu(*Which, Name, *Front)
                                        : onEmulated(*Which, Name);
  Slot.store(Found, std::memory_order_release);
  return Found;
}

} // namespace

extern "C" __attribute__((visibility("hidden"), used)) void *
blockmaestroResolveLibraryCall(std::atomic<void *> *Slot) noexcept {
  try {
    return resolve(size_t(Slot - FirstLibrarySlot), *Slot);
  } catch (...) {
    return addressOf(always<1>);
  }
}
