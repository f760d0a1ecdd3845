// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordName.h"

#include <climits>
#include <unistd.h>

namespace blockmaestro {
namespace {

Status wrong(const std::string &Why) {
  return {StatusCode::InvalidArgument, "BLOCKMAESTRO_RECORD: " + Why};
}

/// Takes NAME} from the front of Rest.
Result<std::string> variable(std::string_view &Rest, Lookup Environment) {
  const size_t End = Rest.find('}');
  if (End == std::string_view::npos)
    return wrong("%q{ has no }");
  const std::string Name(Rest.substr(0, End));
  Rest.remove_prefix(End + 1);
  const char *Value = Environment(Name.c_str());
  if (!Value)
    return wrong("%q{" + Name + "} names a variable that is not set");
  return std::string(Value);
}

/// Of the machine the program runs on, as the network knows it.
std::string machineName() {
  char Name[HOST_NAME_MAX + 1] = {};
  return ::gethostname(Name, HOST_NAME_MAX) == 0 ? Name : "";
}

/// What stands for the text behind a percent sign, which is taken from Rest.
Result<std::string> expanded(std::string_view &Rest, Lookup Environment,
                             long Process) {
  const auto Takes = [&](std::string_view Text) {
    const bool Is = Rest.starts_with(Text);
    Rest.remove_prefix(Is ? Text.size() : 0);
    return Is;
  };
  if (Takes("%"))
    return std::string("%");
  if (Takes("p"))
    return std::to_string(Process);
  if (Takes("h"))
    return machineName();
  if (Takes("q{"))
    return variable(Rest, Environment);
  return wrong("behind % comes p, h, q{NAME} or another %");
}

} // namespace

Result<std::string> recordName(std::string_view Pattern, Lookup Environment,
                               long Process) {
  std::string Out;
  while (true) {
    const size_t Percent = Pattern.find('%');
    Out += Pattern.substr(0, Percent);
    if (Percent == std::string_view::npos)
      return Out;
    Pattern.remove_prefix(Percent + 1);
    Result<std::string> Next = expanded(Pattern, Environment, Process);
    if (!Next.ok())
      return Next;
    Out += *Next;
  }
}

} // namespace blockmaestro
