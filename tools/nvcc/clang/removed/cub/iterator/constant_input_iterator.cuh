// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An iterator of CUB that is Thrust's now.

#pragma once
#include <blockmaestro/removed_mark.h>
#include <cstddef>
#include <thrust/iterator/constant_iterator.h>

namespace cub {
template <typename Value, typename Offset = std::ptrdiff_t>
using ConstantInputIterator
    BLOCKMAESTRO_REMOVED("thrust::constant_iterator") =
        thrust::constant_iterator<Value>;
} // namespace cub
