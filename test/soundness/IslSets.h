// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: an access of a launch as an isl set, to count it by other means
// than trying its points.
// On the data's way: tests only. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_ISLSETS_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_ISLSETS_H

#include "Instance.h"

namespace blockmaestro::soundness {

/// The bytes of A in Block according to isl; none when they are not affine or
/// too many. A must not be degraded at the launch.
std::optional<Bytes> bytesByIsl(const Instance &I, const Access &A, Dim3 Block);

} // namespace blockmaestro::soundness

#endif
