// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what compiled code of a kernel calls where its threads wait for
// each other; WarpLowering emits the calls.
// On the data's way: from compiled code to the ThreadScheduler of its block.
// Invariants: a Site is a number of CompiledKernel::Sites; operation and
// reduction numbers are those of WarpOperation and BarrierReduction.
// Threads: called on the stack of a thread of a block.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_WARPCALLS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_WARPCALLS_H

#include "BlockContext.h"

#include <cstdint>

extern "C" {

/// The lanes of \p Mask do one thing together. A result below, a second one
/// from bit 32 on.
uint64_t bm_warp(blockmaestro::BlockContext *Context, uint32_t Operation,
                 uint32_t Site, uint32_t Mask, uint64_t Value);
uint64_t bm_warp_shuffle(blockmaestro::BlockContext *Context,
                         uint32_t SiteAndOperation, uint32_t Mask,
                         uint32_t Value, uint32_t Second, uint32_t Third);
/// What bm_warp() gives, for whole warps that have no stacks: what each of \p
/// Lanes gets for its element of \p Values.
void bm_lanes(uint32_t Operation, uint32_t Lanes, const uint64_t *Values,
              uint64_t *Outcome);
/// \p Order grows along the code.
uint32_t bm_warp_active(blockmaestro::BlockContext *Context, uint32_t Site,
                        uint32_t Order);
/// \p Count 0 stands for all threads of the block.
void bm_barrier(blockmaestro::BlockContext *Context, uint32_t Site, uint32_t Id,
                uint32_t Count);
uint32_t bm_barrier_reduce(blockmaestro::BlockContext *Context, uint32_t Site,
                           uint32_t Reduction, uint32_t Id, uint32_t Count,
                           uint32_t Predicate);
void bm_barrier_arrive(blockmaestro::BlockContext *Context, uint32_t Id,
                       uint32_t Count);
/// Lets others run before a loop that waits goes round for the \p Iteration-th
/// time, counted from 0 where the loop is entered.
void bm_yield(blockmaestro::BlockContext *Context, uint32_t Site,
              uint32_t Iteration);
void bm_sleep(blockmaestro::BlockContext *Context, uint32_t Site);
/// Ends the calling thread.
[[noreturn]] void bm_exit_thread(blockmaestro::BlockContext *Context);
}

#endif
