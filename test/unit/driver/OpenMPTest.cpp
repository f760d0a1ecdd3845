// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where libomp is found, and what is said where it is not.

#include "OpenMP.h"

#include "llvm/Support/FileSystem.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace blockmaestro;
namespace fs = std::filesystem;

namespace {

TEST(OpenMP, NamesThePackageWithoutLibomp) {
  fs::path Root = fs::temp_directory_path() / "blockmaestro-openmp-test";
  fs::remove_all(Root);
  fs::create_directories(Root / "with");
  fs::create_directories(Root / "without");
  std::ofstream(Root / "with" / "libomp.so") << "";
  const std::string With = Root / "with", Without = Root / "without";
  EXPECT_FALSE(llvm::errorToBool(checkOpenMPRuntime({Without, With})));
  EXPECT_EQ(toString(checkOpenMPRuntime({Without})),
            "cannot find libomp, which '-fopenmp' needs; install "
            "libomp-22-dev");
  fs::remove_all(Root);
}

TEST(OpenMP, LooksWhereTheCommandLineSaysFirst) {
  CommandLine Command;
  Command.LibraryFolders = {"first", "second"};
  std::vector<std::string> Folders = openMPFolders(Command, "missing");
  ASSERT_GE(Folders.size(), 3u);
  EXPECT_EQ(Folders[0], "first");
  EXPECT_EQ(Folders[1], "second");
}

} // namespace
