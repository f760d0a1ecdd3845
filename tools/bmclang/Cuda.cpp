// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cuda.h"

#include "Toolchain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// Appends the folder an environment variable names, or one below it, unless
/// the variable is empty.
void addVariable(std::vector<std::string> &Out, StringRef Name,
                 StringRef Below = "") {
  std::optional<std::string> Value = sys::Process::GetEnv(Name);
  if (Value && !Value->empty())
    Out.push_back(Below.empty() ? *Value : joinPath(*Value, Below));
}

/// Appends the folder above the one a program on PATH is in: where it really
/// is, or where PATH says.
void addRootOfProgram(std::vector<std::string> &Out, StringRef Name,
                      bool Real) {
  ErrorOr<std::string> Program = sys::findProgramByName(Name);
  SmallString<128> Path;
  if (!Program)
    return;
  if (!Real)
    Path = *Program;
  else if (sys::fs::real_path(*Program, Path))
    return;
  Out.push_back(sys::path::parent_path(sys::path::parent_path(Path)).str());
}

bool isToolkit(StringRef Root) {
  return sys::fs::exists(joinPath(Root, "include/cuda_runtime_api.h")) &&
         sys::fs::exists(joinPath(Root, "bin")) &&
         sys::fs::exists(joinPath(Root, "nvvm/libdevice"));
}

/// The entries of Folder that begin with Prefix, cuda-13.0 before cuda-9.2.
std::vector<std::string> newestFirst(StringRef Folder, StringRef Prefix) {
  std::vector<std::string> Found;
  std::error_code Failure;
  for (sys::fs::directory_iterator Entry(Folder, Failure), End;
       Entry != End && !Failure; Entry.increment(Failure))
    if (sys::path::filename(Entry->path()).starts_with(Prefix))
      Found.push_back(Entry->path());
  sort(Found,
       [](StringRef A, StringRef B) { return A.compare_numeric(B) > 0; });
  return Found;
}

std::vector<std::string> toolkitsIn(StringRef Parent) {
  std::vector<std::string> Roots{joinPath(Parent, "cuda")};
  append_range(Roots, newestFirst(Parent, "cuda-"));
  return Roots;
}

/// What NVIDIA's wheels have unpacked below a Python prefix.
std::vector<std::string> wheelsBelow(StringRef Prefix) {
  std::vector<std::string> Roots;
  for (const std::string &Python :
       newestFirst(joinPath(Prefix, "lib"), "python3"))
    for (StringRef Packages : {"site-packages", "dist-packages"})
      append_range(
          Roots,
          newestFirst(joinPath(joinPath(Python, Packages), "nvidia"), "cu"));
  return Roots;
}

} // namespace

CudaPlaces cudaPlaces(bool UseEnvironment) {
  CudaPlaces Places;
  Places.Parents = {"/usr/local"};
  Places.Usual = {"/usr/lib/cuda", "/opt/cuda",
                  joinPath(installationRoot(), "cuda")};
  Places.Python = {"/usr/local", "/usr"};
  if (!UseEnvironment)
    return Places;
  addVariable(Places.Named, "CUDA_HOME");
  addVariable(Places.Named, "CUDA_PATH");
  addRootOfProgram(Places.OnPath, "nvcc", /*Real=*/true);
  std::vector<std::string> Python;
  addVariable(Python, "VIRTUAL_ENV");
  addVariable(Python, "CONDA_PREFIX");
  addRootOfProgram(Python, "python3", /*Real=*/false);
  addVariable(Python, "HOME", ".local");
  Places.Python.insert(Places.Python.begin(), Python.begin(), Python.end());
  return Places;
}

std::optional<std::string> findCuda(const CudaPlaces &Places) {
  std::vector<std::string> Roots = Places.Named;
  append_range(Roots, Places.OnPath);
  for (const std::string &Parent : Places.Parents)
    append_range(Roots, toolkitsIn(Parent));
  append_range(Roots, Places.Usual);
  auto Known = find_if(Roots, isToolkit);
  if (Known != Roots.end())
    return *Known;
  for (const std::string &Prefix : Places.Python)
    for (const std::string &Root : wheelsBelow(Prefix))
      if (isToolkit(Root))
        return Root;
  return std::nullopt;
}

std::string wrongToolkitMessage(const std::optional<std::string> &Given,
                                const CudaPlaces &Places) {
  const bool IsWrong =
      Given ? !isToolkit(*Given)
            : !Places.Named.empty() && !isToolkit(Places.Named.front());
  if (!IsWrong)
    return "";
  return "'" + (Given ? *Given : Places.Named.front()) + "', which " +
         (Given ? "--cuda-path=" : "CUDA_HOME or CUDA_PATH") +
         " names, holds no CUDA toolkit: that has "
         "include/cuda_runtime_api.h, bin and nvvm/libdevice";
}

std::string noCudaMessage() {
  return "cannot find a CUDA toolkit; give its folder with --cuda-path= or in "
         "CUDA_HOME";
}

} // namespace blockmaestro
