// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which of several toolkits is taken.

#include "Cuda.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace blockmaestro;
namespace fs = std::filesystem;

namespace {

class CudaTest : public testing::Test {
protected:
  CudaTest() {
    char Name[] = "/tmp/cuda-test-XXXXXX";
    Root = mkdtemp(Name);
  }
  ~CudaTest() override { fs::remove_all(Root); }

  std::string toolkit(const std::string &Name) {
    fs::path Path = Root / Name;
    for (const char *Folder : {"include", "bin", "nvvm/libdevice"})
      fs::create_directories(Path / Folder);
    std::ofstream(Path / "include/cuda_runtime_api.h") << "";
    return Path.string();
  }
  std::string at(const std::string &Name) const {
    return (Root / Name).string();
  }

  fs::path Root;
};

TEST_F(CudaTest, NothingIsFoundInNoPlace) {
  EXPECT_EQ(findCuda({}), std::nullopt);
  EXPECT_EQ(noCudaMessage(), "cannot find a CUDA toolkit; give its folder "
                             "with --cuda-path= or in CUDA_HOME");
}

TEST_F(CudaTest, TheOrderIsNamedPathUsual) {
  CudaPlaces Places;
  Places.Named = {toolkit("named"), toolkit("second")};
  Places.OnPath = {toolkit("path")};
  Places.Parents = {at("local")};
  toolkit("local/cuda");
  Places.Usual = {toolkit("usual")};
  Places.Python = {at("python")};
  toolkit("python/lib/python3.12/site-packages/nvidia/cu13");
  const char *Order[] = {"named", "second", "path", "local/cuda", "usual"};
  for (const char *Next : Order) {
    EXPECT_EQ(findCuda(Places), at(Next));
    fs::remove_all(at(Next));
  }
  EXPECT_EQ(findCuda(Places),
            at("python/lib/python3.12/site-packages/nvidia/cu13"));
}

TEST_F(CudaTest, TheNewestOfSeveralVersionsIsTaken) {
  CudaPlaces Places;
  Places.Parents = {Root.string()};
  toolkit("cuda-9.2");
  toolkit("cuda-12.9");
  toolkit("cuda-13.0");
  EXPECT_EQ(findCuda(Places), at("cuda-13.0"));
  toolkit("cuda");
  EXPECT_EQ(findCuda(Places), at("cuda"));
}

TEST_F(CudaTest, AFolderWithoutHeadersOrLibdeviceIsNoToolkit) {
  CudaPlaces Places;
  Places.Named = {toolkit("broken")};
  fs::remove_all(at("broken/nvvm"));
  EXPECT_EQ(findCuda(Places), std::nullopt);
  const std::string Needs =
      " names, holds no CUDA toolkit: that has include/cuda_runtime_api.h, bin "
      "and nvvm/libdevice";
  EXPECT_EQ(wrongToolkitMessage(std::nullopt, Places),
            "'" + at("broken") + "', which CUDA_HOME or CUDA_PATH" + Needs);
  EXPECT_EQ(wrongToolkitMessage(at("broken"), {}),
            "'" + at("broken") + "', which --cuda-path=" + Needs);
  Places.Usual = {toolkit("whole")};
  EXPECT_EQ(findCuda(Places), at("whole"));
  EXPECT_EQ(wrongToolkitMessage(at("whole"), Places), "");
}

TEST_F(CudaTest, TheEnvironmentNamesPlaces) {
  setenv("CUDA_HOME", "/home-of-cuda", 1);
  setenv("CUDA_PATH", "/path-of-cuda", 1);
  setenv("VIRTUAL_ENV", "/venv", 1);
  setenv("HOME", "/user", 1);
  CudaPlaces With = cudaPlaces(/*UseEnvironment=*/true);
  EXPECT_EQ(With.Named,
            (std::vector<std::string>{"/home-of-cuda", "/path-of-cuda"}));
  EXPECT_EQ(With.Python.front(), "/venv");
  EXPECT_NE(std::find(With.Python.begin(), With.Python.end(), "/user/.local"),
            With.Python.end());
  CudaPlaces Without = cudaPlaces(/*UseEnvironment=*/false);
  EXPECT_TRUE(Without.Named.empty());
  EXPECT_TRUE(Without.OnPath.empty());
  EXPECT_EQ(Without.Parents, With.Parents);
}

} // namespace
