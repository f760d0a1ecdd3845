// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MachineFile.h"

#include "MachineNumbers.h"
#include "ShareFolder.h"
#include "ToolErrors.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {
namespace {

Error setNumber(Machine &To, StringRef Key, std::optional<uint64_t> Number) {
  return toError(setMachineNumber(To, Key, Number));
}

/// Where the numbers are from: a text for some of the keys.
Error checkSources(const json::Value &Sources) {
  const json::Object *Object = Sources.getAsObject();
  if (!Object)
    return createStringError("'sources' must be an object");
  for (const auto &[Key, Value] : *Object) {
    if (Error Unknown = toError(checkMachineNumber(StringRef(Key))))
      return Unknown;
    if (!Value.getAsString())
      return createStringError("the source of '" + StringRef(Key) +
                               "' must be a text");
  }
  return Error::success();
}

Expected<Machine> parseMachine(StringRef Text) {
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Object = Parsed->getAsObject();
  if (!Object)
    return createStringError("not a JSON object");
  Machine Out;
  for (const auto &[Key, Value] : *Object) {
    if (StringRef(Key) == "sources") {
      if (Error Wrong = checkSources(Value))
        return std::move(Wrong);
    } else if (StringRef(Key) != "name") {
      if (Error Wrong = setNumber(Out, Key, Value.getAsUINT64()))
        return std::move(Wrong);
    } else if (std::optional<StringRef> Name = Value.getAsString()) {
      Out.Name = Name->str();
    } else {
      return createStringError("'name' must be a text");
    }
  }
  return Out;
}

} // namespace

Error setMachineKey(Machine &To, StringRef KeyAndValue) {
  auto [Key, Text] = KeyAndValue.split('=');
  uint64_t Number = 0;
  const bool Wrong = Text.getAsInteger(10, Number);
  return setNumber(To, Key,
                   Wrong ? std::nullopt : std::optional<uint64_t>(Number));
}

std::vector<std::string> machineNames(StringRef MachineFolder) {
  std::vector<std::string> Out;
  std::error_code Failure;
  for (sys::fs::directory_iterator At(MachineFolder, Failure), End;
       At != End && !Failure; At.increment(Failure))
    if (sys::path::extension(At->path()) == ".json")
      Out.push_back(sys::path::stem(At->path()).str());
  sort(Out);
  return Out;
}

std::string machineFolder(const char *Argument0) {
  return shareFolder(Argument0, "machines");
}

Expected<Machine> readMachine(StringRef Name, StringRef MachineFolder) {
  SmallString<128> Path(Name);
  if (!sys::fs::exists(Path)) {
    Path = MachineFolder;
    sys::path::append(Path, Name + ".json");
    if (!sys::fs::exists(Path))
      return createStringError("no machine '" + Name +
                               "': neither a file nor in " + MachineFolder);
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createFileError(Path, Text.getError());
  Expected<Machine> Read = parseMachine((*Text)->getBuffer());
  if (!Read)
    return createFileError(Path, Read.takeError());
  if (Read->Name.empty())
    Read->Name = sys::path::stem(Path).str();
  return Read;
}

Expected<Machine> readMachine(StringRef Name, ArrayRef<std::string> Keys,
                              StringRef MachineFolder) {
  Expected<Machine> Out = readMachine(Name, MachineFolder);
  if (!Out)
    return Out;
  for (const std::string &Each : Keys) {
    if (Error Wrong = setMachineKey(*Out, Each))
      return std::move(Wrong);
    Out->Name += ", " + Each;
  }
  return Out;
}

} // namespace blockmaestro
