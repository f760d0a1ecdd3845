// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxOpcodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr const char *TextureRead = "a texture read";
constexpr const char *TensorCore = "a tensor core operation";
constexpr const char *TensorMap = "a copy by a tensor map (TMA)";

/// The first row that fits counts.
constexpr PtxOpcode Opcodes[] = {
    {"exit", PtxRole::Exit, PtxService::ThreadEnd},
    {"trap", PtxRole::Registers, PtxService::ProgramEnd},
    {"bra", PtxRole::Branch},
    {"bar.warp", PtxRole::Registers},
    {"barrier.cluster", PtxRole::Registers, PtxService::Cluster},
    {"bar", PtxRole::Registers, PtxService::BlockBarrier},
    {"barrier", PtxRole::Registers, PtxService::BlockBarrier},
    {"mapa", PtxRole::Registers, PtxService::Cluster},
    {"getctarank", PtxRole::Registers, PtxService::Cluster},
    {"griddepcontrol", PtxRole::Registers, PtxService::EarlyLaunch},
    {"mbarrier", PtxRole::Harmless, PtxService::SharedBarrier},
    {"tex", PtxRole::Opaque, PtxService::Images, TextureRead},
    {"tld4", PtxRole::Opaque, PtxService::Images, TextureRead},
    {"suld", PtxRole::Opaque, PtxService::Images, "a surface read"},
    {"sust", PtxRole::Opaque, PtxService::Images, "a surface write"},
    {"sured", PtxRole::Opaque, PtxService::Images, "a surface operation"},
    {"txq", PtxRole::Harmless, PtxService::Images, "a texture query"},
    {"suq", PtxRole::Harmless, PtxService::Images, "a surface query"},
    {"tensormap", PtxRole::Opaque, PtxService::Descriptor, TensorMap},
    {"cp.async.bulk.tensor", PtxRole::Opaque, PtxService::Descriptor,
     TensorMap},
    {"cp.reduce.async.bulk.tensor", PtxRole::Opaque, PtxService::Descriptor,
     TensorMap},
    {"cp.async.bulk.prefetch.tensor", PtxRole::Harmless, PtxService::None,
     TensorMap},
    {"cp.async.bulk.prefetch", PtxRole::Harmless},
    {"cp.async.bulk.commit_group", PtxRole::Registers},
    {"cp.async.bulk.wait_group", PtxRole::Registers},
    {"cp.async.bulk.shared::cluster.global", PtxRole::BulkIn, PtxService::Bulk},
    {"cp.async.bulk.shared::cta.global", PtxRole::BulkIn, PtxService::Bulk},
    {"cp.async.bulk.global.shared::cta", PtxRole::BulkOut, PtxService::Bulk},
    {"cp.reduce.async.bulk.global.shared::cta", PtxRole::BulkUpdate,
     PtxService::Bulk},
    {"cp.async.bulk", PtxRole::Opaque, PtxService::Bulk},
    {"cp.reduce.async.bulk", PtxRole::Opaque, PtxService::Bulk},
    {"cp.async.commit_group", PtxRole::Registers},
    {"cp.async.wait_group", PtxRole::Registers},
    {"cp.async.wait_all", PtxRole::Registers},
    {"cp.async.mbarrier", PtxRole::Harmless, PtxService::SharedBarrier},
    {"cp.async", PtxRole::CopyIn},
    {"prefetch", PtxRole::Harmless},
    {"prefetchu", PtxRole::Harmless},
    {"applypriority", PtxRole::Harmless},
    {"createpolicy", PtxRole::Harmless},
    {"ldmatrix", PtxRole::Harmless, PtxService::None, TensorCore},
    {"stmatrix", PtxRole::Harmless, PtxService::None, TensorCore},
    {"wmma.mma", PtxRole::Registers, PtxService::None, TensorCore},
    {"wmma", PtxRole::Opaque, PtxService::None, TensorCore},
    {"ld", PtxRole::Load},
    {"ldu", PtxRole::Load},
    {"st", PtxRole::Store},
    {"atom", PtxRole::Update},
    {"red", PtxRole::Reduce},
    {"multimem", PtxRole::Opaque, PtxService::None, "memory of several GPUs"},
    {"discard", PtxRole::Opaque},
    {"mma", PtxRole::Registers, PtxService::None, TensorCore},
    {"wgmma", PtxRole::Registers, PtxService::None, TensorCore},
    {"movmatrix", PtxRole::Registers, PtxService::None, TensorCore},
    {"brkpt", PtxRole::Anything},
    {"tcgen05", PtxRole::Anything, PtxService::None, TensorCore},
    {"clusterlaunchcontrol", PtxRole::Anything, PtxService::Cluster,
     "a cluster"},
};

/// The first words of opcodes that work on registers alone, in the order of the
/// PTX manual: arithmetic, comparison, logic, moves, video, the warp, fences.
constexpr StringRef RegisterOpcodes[] = {
    "add",   "sub",       "mul",       "mad",        "mul24",    "mad24",
    "sad",   "div",       "rem",       "abs",        "neg",      "min",
    "max",   "popc",      "clz",       "bfind",      "fns",      "brev",
    "bfe",   "bfi",       "bmsk",      "szext",      "dp4a",     "dp2a",
    "addc",  "subc",      "madc",      "testp",      "copysign", "fma",
    "rcp",   "sqrt",      "rsqrt",     "sin",        "cos",      "lg2",
    "ex2",   "tanh",      "set",       "setp",       "selp",     "slct",
    "and",   "xor",       "or",        "not",        "cnot",     "lop3",
    "shf",   "shl",       "shr",       "mov",        "prmt",     "cvt",
    "cvta",  "isspacep",  "vadd",      "vsub",       "vabsdiff", "vmin",
    "vmax",  "vshl",      "vshr",      "vmad",       "vset",     "vadd2",
    "vsub2", "vavrg2",    "vabsdiff2", "vmin2",      "vmax2",    "vset2",
    "vadd4", "vsub4",     "vavrg4",    "vabsdiff4",  "vmin4",    "vmax4",
    "vset4", "shfl",      "vote",      "match",      "redux",    "activemask",
    "elect", "nanosleep", "pmevent",   "setmaxnreg", "membar",   "fence",
};

} // namespace

const PtxOpcode *findPtxOpcode(ArrayRef<std::string> Words) {
  static constexpr PtxOpcode OnRegisters = {"", PtxRole::Registers};
  const std::string Opcode = join(Words, ".");
  const auto *Row = find_if(Opcodes, [&](const PtxOpcode &Row) {
    StringRef Rest = Opcode;
    return Rest.consume_front(Row.Prefix) &&
           (Rest.empty() || Rest.starts_with("."));
  });
  if (Row != std::end(Opcodes))
    return Row;
  return is_contained(RegisterOpcodes, Words.front()) ? &OnRegisters : nullptr;
}

} // namespace blockmaestro
