// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An iterator of CUB that is Thrust's now.

#pragma once
#include <blockmaestro/removed_mark.h>
#include <cstddef>
#include <thrust/iterator/counting_iterator.h>

namespace cub {
template <typename Value, typename Offset = std::ptrdiff_t>
using CountingInputIterator
    BLOCKMAESTRO_REMOVED("thrust::counting_iterator") =
        thrust::counting_iterator<Value, thrust::use_default,
                                  thrust::use_default, Offset>;
} // namespace cub
