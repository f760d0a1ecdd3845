// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which of the codes in a fat binary a device runs: machine code
// for its own architecture, or PTX that the driver translates. On the data's
// way: asked by the registry, which takes the records of that code and no
// others. Invariants: pure functions of what is in the fat binary and what the
// device is. Where NVIDIA's documents do not decide between two images, both
// are the answer. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_CODEIMAGES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_CODEIMAGES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockmaestro {

/// What code is compiled for: "sm_90", "sm_90a" (of this architecture alone),
/// "sm_100f" (of its family).
struct Architecture {
  enum class Scope : uint8_t { Any, Family, Alone };
  unsigned Number = 0; ///< 90
  Scope For = Scope::Any;

  bool operator==(const Architecture &) const = default;
};

/// Nothing when Name is none.
std::optional<Architecture> parseArchitecture(const std::string &Name);
std::string toText(const Architecture &A);

struct CodeImage {
  enum class Form : uint8_t { Machine, Ptx };
  Form Kind = Form::Machine;
  Architecture For;

  bool operator==(const CodeImage &) const = default;
};

/// What runs code.
struct CodeTarget {
  unsigned Capability = 0; ///< 90 for compute capability 9.0.
  bool OnlyPtx = false;    ///< The driver was told to translate PTX always.
  bool NoPtx = false;      ///< The driver was told to translate none.
  /// It runs code for any device where there is none that it should: the newest
  /// that is not newer, else the oldest.
  bool RunsAny = false;
};

/// The target on a GPU, with the driver's own variables as Environment has them
/// (CUDA_FORCE_PTX_JIT, CUDA_DISABLE_PTX_JIT and the like).
CodeTarget gpuTarget(unsigned Capability,
                     const char *(*Environment)(const char *Name));

/// The images of which Target runs one: one as a rule, none where it can run
/// none of them, several where it is not documented which. Without repeats; the
/// likeliest first.
std::vector<CodeImage> chooseImages(const CodeTarget &Target,
                                    const std::vector<CodeImage> &Images);

/// The code of an image, as long as its fat binary is loaded.
using CodeBytes = std::span<const uint8_t>;

/// The images of a fat binary as the argument of __cudaRegisterFatBinary has
/// it. Nothing where it has another form than those we know.
std::optional<std::vector<CodeImage>> imagesOf(const void *FatBinary);

/// The machine code in it that Target runs, each image of that architecture;
/// none where Target runs other code, or it is not known which.
std::vector<CodeBytes> machineCodeOf(const void *FatBinary,
                                     const CodeTarget &Target);

} // namespace blockmaestro

#endif
