// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plan.h"

#include "ClangWords.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <optional>

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

/// What a file is for nvcc.
enum class Kind { Cuda, C, Cxx, Linked, Unknown };

Kind kindOf(StringRef Name, StringRef Language) {
  StringRef File = sys::path::filename(Name);
  if (File.contains(".so."))
    return Kind::Linked;
  Kind ByName = StringSwitch<Kind>(sys::path::extension(File))
                    .Cases({".o", ".obj", ".a", ".so", ".lib"}, Kind::Linked)
                    .Case(".cu", Kind::Cuda)
                    .Cases({".c", ".i"}, Kind::C)
                    .Cases({".cc", ".cpp", ".cxx", ".C", ".ii"}, Kind::Cxx)
                    .Default(Kind::Unknown);
  if (ByName == Kind::Linked || Language.empty())
    return ByName;
  return StringSwitch<Kind>(Language)
      .Case("cu", Kind::Cuda)
      .Case("c", Kind::C)
      .Default(Kind::Cxx);
}

bool isDeviceOnly(Phase P) {
  return P == Phase::Ptx || P == Phase::Cubin || P == Phase::Fatbin;
}

/// Whether the inputs come together in one output.
bool joins(Phase P) {
  return P == Phase::DeviceLink || P == Phase::Archive || P == Phase::Program;
}

/// The ending of an output that has no name.
StringRef extensionOf(Phase P) {
  switch (P) {
  case Phase::Ptx:
    return ".ptx";
  case Phase::Cubin:
    return ".cubin";
  case Phase::Fatbin:
    return ".fatbin";
  default:
    return ".o";
  }
}

StringRef defaultOutput(Phase P) {
  return P == Phase::DeviceLink ? "a_dlink.o"
         : P == Phase::Archive  ? "a.a"
                                : "a.out";
}

/// A dialect that is not one of the file's language reaches no compiler with
/// nvcc, or one that ignores it. clang's own CUDA headers begin with C++11.
std::optional<Word> forLanguage(const Word &W, Kind Is) {
  if (!StringRef(W.Text).starts_with("-std="))
    return W;
  bool IsCxx = StringRef(W.Text).contains("++");
  if (IsCxx == (Is == Kind::C))
    return std::nullopt;
  return Is == Kind::Cuda && W.Text == "-std=c++03" ? Word{W.For, "-std=c++11"}
                                                    : W;
}

/// What nvcc defines for every file: its version, and for CUDA what it can do.
constexpr StringLiteral Definitions[] = {
    "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0",
    "-D__CUDACC_VER_BUILD__=88"};

/// Compilations and links get the same words, as from nvcc.
constexpr StringLiteral Quiet = "-Wno-unused-command-line-argument";

class Planner {
public:
  Planner(const Request &R, const Places &P) : R(R), P(P) {}

  Expected<std::vector<Command>> plan() {
    if (R.Inputs.empty())
      return createStringError("No input files specified; use option --help "
                               "for more information");
    if (!joins(R.Until) && !R.Output.empty() && R.Inputs.size() > 1)
      return createStringError("A single input file is required for a non-link "
                               "phase when an outputfile is specified");
    for (const std::string &Name : R.Inputs)
      if (Error Failure = addInput(Name))
        return Failure;
    if (joins(R.Until))
      join();
    return std::move(Commands);
  }

private:
  Error addInput(const std::string &Name) {
    Kind Is = kindOf(Name, R.Language);
    if (Is == Kind::Unknown)
      return createStringError("Don't know what to do with '" + Name + "'");
    if (Is == Kind::Linked) {
      Objects.push_back(Name);
      return Error::success();
    }
    if (isDeviceOnly(R.Until))
      return Is == Kind::Cuda ? addDeviceCode(Name) : Error::success();
    if (R.Until == Phase::Preprocessed || R.Until == Phase::Dependencies)
      addPreprocessing(Name, Is);
    else
      addObject(Name, Is);
    return Error::success();
  }

  // Names.

  std::string outputFor(const std::string &Name) const {
    if (!R.Output.empty() && !joins(R.Until))
      return R.Output;
    SmallString<128> Path(joins(R.Until) ? P.Temporary : R.OutputFolder);
    std::string Unique =
        joins(R.Until) ? std::to_string(Commands.size()) + "/" : "";
    sys::path::append(Path,
                      Unique + sys::path::stem(Name) + extensionOf(R.Until));
    return Path.str().str();
  }

  std::string output() const {
    return R.Output.empty() ? defaultOutput(R.Until).str() : R.Output;
  }

  std::string tool(StringRef Name) const {
    return P.Root + "/bin/" + Name.str();
  }
  std::string helper(StringRef Name) const {
    return P.Toolkit + "/bin/" + Name.str();
  }
  std::string cudaPath() const { return "--cuda-path=" + P.Toolkit; }

  // Compilations.

  /// The words for any compilation of the file, up to its name.
  std::vector<std::string> words(Kind Is) const {
    bool IsCuda = Is == Kind::Cuda;
    std::vector<std::string> Out{Quiet.str(), "-Wno-unknown-pragmas",
                                 "-I" + P.Toolkit + "/clang"};
    append_range(Out, Definitions);
    if (IsCuda)
      addCudaWords(Out);
    else
      Out.insert(Out.end(), {"-Dblockmaestro_index(Value)=(Value)",
                             "-idirafter", P.Toolkit + "/include/cccl"});
    tolerateSource(Is == Kind::C, Out);
    addHeaderFolders(P.Root, P.Toolkit, IsCuda, R.CudaCompat, Out);
    if (!R.Optimization.empty())
      Out.push_back(R.Optimization);
    for (const Word &W : R.Compile)
      if (std::optional<Word> Given = forLanguage(W, Is))
        addWord(*Given, IsCuda, Out);
    if (IsCuda)
      addDeviceOptimization(R, Out);
    return Out;
  }

  void addCudaWords(std::vector<std::string> &Out) const {
    Out.push_back(cudaPath());
    includeSourceHeaders(Out);
    if (R.Relocatable)
      Out.insert(Out.end(), {"-fgpu-rdc", "-D__CUDACC_RDC__"});
  }

  static void addFile(const std::string &Name, Kind Is,
                      std::vector<std::string> &Out) {
    StringRef Language = Is == Kind::Cuda ? "cuda"
                         : Is == Kind::C  ? "c"
                                          : "c++";
    bool Preprocessed = Is != Kind::Cuda && StringRef(Name).ends_with("i");
    if (!Preprocessed)
      Out.insert(Out.end(), {"-x", Language.str()});
    Out.push_back(Name);
  }

  void addObject(const std::string &Name, Kind Is) {
    std::string Object = outputFor(Name);
    std::vector<std::string> Out{"-fblockmaestro"};
    append_range(Out, words(Is));
    if (Is == Kind::Cuda)
      append_range(Out, R.Gpu.flags(R.Relocatable));
    Out.insert(Out.end(), {"-c", "-o", Object});
    if (R.Until == Phase::Program)
      addDependencyFile(Name, Out);
    addFile(Name, Is, Out);
    Commands.push_back({tool("bmclang++"), Out});
    Objects.push_back(Object);
  }

  bool compilesWith(std::initializer_list<StringRef> Flags) const {
    return any_of(R.Compile,
                  [&](const Word &W) { return is_contained(Flags, W.Text); });
  }

  /// Where -MD puts what it finds when the object is a temporary file.
  void addDependencyFile(const std::string &Name,
                         std::vector<std::string> &Out) const {
    if (!compilesWith({"-MD", "-MMD"}))
      return;
    StringRef Named = R.Output.empty() ? sys::path::filename(Name) : R.Output;
    SmallString<128> File(Named), Target(Named);
    sys::path::replace_extension(File, ".d");
    if (R.Output.empty())
      sys::path::replace_extension(Target, ".o");
    if (!compilesWith({"-MF"}))
      Out.insert(Out.end(), {"-MF", File.str().str()});
    if (!compilesWith({"-MT"}))
      Out.insert(Out.end(), {"-MT", Target.str().str()});
  }

  /// clang without BlockMaestro for one architecture, the device's side only.
  std::vector<std::string> deviceWords(const std::string &Architecture) const {
    std::vector<std::string> Out{"-Wno-unknown-cuda-version",
                                 "--offload-device-only",
                                 "--offload-arch=" + Architecture, "-idirafter",
                                 P.Toolkit + "/include/cccl"};
    append_range(Out, words(Kind::Cuda));
    return Out;
  }

  void addDeviceCompilation(const std::string &Name,
                            const std::string &Architecture,
                            std::vector<std::string> Last) {
    std::vector<std::string> Out = deviceWords(Architecture);
    append_range(Out, Last);
    addFile(Name, Kind::Cuda, Out);
    Commands.push_back({tool("bmclang++"), Out});
  }

  Error addDeviceCode(const std::string &Name) {
    std::vector<std::string> Architectures = R.Gpu.names();
    std::string To = outputFor(Name);
    if (R.Until == Phase::Fatbin) {
      addFatbin(Name, To);
      return Error::success();
    }
    if (Architectures.size() > 1)
      return createStringError(
          Twine("Option '--") + (R.Until == Phase::Ptx ? "ptx" : "cubin") +
          "' is not allowed when compiling for multiple GPU architectures");
    addDeviceCompilation(Name, Architectures.front(),
                         {R.Until == Phase::Ptx ? "-S" : "-c", "-o", To});
    return Error::success();
  }

  void addFatbin(const std::string &Name, const std::string &To) {
    std::vector<std::string> Images{"-64", "--create", To};
    for (const std::string &Architecture : R.Gpu.names()) {
      std::string Cubin = P.Temporary + "/" + Architecture + ".cubin";
      addDeviceCompilation(Name, Architecture, {"-c", "-o", Cubin});
      Images.push_back("--image3=kind=elf,sm=" + Architecture.substr(3) +
                       ",file=" + Cubin);
    }
    Commands.push_back({helper("fatbinary"), Images});
  }

  void addPreprocessing(const std::string &Name, Kind Is) {
    std::vector<std::string> Last{
        R.Until == Phase::Preprocessed ? "-E" : R.Dependencies};
    if (!R.Output.empty())
      Last.insert(Last.end(), {"-o", R.Output});
    if (!R.OutputFolder.empty() && !compilesWith({"-MT"}) &&
        R.Until == Phase::Dependencies)
      Last.insert(Last.end(), {"-MT", R.OutputFolder + "/" +
                                          sys::path::stem(Name).str() + ".o"});
    if (Is == Kind::Cuda)
      return addDeviceCompilation(Name, R.Gpu.names().front(), Last);
    std::vector<std::string> Out = words(Is);
    append_range(Out, Last);
    addFile(Name, Is, Out);
    Commands.push_back({tool("bmclang++"), Out});
  }

  // What brings objects together.

  void join() {
    if (R.Until == Phase::Archive)
      archive();
    else if (R.Until == Phase::DeviceLink)
      linkDevice();
    else
      linkProgram();
  }

  void archive() {
    std::vector<std::string> Out{"cr"};
    append_range(Out, R.Archive);
    Out.push_back(output());
    append_range(Out, Objects);
    Commands.push_back({R.Archiver, Out});
  }

  /// The same as for a program, but the linker keeps only what registers the
  /// device code; Note [Device link].
  void linkDevice() {
    std::vector<std::string> Out{Quiet.str(), "--offload-link", cudaPath(),
                                 "-nostdlib",
                                 "--ld-path=" + helper("device-link")};
    append_range(Out, Objects);
    append_range(Out, R.Folders);
    append_range(Out, R.Libraries);
    Out.insert(Out.end(), {"-L" + P.Toolkit + "/lib64", "-o", output()});
    Commands.push_back({tool("bmclang++"), Out});
  }

  /// Many builds name the driver's library whose programs call nothing of it;
  /// where there is no driver these would not start.
  static void addLibrary(const std::string &Library,
                         std::vector<std::string> &Out) {
    if (Library == "-lcuda")
      Out.insert(Out.end(),
                 {"-Wl,--push-state,--as-needed", Library, "-Wl,--pop-state"});
    else
      Out.push_back(Library);
  }

  void linkProgram() {
    std::vector<std::string> Out{Quiet.str()};
    if (!R.NoDeviceLink)
      Out.insert(Out.end(), {"--offload-link", cudaPath()});
    Out.push_back("-Wl,--start-group");
    append_range(Out, Objects);
    append_range(Out, R.Link);
    append_range(Out, R.Folders);
    for (const std::string &Library : R.Libraries)
      addLibrary(Library, Out);
    Out.insert(Out.end(),
               {"-L" + P.Toolkit + "/lib64", "-lcudart_static", "-lrt",
                "-lpthread", "-ldl", "-Wl,--end-group", "-o", output()});
    Commands.push_back({helper("host-link"), Out});
    if (R.Runs)
      Commands.push_back(
          {sys::path::is_absolute(output()) ? output() : "./" + output(),
           R.Arguments});
  }

  const Request &R;
  const Places &P;
  std::vector<Command> Commands;
  std::vector<std::string> Objects;
};

std::string quoted(StringRef Word) {
  constexpr StringLiteral Plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "-_./=+,:@%";
  if (!Word.empty() && Word.find_first_not_of(Plain) == StringRef::npos)
    return Word.str();
  std::string Out = "'";
  for (char C : Word)
    Out += C == '\'' ? "'\\''" : std::string(1, C);
  return Out + "'";
}

} // namespace

// Note [Device link]
//
// clang's linker wrapper links the device code of all objects, makes an object
// that holds and registers it, and then runs the host's linker with that object
// behind the others. For -dlink the host's linker is a script that keeps this
// object alone. It finds the kernels' names in the section that the linker of
// the program makes of all objects, so the program may be linked by anything.

Expected<std::vector<Command>> makePlan(const Request &R, const Places &P) {
  return Planner(R, P).plan();
}

std::string settings(const Request &R, const Places &P) {
  const char *Path = std::getenv("PATH");
  std::string Text = "#$ _SPACE_= \n#$ _CUDART_=cudart\n";
  Text += "#$ _HERE_=" + P.Root + "/bin\n#$ TOP=" + P.Toolkit + "\n";
  Text += "#$ NVVMIR_LIBRARY_DIR=" + P.Toolkit + "/nvvm/libdevice\n";
  Text += "#$ PATH=" + P.Root + "/bin:" + (Path ? Path : "") + "\n";
  Text += "#$ INCLUDES=\"-I" + P.Toolkit + "/include\"\n";
  Text += "#$ LIBRARIES=-L" + P.Toolkit + "/lib64\n#$ GPUS=";
  for (const std::string &Name : R.Gpu.names())
    Text += "-arch compute_" + Name.substr(3) + " ";
  return Text + "\n";
}

std::string shown(const Command &C) {
  std::string Text = quoted(C.Program);
  for (const std::string &Word : C.Arguments)
    Text += " " + quoted(Word);
  return Text;
}

} // namespace blockmaestro::nvcc
