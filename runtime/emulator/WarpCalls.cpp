// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpCalls.h"

#include "ThreadScheduler.h"

#include <algorithm>

using namespace blockmaestro;

extern "C" {

BM_SWITCHES uint64_t bm_warp(BlockContext *Context, uint32_t Operation,
                             uint32_t Site, uint32_t Mask, uint64_t Value) {
  return Context->Scheduler->meet(WarpOperation(Operation), Site, Mask, Value);
}

BM_SWITCHES uint64_t bm_warp_shuffle(BlockContext *Context,
                                     uint32_t SiteAndOperation, uint32_t Mask,
                                     uint32_t Value, uint32_t Second,
                                     uint32_t Third) {
  return Context->Scheduler->meet(WarpOperation(SiteAndOperation & 0xff),
                                  SiteAndOperation >> 8, Mask, Value, Second,
                                  Third);
}

void bm_lanes(uint32_t Operation, uint32_t Lanes, const uint64_t *Values,
              uint64_t *Outcome) {
  WarpState W;
  std::copy_n(Values, WarpSize, W.Value);
  std::fill_n(W.Outcome, WarpSize, 0);
  resolve(W, WarpOperation(Operation), Lanes);
  std::copy_n(W.Outcome, WarpSize, Outcome);
}

// The place is where the call returns to, and how deep the stack is there,
// since one function may be called from several places.
BM_SWITCHES uint32_t bm_warp_active(BlockContext *Context, uint32_t Site,
                                    uint32_t Order) {
  constexpr unsigned AddressBits = 48;
  auto Code = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  uint64_t Depth = Context->Scheduler->depthOf(__builtin_frame_address(0));
  return Context->Scheduler->activeMask(Site, Order,
                                        Code ^ Depth << AddressBits);
}

BM_SWITCHES void bm_barrier(BlockContext *Context, uint32_t Site, uint32_t Id,
                            uint32_t Count) {
  Context->Scheduler->barrier(Id, Count, Site);
}

BM_SWITCHES uint32_t bm_barrier_reduce(BlockContext *Context, uint32_t Site,
                                       uint32_t Reduction, uint32_t Id,
                                       uint32_t Count, uint32_t Predicate) {
  return Context->Scheduler->barrier(
      Id, Count, Site, BarrierReduction(Reduction), Predicate != 0);
}

void bm_barrier_arrive(BlockContext *Context, uint32_t Id, uint32_t Count) {
  Context->Scheduler->arrive(Id, Count);
}

BM_SWITCHES void bm_yield(BlockContext *Context, uint32_t Site,
                          uint32_t Iteration) {
  Context->Scheduler->yield(Site, Iteration);
}

BM_SWITCHES void bm_sleep(BlockContext *Context, uint32_t Site) {
  Context->Scheduler->sleep(Site);
}

BM_SWITCHES void bm_exit_thread(BlockContext *Context) {
  Context->Scheduler->exitThread();
}
}
