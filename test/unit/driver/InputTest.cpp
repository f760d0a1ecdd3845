// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the driver takes from the name of a file or library.

#include "Input.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using llvm::StringRef;

namespace {

struct InputRow {
  StringRef Name, Language;
  InputKind Kind;
};

TEST(Input, NamesAndLanguagesSayWhatAFileIs) {
  const InputRow Rows[] = {
      {"a.cu", "", InputKind::Cuda},
      {"a.cui", "", InputKind::Cuda},
      {"dir.cu/a.cpp", "", InputKind::Cxx},
      {"a.cu", "c++", InputKind::Cxx},
      {"a.txt", "cuda", InputKind::Cuda},
      {"-", "cuda", InputKind::Cuda},
      {"-", "", InputKind::Other},
      {"a.hpp", "", InputKind::Header},
      {"a.hpp", "cuda", InputKind::Cuda},
      {"a.x", "c++-header", InputKind::Header},
      {"a.o", "", InputKind::Other},
      {"liba.so.1", "", InputKind::Other},
  };
  for (const InputRow &Row : Rows)
    EXPECT_EQ(kindOfInput(Row.Name, Row.Language), Row.Kind)
        << Row.Name.str() << " as " << Row.Language.str();
}

TEST(Input, NvidiasRuntimeIsRecognised) {
  for (StringRef Yes : {"-lcudart", "-lcudart_static", "-l:libcudart.so.13",
                        "/usr/local/cuda/lib64/libcudart.so",
                        "libcudart_static.a", "/x/libcudart.so.13.0.48",
                        "-lcublas", "-lcublasLt_static", "-l:libcurand.so.10",
                        "/x/libcufft_static_nocallback.a", "libcublas.so"})
    EXPECT_TRUE(namesCudaRuntime(Yes)) << Yes.str();
  for (StringRef No : {"-lcuda", "-lcudadevrt", "-lcudartx", "cudart",
                       "libcudart.cu", "libcudadevrt.a", "-Lcudart", "-lcufftw",
                       "-lcusolver", "libcublas.h", "-lculibos"})
    EXPECT_FALSE(namesCudaRuntime(No)) << No.str();
}

} // namespace
