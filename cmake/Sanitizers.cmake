# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# BM_SANITIZERS: what -fsanitize= takes, or nothing; everything of the tree is
# then built with it. The sanitizer's runtime is a shared library, so that our
# shared libraries still link with -z defs, and a program that is not
# instrumented (clang, a test's CUDA program) can load one of them when
# BM_SANITIZER_RUNTIME is preloaded into it; test/lit.cfg.py does that.

set(BM_SANITIZERS "" CACHE STRING "Sanitizers, as in -fsanitize=")
set(BM_SANITIZER_RUNTIME "")

# What surrounds us is not instrumented: LLVM does not undo what our copy of an
# arena's template has poisoned, nor show ThreadSanitizer its atomics; clang
# leaks on purpose; dd asks for memory in a way that is not allowed.
set(BM_SANITIZER_ENVIRONMENT
  ASAN_OPTIONS=allow_user_poisoning=0:detect_leaks=0:allocator_may_return_null=1
  UBSAN_OPTIONS=print_stacktrace=1
  TSAN_OPTIONS=ignore_noninstrumented_modules=1)
if(BM_SANITIZERS)
  add_compile_options(-fsanitize=${BM_SANITIZERS} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -shared-libsan)
  add_link_options(-fsanitize=${BM_SANITIZERS} -shared-libsan)

  set(runtime asan)
  if(BM_SANITIZERS MATCHES "thread")
    set(runtime tsan)
  endif()
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.${runtime}-x86_64.so
    OUTPUT_VARIABLE BM_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT EXISTS ${BM_SANITIZER_RUNTIME})
    message(FATAL_ERROR "no runtime for -fsanitize=${BM_SANITIZERS}: "
      "install libclang-rt-22-dev")
  endif()
  cmake_path(GET BM_SANITIZER_RUNTIME PARENT_PATH folder)
  add_link_options(-Wl,-rpath,${folder})
endif()
