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
  if (StuckReport *Known = Report)
    return Known;
  Result<void *> Made = Port.allocateStaging(sizeof(StuckReport));
  if (!Made.ok())
    return Made.status();
  auto *New = static_cast<StuckReport *>(*Made);
  *New = StuckReport{};
  New->Patience = uint64_t(Patience.count());
  Report = New;
  return New;
}

Status StuckReports::read() const {
  constexpr uint32_t Complete = 2;
  StuckReport *Known = Report;
  if (!Known ||
      std::atomic_ref<uint32_t>(Known->Taken).load(std::memory_order_acquire) !=
          Complete)
    return {};
  std::string Block = Known->ProducerBlock == AllBlocks
                          ? "all blocks"
                          : "block " + std::to_string(Known->ProducerBlock);
  return {StatusCode::Device,
          "block " + std::to_string(Known->Block) + " of launch " +
              std::to_string(Known->Launch) + " waited too long for " + Block +
              " of launch " + std::to_string(Known->Producer)};
}

} // namespace blockmaestro
