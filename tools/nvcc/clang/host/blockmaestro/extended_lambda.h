// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what nvcc brings where lambdas are extended: its macro, and
// answers to what Thrust and others ask of lambdas.
// On the data's way: bmnvcc includes it in front of CUDA files then.
// Invariants: the macro is defined behind cuda_runtime.h, which otherwise
// includes <functional> before device code has malloc(), and clang's new of
// device code would call the host's.

#ifndef BLOCKMAESTRO_EXTENDED_LAMBDA_H
#define BLOCKMAESTRO_EXTENDED_LAMBDA_H

#define __CUDACC_EXTENDED_LAMBDA__ 1
// clang's lambdas are closures like any other, whose results both sides know.
#define __nv_is_extended_device_lambda_closure_type(Type) false
#define __nv_is_extended_host_device_lambda_closure_type(Type) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(Type) true
#ifdef __cplusplus
#include <functional>
#include <utility>
#endif

#endif
