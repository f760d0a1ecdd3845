// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeImages.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

// Note [Fat binaries]
// ~~~~~~~~~~~~~~~~~~~
// What compilers register is a word 0x466243b1, a version, the address of the
// container and one word more. A container, made by NVIDIA's fatbinary, is a
// word 0xba55ed50, u16 version, u16 bytes of this header, u64 bytes behind it,
// and then entries: a header of the form below, as long as it says, and the
// code, which may be compressed. Headers are never compressed. Containers may
// stand one behind the other; those of clang and nvcc are one.

namespace blockmaestro {
namespace {

constexpr uint32_t WrapperMagic = 0x466243b1;
constexpr uint32_t ContainerMagic = 0xba55ed50;

struct Wrapper {
  uint32_t Magic;
  uint32_t Version;
  const uint8_t *Container;
};

struct ContainerHeader {
  uint32_t Magic;
  uint16_t Version;
  uint16_t HeaderBytes;
  uint64_t Bytes;
};

struct EntryHeader {
  uint16_t Kind;
  uint16_t Version;
  uint32_t HeaderBytes;
  uint64_t Bytes;
  uint32_t Unused[3];
  uint32_t Number; ///< 90 for sm_90.
  uint64_t MoreUnused;
  uint64_t Flags;
};

enum EntryKind : uint16_t { PtxEntry = 1, MachineEntry = 2 };
constexpr uint64_t AloneFlag = 0x00100000;  ///< sm_90a
constexpr uint64_t FamilyFlag = 0x00200000; ///< sm_100f

/// Devices built into a processor: machine code for others does not run there.
constexpr unsigned Integrated[] = {53, 62, 72, 87, 101};

struct ScopeRow {
  char Letter; ///< Behind the number; 0 for none.
  Architecture::Scope For;
};

constexpr ScopeRow Scopes[] = {{0, Architecture::Scope::Any},
                               {'f', Architecture::Scope::Family},
                               {'a', Architecture::Scope::Alone}};

bool sameMajor(unsigned A, unsigned B) { return A / 10 == B / 10; }

bool runsMachineCode(unsigned Capability, const Architecture &A) {
  const bool Exactly = A.For == Architecture::Scope::Alone ||
                       std::find(std::begin(Integrated), std::end(Integrated),
                                 Capability) != std::end(Integrated);
  return Exactly ? A.Number == Capability
                 : sameMajor(A.Number, Capability) && A.Number <= Capability;
}

bool translates(unsigned Capability, const Architecture &A) {
  switch (A.For) {
  case Architecture::Scope::Alone:
    return A.Number == Capability;
  case Architecture::Scope::Family:
    return sameMajor(A.Number, Capability) && A.Number <= Capability;
  case Architecture::Scope::Any:
    break;
  }
  return A.Number <= Capability;
}

bool isBefore(const CodeImage &A, const CodeImage &B) {
  return A.For.For > B.For.For;
}

/// Those of Images that have the number Number, the most special first.
std::vector<CodeImage> withNumber(unsigned Number,
                                  const std::vector<CodeImage> &Images) {
  std::vector<CodeImage> Out;
  for (const CodeImage &Each : Images)
    if (Each.For.Number == Number &&
        std::find(Out.begin(), Out.end(), Each) == Out.end())
      Out.push_back(Each);
  std::sort(Out.begin(), Out.end(), isBefore);
  return Out;
}

/// Those of Images that fit, of the newest architecture among them.
template <typename Condition>
std::vector<CodeImage> newest(const std::vector<CodeImage> &Images,
                              Condition Fits) {
  std::vector<CodeImage> Fitting;
  unsigned Number = 0;
  for (const CodeImage &Each : Images)
    if (Fits(Each)) {
      Fitting.push_back(Each);
      Number = std::max(Number, Each.For.Number);
    }
  return withNumber(Number, Fitting);
}

std::vector<CodeImage> oldest(const std::vector<CodeImage> &Images) {
  if (Images.empty())
    return {};
  const CodeImage &First = *std::min_element(
      Images.begin(), Images.end(), [](const CodeImage &A, const CodeImage &B) {
        return A.For.Number < B.For.Number;
      });
  return withNumber(First.For.Number, Images);
}

Architecture architectureOf(const EntryHeader &Entry) {
  Architecture Out;
  Out.Number = Entry.Number;
  if (Entry.Flags & AloneFlag)
    Out.For = Architecture::Scope::Alone;
  else if (Entry.Flags & FamilyFlag)
    Out.For = Architecture::Scope::Family;
  return Out;
}

bool startsWith(const void *Data, uint32_t Magic) {
  uint32_t Word = 0;
  if (Data)
    std::memcpy(&Word, Data, sizeof(Word));
  return Word == Magic;
}

struct Entry {
  CodeImage What;
  CodeBytes Code;
};

/// Adds the entries between Next and End that are code; false when they are cut
/// off.
bool readEntries(const uint8_t *Next, const uint8_t *End,
                 std::vector<Entry> &To) {
  while (size_t(End - Next) >= sizeof(EntryHeader)) {
    EntryHeader Header;
    std::memcpy(&Header, Next, sizeof(Header));
    const uint64_t Left = uint64_t(End - Next);
    if (Header.HeaderBytes < sizeof(Header) || Header.HeaderBytes > Left ||
        Header.Bytes > Left - Header.HeaderBytes)
      return false;
    const CodeBytes Code(Next + Header.HeaderBytes, Header.Bytes);
    if (Header.Kind == PtxEntry)
      To.push_back({{CodeImage::Form::Ptx, architectureOf(Header)}, Code});
    else if (Header.Kind == MachineEntry)
      To.push_back({{CodeImage::Form::Machine, architectureOf(Header)}, Code});
    Next += Header.HeaderBytes + Header.Bytes;
  }
  return true;
}

/// Nothing where the fat binary has another form than those we know.
std::optional<std::vector<Entry>> entriesOf(const void *FatBinary) {
  if (!startsWith(FatBinary, WrapperMagic))
    return std::nullopt;
  Wrapper Outer;
  std::memcpy(&Outer, FatBinary, sizeof(Outer));
  if (!startsWith(Outer.Container, ContainerMagic))
    return std::nullopt;
  ContainerHeader Inner;
  std::memcpy(&Inner, Outer.Container, sizeof(Inner));
  if (Inner.HeaderBytes < sizeof(Inner))
    return std::nullopt;
  const uint8_t *First = Outer.Container + Inner.HeaderBytes;
  std::vector<Entry> Out;
  if (!readEntries(First, First + Inner.Bytes, Out))
    return std::nullopt;
  return Out;
}

std::vector<CodeImage> imagesIn(const std::vector<Entry> &Entries) {
  std::vector<CodeImage> Out;
  for (const Entry &Each : Entries)
    Out.push_back(Each.What);
  return Out;
}

} // namespace

std::optional<Architecture> parseArchitecture(const std::string &Name) {
  const std::string Prefix = "sm_";
  if (Name.compare(0, Prefix.size(), Prefix) != 0)
    return std::nullopt;
  const char *Digits = Name.c_str() + Prefix.size();
  char *Rest = nullptr;
  Architecture Out;
  Out.Number = unsigned(std::strtoul(Digits, &Rest, 10));
  for (const ScopeRow &Row : Scopes)
    if (Rest != Digits && *Rest == Row.Letter &&
        (Row.Letter == 0 || Rest[1] == 0)) {
      Out.For = Row.For;
      return Out;
    }
  return std::nullopt;
}

std::string toText(const Architecture &A) {
  std::string Out = "sm_" + std::to_string(A.Number);
  for (const ScopeRow &Row : Scopes)
    if (Row.For == A.For && Row.Letter != 0)
      Out += Row.Letter;
  return Out;
}

CodeTarget gpuTarget(unsigned Capability,
                     const char *(*Environment)(const char *Name)) {
  auto IsSet = [&](const char *Name) {
    const char *Value = Environment(Name);
    return Value && std::strcmp(Value, "1") == 0;
  };
  CodeTarget Out;
  Out.Capability = Capability;
  Out.OnlyPtx = IsSet("CUDA_FORCE_PTX_JIT") || IsSet("CUDA_FORCE_JIT");
  Out.NoPtx = IsSet("CUDA_DISABLE_PTX_JIT") || IsSet("CUDA_DISABLE_JIT");
  return Out;
}

std::vector<CodeImage> chooseImages(const CodeTarget &Target,
                                    const std::vector<CodeImage> &Images) {
  const unsigned Capability = Target.Capability;
  std::vector<CodeImage> Chosen;
  if (!Target.OnlyPtx)
    Chosen = newest(Images, [=](const CodeImage &Each) {
      return Each.Kind == CodeImage::Form::Machine &&
             runsMachineCode(Capability, Each.For);
    });
  if (Chosen.empty() && !Target.NoPtx)
    Chosen = newest(Images, [=](const CodeImage &Each) {
      return Each.Kind == CodeImage::Form::Ptx &&
             translates(Capability, Each.For);
    });
  if (!Target.RunsAny)
    return Chosen;
  if (Chosen.empty())
    Chosen = newest(Images, [=](const CodeImage &Each) {
      return Each.For.Number <= Capability;
    });
  if (Chosen.empty())
    Chosen = oldest(Images);
  if (Chosen.size() > 1)
    Chosen.resize(1);
  return Chosen;
}

std::optional<std::vector<CodeImage>> imagesOf(const void *FatBinary) {
  const std::optional<std::vector<Entry>> Entries = entriesOf(FatBinary);
  if (!Entries)
    return std::nullopt;
  return imagesIn(*Entries);
}

std::vector<CodeBytes> machineCodeOf(const void *FatBinary,
                                     const CodeTarget &Target) {
  std::vector<CodeBytes> Out;
  const std::optional<std::vector<Entry>> Entries = entriesOf(FatBinary);
  if (!Entries)
    return Out;
  const std::vector<CodeImage> Run = chooseImages(Target, imagesIn(*Entries));
  for (const Entry &Each : *Entries)
    if (Run.size() == 1 && Each.What == Run.front() &&
        Each.What.Kind == CodeImage::Form::Machine)
      Out.push_back(Each.Code);
  return Out;
}

} // namespace blockmaestro
