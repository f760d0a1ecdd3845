// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HelperThread.h"

#include <cstddef>
#include <cstdint>
#include <pthread.h>
#include <unistd.h>
#include <xmmintrin.h>

namespace blockmaestro {
namespace {

constexpr unsigned KernelControlWord = 0x1f80;
constexpr size_t EnoughStack = size_t(1) << 20;

/// The lowest address of this thread's stack; 0 for the first thread, whose
/// stack grows, and the highest address where it cannot be told.
uintptr_t stackEnd() {
  if (gettid() == getpid())
    return 0;
  pthread_attr_t Attributes;
  if (pthread_getattr_np(pthread_self(), &Attributes) != 0)
    return UINTPTR_MAX;
  void *Lowest = nullptr;
  size_t Bytes = 0;
  bool Known = pthread_attr_getstack(&Attributes, &Lowest, &Bytes) == 0;
  pthread_attr_destroy(&Attributes);
  return Known ? reinterpret_cast<uintptr_t>(Lowest) : UINTPTR_MAX;
}

} // namespace

void useKernelArithmetic() { _mm_setcsr(KernelControlWord); }

bool HelperThread::mayHelp() {
  thread_local const uintptr_t End = stackEnd();
  const auto Here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return End < Here && Here - End > EnoughStack;
}

HelperThread::HelperThread() : Before(_mm_getcsr()) { useKernelArithmetic(); }

HelperThread::~HelperThread() { _mm_setcsr(Before); }

} // namespace blockmaestro
