// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs include the toolkit's header of this name themselves; clang has read
// what is in it already, and takes it only once.
