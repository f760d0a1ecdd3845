// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegionReport.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace blockmaestro::openmp {

/// Nothing where no workers ran.
static std::string loadText(const WorkerLoad &Of) {
  if (Of.Workers == 0)
    return "";
  return ", \"workers\": " + std::to_string(Of.Workers) +
         ", \"least\": " + std::to_string(Of.Least) +
         ", \"most\": " + std::to_string(Of.Most);
}

std::string reportLine(const std::string &Region, const InspectionCounts &Of,
                       const WorkerLoad &Load) {
  char Text[320];
  std::snprintf(Text, sizeof(Text),
                "\", \"tasks\": %llu, \"edges\": %llu, \"flushes\": %llu, "
                "\"inspect_us\": %.2f, \"prepare_us\": %.2f, "
                "\"run_us\": %.2f, \"again\": %s",
                static_cast<unsigned long long>(Of.Tasks),
                static_cast<unsigned long long>(Of.Edges),
                static_cast<unsigned long long>(Of.Flushes), Of.Inspect,
                Of.Prepare, Of.Run, Of.Again ? "true" : "false");
  return "{\"region\": \"" + Region + Text + loadText(Load) + "}\n";
}

Status addReport(const std::string &Path, const std::string &Line) {
  const int File =
      open(Path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool Written = File >= 0 && write(File, Line.data(), Line.size()) ==
                                        ssize_t(Line.size());
  const int Error = errno;
  if (File >= 0)
    close(File);
  return Written ? Status()
                 : Status(StatusCode::Io, "BLOCKMAESTRO_TASK_REPORT: " + Path +
                                              ": " + std::strerror(Error));
}

} // namespace blockmaestro::openmp
