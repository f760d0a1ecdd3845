// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What clang reads in front of every CUDA program, and nothing else: a program
// that forgets an include is still found, and a program pays for headers that
// it does not use, precompiled too.
