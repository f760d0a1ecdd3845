// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A library to preload that lets one allocation or thread creation of
// BlockMaestro's runtime fail, once.
//
// What counts is who asks: walking the stack up from malloc, operator new, mmap
// or pthread_create, past the C++ library and libc, the first function must lie
// in libblockmaestro.so or libblockmaestro-emulator.so. Where it asks from is
// the stack of the runtime's functions and those above, as a hash of offsets
// in their files: the same in every run of a program.
//
//   INJECT_LOG=FILE    writes a line for each place the first time it is seen:
//                      hash, kind, frames
//   INJECT_AT=HASH     the first request from this place fails
//   INJECT_HIT=FILE    is made when that happened

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
}

namespace {

enum class Owner { Runtime, Library, Other };

/// A loaded file's code.
struct Module {
  uintptr_t Begin, End, Base;
  Owner Whose;
  char Name[48];
};

constexpr int MaxModules = 256, MaxFrames = 24, MaxPlaces = 1 << 14;

struct Modules {
  Module Rows[MaxModules];
  std::atomic<int> Count{0};
};

Modules Known;
std::atomic<uint64_t> Places[MaxPlaces];
std::atomic<bool> Done{false};
std::atomic<int> Log{-2};
thread_local bool Inside __attribute__((tls_model("initial-exec"))) = false;

Owner ownerOf(const char *Name) {
  if (std::strncmp(Name, "libblockmaestro", 15) == 0)
    return Owner::Runtime;
  for (const char *Library :
       {"libstdc++", "libc.so", "libgcc_s", "libinject", "libm.so", "ld-linux"})
    if (std::strncmp(Name, Library, std::strlen(Library)) == 0)
      return Owner::Library;
  return Owner::Other;
}

const Module *find(uintptr_t Address) {
  const int Count = Known.Count.load(std::memory_order_acquire);
  for (int I = 0; I < Count; ++I)
    if (Address >= Known.Rows[I].Begin && Address < Known.Rows[I].End)
      return &Known.Rows[I];
  return nullptr;
}

/// Adds the executable segments that are not known yet. Called inside the
/// loader's lock, so one at a time.
int addModule(dl_phdr_info *Info, size_t, void *) {
  const char *Slash = std::strrchr(Info->dlpi_name, '/');
  const char *Name = Slash ? Slash + 1 : Info->dlpi_name;
  for (int I = 0; I < Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &Header = Info->dlpi_phdr[I];
    const int At = Known.Count.load();
    if (Header.p_type != PT_LOAD || !(Header.p_flags & PF_X) ||
        At == MaxModules || find(Info->dlpi_addr + Header.p_vaddr))
      continue;
    Module &M = Known.Rows[At];
    M.Base = Info->dlpi_addr;
    M.Begin = M.Base + Header.p_vaddr;
    M.End = M.Begin + Header.p_memsz;
    M.Whose = ownerOf(Name);
    std::snprintf(M.Name, sizeof M.Name, "%s", *Name ? Name : "program");
    Known.Count.store(At + 1, std::memory_order_release);
  }
  return 0;
}

const Module *moduleOf(uintptr_t Address) {
  const Module *M = find(Address);
  if (M)
    return M;
  dl_iterate_phdr(addModule, nullptr);
  return find(Address);
}

/// The frames from the first one that is no library's, if it is the runtime's.
struct Stack {
  bool Ours = false, Decided = false;
  int Count = 0;
  uint64_t Hash = 1469598103934665603u;
  const Module *Modules[MaxFrames];
  uintptr_t Offsets[MaxFrames];
};

_Unwind_Reason_Code addFrame(_Unwind_Context *Context, void *Argument) {
  Stack &S = *static_cast<Stack *>(Argument);
  const uintptr_t Address = _Unwind_GetIP(Context);
  const Module *M = moduleOf(Address);
  const Owner Whose = M ? M->Whose : Owner::Other;
  if (!S.Decided && Whose != Owner::Library) {
    S.Decided = true;
    S.Ours = Whose == Owner::Runtime;
  }
  if (S.Decided && !S.Ours)
    return _URC_END_OF_STACK;
  if (Whose == Owner::Runtime) {
    S.Modules[S.Count] = M;
    S.Offsets[S.Count++] = Address - M->Base;
    S.Hash = (S.Hash ^ (Address - M->Base)) * 1099511628211u;
  }
  return S.Count == MaxFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/// Whether this is the first request from the place, ever.
bool isNew(uint64_t Hash) {
  for (uint64_t I = Hash;; ++I) {
    uint64_t Empty = 0;
    std::atomic<uint64_t> &Slot = Places[I % MaxPlaces];
    if (Slot.compare_exchange_strong(Empty, Hash))
      return true;
    if (Empty == Hash)
      return false;
  }
}

void write(const char *Kind, const Stack &S) {
  if (Log == -2) {
    const char *Name = std::getenv("INJECT_LOG");
    Log = Name ? open(Name, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
  }
  if (Log < 0)
    return;
  char Line[4096];
  int Size = std::snprintf(Line, sizeof Line, "%016llx %s",
                           static_cast<unsigned long long>(S.Hash), Kind);
  for (int I = 0; I < S.Count; ++I)
    Size += std::snprintf(Line + Size, sizeof Line - Size, " %s+0x%llx",
                          S.Modules[I]->Name,
                          static_cast<unsigned long long>(S.Offsets[I]));
  Line[Size++] = '\n';
  if (::write(Log, Line, Size) != Size)
    std::abort();
}

bool isChosen(uint64_t Hash) {
  const char *At = std::getenv("INJECT_AT");
  if (!At || std::strtoull(At, nullptr, 16) != Hash || Done.exchange(true))
    return false;
  if (const char *Hit = std::getenv("INJECT_HIT"))
    close(open(Hit, O_WRONLY | O_CREAT, 0644));
  return true;
}

/// Whether this request, made by the function that \p Caller returns to, fails.
bool fails(const char *Kind, void *Caller) {
  if (Inside)
    return false;
  Inside = true;
  const Module *M = moduleOf(reinterpret_cast<uintptr_t>(Caller));
  bool Fails = false;
  if (M && M->Whose != Owner::Other) {
    Stack S;
    _Unwind_Backtrace(addFrame, &S);
    if (S.Ours && isNew(S.Hash)) {
      write(Kind, S);
      Fails = isChosen(S.Hash);
    }
  }
  Inside = false;
  if (Fails)
    errno = ENOMEM;
  return Fails;
}

void *allocate(size_t Size, void *Caller) {
  void *P = fails("new", Caller) ? nullptr : __libc_malloc(Size ? Size : 1);
  if (!P)
    throw std::bad_alloc();
  return P;
}

void *allocateAligned(size_t Size, size_t Alignment, void *Caller) {
  void *P = fails("new", Caller) ? nullptr
                                 : __libc_memalign(Alignment, Size ? Size : 1);
  if (!P)
    throw std::bad_alloc();
  return P;
}

} // namespace

#define CALLER __builtin_return_address(0)
#define EXPORT __attribute__((visibility("default")))

EXPORT void *operator new(size_t Size) { return allocate(Size, CALLER); }
EXPORT void *operator new[](size_t Size) { return allocate(Size, CALLER); }
EXPORT void *operator new(size_t Size, std::align_val_t Alignment) {
  return allocateAligned(Size, static_cast<size_t>(Alignment), CALLER);
}
EXPORT void *operator new[](size_t Size, std::align_val_t Alignment) {
  return allocateAligned(Size, static_cast<size_t>(Alignment), CALLER);
}
EXPORT void *operator new(size_t Size, const std::nothrow_t &) noexcept {
  return fails("new", CALLER) ? nullptr : __libc_malloc(Size ? Size : 1);
}
EXPORT void *operator new[](size_t Size, const std::nothrow_t &) noexcept {
  return fails("new", CALLER) ? nullptr : __libc_malloc(Size ? Size : 1);
}

extern "C" {

EXPORT void *malloc(size_t Size) {
  return fails("malloc", CALLER) ? nullptr : __libc_malloc(Size);
}
EXPORT void *calloc(size_t Count, size_t Size) {
  return fails("malloc", CALLER) ? nullptr : __libc_calloc(Count, Size);
}
EXPORT void *realloc(void *Old, size_t Size) {
  return fails("malloc", CALLER) ? nullptr : __libc_realloc(Old, Size);
}
EXPORT void *aligned_alloc(size_t Alignment, size_t Size) {
  return fails("malloc", CALLER) ? nullptr : __libc_memalign(Alignment, Size);
}
EXPORT int posix_memalign(void **Out, size_t Alignment, size_t Size) {
  void *P =
      fails("malloc", CALLER) ? nullptr : __libc_memalign(Alignment, Size);
  if (!P)
    return ENOMEM;
  *Out = P;
  return 0;
}

EXPORT void *mmap(void *At, size_t Size, int Protection, int Flags, int File,
                  off_t Offset) {
  if (fails("mmap", CALLER))
    return MAP_FAILED;
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, At, Size, Protection, Flags, File, Offset));
}
EXPORT void *mmap64(void *At, size_t Size, int Protection, int Flags, int File,
                    off64_t Offset) {
  if (fails("mmap", CALLER))
    return MAP_FAILED;
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, At, Size, Protection, Flags, File, Offset));
}

EXPORT int pthread_create(pthread_t *Thread, const pthread_attr_t *Attributes,
                          void *(*Start)(void *), void *Argument) {
  using Create =
      int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (fails("thread", CALLER))
    return EAGAIN;
  static const auto Real =
      reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return Real(Thread, Attributes, Start, Argument);
}

} // extern "C"
