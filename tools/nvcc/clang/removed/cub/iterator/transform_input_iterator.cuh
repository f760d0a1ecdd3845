// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An iterator of CUB that is Thrust's now.

#pragma once
#include <blockmaestro/removed_mark.h>
#include <cstddef>
#include <thrust/iterator/transform_iterator.h>

namespace cub {
template <typename Value, typename Conversion, typename Iterator,
          typename Offset = std::ptrdiff_t>
using TransformInputIterator
    BLOCKMAESTRO_REMOVED("thrust::transform_iterator") =
        thrust::transform_iterator<Conversion, Iterator, Value>;
} // namespace cub
