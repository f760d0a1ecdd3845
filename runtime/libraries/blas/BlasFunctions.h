// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the parts that cuBLAS is made of here, as rows.
// On the data's way: joined by Cublas.cpp. Threads: constant.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_BLAS_BLASFUNCTIONS_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_BLAS_BLASFUNCTIONS_H

#include "StandIn.h"

#include <vector>

namespace blockmaestro::blas {

using Rows = std::vector<LibraryFunction>;

Rows handleRows();
Rows transferRows();
Rows vectorRows();
Rows matrixVectorRows();
Rows symmetricVectorRows();
Rows triangularRows();
Rows gemmRows();
Rows mixedGemmRows();
Rows matrixRows();
Rows extensionRows();
Rows factorRows();

} // namespace blockmaestro::blas

#endif
