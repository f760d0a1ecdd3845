// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Architectures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

constexpr StringLiteral Known[] = {"75", "80",  "86",  "87",  "89",
                                   "90", "100", "103", "120", "121"};

/// Those of CUDA 13 that clang 22 cannot compile for.
constexpr StringLiteral Beyond[] = {"88", "110"};
constexpr StringLiteral FamilySuffix = "f";

unsigned numberOf(StringRef Version) {
  unsigned Number = 0;
  Version.take_while(isDigit).getAsInteger(10, Number);
  return Number;
}

unsigned majorOf(StringRef Version) { return numberOf(Version) / 10; }

/// Splits compute_90a into its kind and 90a; the kind is empty if it is none.
std::pair<StringRef, StringRef> split(StringRef Name) {
  auto [Kind, Version] = Name.split('_');
  bool Valid = Kind == "sm" || Kind == "compute" || Kind == "lto";
  return {Valid && numberOf(Version) ? Kind : "", Version};
}

Error unsupported(StringRef Name) {
  return createStringError("Unsupported gpu architecture '" + Name + "'");
}

Error checkKnown(StringRef Name, StringRef Version) {
  StringRef Plain = Version.ends_with("a") ? Version.drop_back() : Version;
  if (Version.ends_with(FamilySuffix) || is_contained(Beyond, Plain))
    return createStringError("clang 22 makes no code for '" + Name + "'");
  return is_contained(Known, Plain) ? Error::success() : unsupported(Name);
}

/// "[a,b]", "\"a,b\"" and "a,b" are the same list.
SmallVector<StringRef> listed(StringRef List) {
  SmallVector<StringRef> Names;
  List.trim("[]\"'\\ ").split(Names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef &Name : Names)
    Name = Name.trim("\"'\\ ");
  return Names;
}

bool isMajor(StringRef Version) {
  return Version == Known[0] || numberOf(Version) % 10 == 0;
}

} // namespace

ArrayRef<StringLiteral> knownArchitectures() { return Known; }

Error Targets::addArchitecture(StringRef Name) {
  Architecture = Name.str();
  return Error::success();
}

Error Targets::addCodes(StringRef List) {
  Codes = List.str();
  return Error::success();
}

Error Targets::addSpecification(StringRef Text) {
  auto [First, Second] = Text.trim("\"'").split(',');
  if (!First.consume_front("arch=") || !Second.trim().consume_front("code="))
    return createStringError("expected arch=...,code=... in '" + Text + "'");
  for (StringRef Code : listed(Second.trim().drop_front(strlen("code="))))
    if (Error Failure = add(First, Code))
      return Failure;
  return Error::success();
}

Error Targets::add(StringRef Virtual, StringRef Code) {
  auto [VirtualKind, Version] = split(Virtual);
  auto [Kind, CodeVersion] = split(Code);
  if (VirtualKind.empty())
    return unsupported(Virtual);
  if (Kind.empty())
    return unsupported(Code);
  if (numberOf(Version) < numberOf(Known[0])) {
    TooOld.push_back(Code.str());
    return Error::success();
  }
  if (Error Failure = checkKnown(Code, CodeVersion))
    return Failure;
  if (Error Failure = checkKnown(Virtual, Version))
    return Failure;
  if (numberOf(CodeVersion) < numberOf(Version))
    return createStringError("'" + Code + "' is not compatible with '" +
                             Virtual + "'");
  WithPtx[Version.str()] |=
      Kind != "sm" || majorOf(CodeVersion) != majorOf(Version);
  return Error::success();
}

Error Targets::finish() {
  StringRef Name = Architecture;
  if (Name == "all" || Name == "all-major") {
    for (StringRef Version : Known)
      if (Name == "all" || isMajor(Version))
        WithPtx[Version.str()] |= Version == "120";
  } else if (!Name.empty() && Name != "native") {
    std::string Virtual = "compute_" + split(Name).second.str();
    std::string Both =
        Name.starts_with("sm_") ? Name.str() + "," + Virtual : Name.str();
    if (split(Name).first.empty())
      return unsupported(Name);
    for (StringRef Code : listed(Codes.empty() ? StringRef(Both) : Codes))
      if (Error Failure = add(Virtual, Code))
        return Failure;
  } else if (!Codes.empty()) {
    return createStringError("'-code' needs '-arch'");
  }
  if (WithPtx.empty() && !TooOld.empty())
    WithPtx[Known[0].str()] = true;
  return Error::success();
}

std::vector<std::string> Targets::names() const {
  std::vector<std::string> Names;
  for (const auto &[Version, Ptx] : WithPtx)
    Names.push_back("sm_" + Version);
  return Names;
}

std::vector<std::string> Targets::flags(bool Relocatable) const {
  std::vector<std::string> Flags;
  for (const auto &[Version, Ptx] : WithPtx) {
    Flags.push_back("--offload-arch=sm_" + Version);
    if (Ptx && !Relocatable)
      Flags.push_back("--cuda-include-ptx=sm_" + Version);
  }
  return Flags;
}

} // namespace blockmaestro::nvcc
