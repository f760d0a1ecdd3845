// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StuckReports.h"

#include <atomic>

namespace blockmaestro {

StuckReports::~StuckReports() {
  if (Report)
    Port.releaseStaging(Report);
}

Result<StuckReport *> StuckReports::place() {
  if (Report)
    return Report;
  Result<void *> Made = Port.allocateStaging(sizeof(StuckReport));
  if (!Made.ok())
    return Made.status();
  Report = static_cast<StuckReport *>(*Made);
  *Report = StuckReport{};
  Report->Patience = uint64_t(Patience.count());
  return Report;
}

Status StuckReports::read() const {
  constexpr uint32_t Complete = 2;
  if (!Report || std::atomic_ref<uint32_t>(Report->Taken)
                         .load(std::memory_order_acquire) != Complete)
    return {};
  std::string Block = Report->ProducerBlock == AllBlocks
                          ? "all blocks"
                          : "block " + std::to_string(Report->ProducerBlock);
  return {StatusCode::Device,
          "block " + std::to_string(Report->Block) + " of launch " +
              std::to_string(Report->Launch) + " waited too long for " + Block +
              " of launch " + std::to_string(Report->Producer)};
}

} // namespace blockmaestro
