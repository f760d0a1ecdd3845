// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the lines of bm-make-recording about what warps did:
//   code REGISTERS
//       the code of the traces that follow; its steps follow
//   step
//       the next step of the code; its moves and instructions follow
//   move FROM RESULT OPERAND
//       OPERAND is a register or -
//   do CLASS RESULT OPERAND...
//       CLASS is one of WarpClassNames, RESULT a register or -
//   trace LAUNCH BLOCK
//       a block of the code above; its warps follow
//   warp
//       the next warp of the block; its visits follow
//   visit STEP LANES ACCESS...
//       LANES in hexadecimal; an ACCESS is sN: of shared memory, of N
//       wavefronts, or gN,N,...: of these sectors
//   again [TIMES]
//       so many more warps that do what the last did

#ifndef BLOCKMAESTRO_TEST_UNIT_RECORD_TRACELINES_H
#define BLOCKMAESTRO_TEST_UNIT_RECORD_TRACELINES_H

#include "Writer.h"

#include <memory>
#include <optional>
#include <sstream>
#include <string>

namespace blockmaestro {

class TraceLines {
public:
  static bool takes(const std::string &Verb);
  /// False when the line is not understood.
  bool line(const std::string &Verb, std::istringstream &In,
            RecordingWriter &To);
  /// Writes the block that is under construction.
  void flush(RecordingWriter &To);

private:
  bool code(std::istringstream &In);
  bool move(std::istringstream &In);
  bool instruction(std::istringstream &In);
  bool trace(std::istringstream &In);
  bool visit(std::istringstream &In);
  bool again(std::istringstream &In);
  void endWarp();

  std::shared_ptr<WarpCode> Code;
  std::optional<BlockTrace> Block;
  std::shared_ptr<WarpRoute> Route; ///< Of the warp under construction.
  std::shared_ptr<WarpPath> Path;
};

} // namespace blockmaestro

#endif
