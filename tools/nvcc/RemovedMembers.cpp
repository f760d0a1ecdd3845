// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RemovedMembers.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

/// In front of driver_types.h, which keeps its lines.
constexpr StringLiteral InFront =
    "#include <blockmaestro/removed_members.h>\n#line 1\n";
/// In the place of `int reserved[`; what follows is the number.
constexpr StringLiteral Declared =
    "BLOCKMAESTRO_REMOVED_MEMBERS(BLOCKMAESTRO_DECLARE_MEMBER, "
    "BLOCKMAESTRO_DECLARE_ZERO) int reserved["
    "-BLOCKMAESTRO_REMOVED_MEMBERS_COUNT + ";
constexpr StringLiteral Behind = "\n#include <blockmaestro/managed.h>\n";
constexpr StringLiteral RemovedCalls =
    "#include <blockmaestro/removed_calls.h>\n";
constexpr StringLiteral Reserved = "reserved[";

constexpr StringLiteral TypesHeader = "driver_types.h";
constexpr StringLiteral CallsHeader = "cuda_runtime_api.h";

/// Where `int reserved[` begins in the members; npos without.
size_t findReserved(StringRef Members) {
  const size_t Name = Members.find(Reserved);
  if (Name == StringRef::npos)
    return Name;
  StringRef Before = Members.take_front(Name).rtrim();
  return Before.ends_with(" int") ? Before.size() - StringRef("int").size()
                                  : StringRef::npos;
}

std::string textOf(const std::string &Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Path);
  return File ? (*File)->getBuffer().str() : "";
}

} // namespace

std::string withRemovedMembers(StringRef Text) {
  const size_t Begin = Text.find("struct __device_builtin__ cudaDeviceProp");
  if (Begin == StringRef::npos)
    return "";
  StringRef Members = Text.substr(Begin);
  Members = Members.take_front(Members.find("};"));
  const size_t Place = findReserved(Members);
  if (Members.contains(" clockRate;") || Place == StringRef::npos)
    return "";
  const size_t Number = Members.find('[', Place) + 1;
  return (InFront + Text.take_front(Begin + Place) + Declared +
          Text.substr(Begin + Number))
      .str();
}

std::map<std::string, std::string> changedHeaders(StringRef Toolkit) {
  SmallString<128> Include(Toolkit), Real;
  sys::path::append(Include, "include");
  const auto Path = [](StringRef Folder, StringRef Name) {
    return (Folder + "/" + Name).str();
  };
  if (sys::fs::make_absolute(Include) || sys::fs::real_path(Include, Real))
    return {};
  const std::string Types =
      withRemovedMembers(textOf(Path(Include, TypesHeader)));
  const std::string Calls = textOf(Path(Include, CallsHeader)) + Behind.str() +
                            (Types.empty() ? "" : RemovedCalls.str());
  std::map<std::string, std::string> Out;
  for (StringRef Folder : {Include.str(), Real.str()}) {
    if (!Types.empty())
      Out[Path(Folder, TypesHeader)] = Types;
    Out[Path(Folder, CallsHeader)] = Calls;
  }
  return Out;
}

} // namespace blockmaestro::nvcc
