// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where a block keeps what its threads need from one region in a
// later one: one array per value, indexed by the thread.
// On the data's way: laid out by Regions at the beginning of the block
// function, in memory of BlockContext::Allocate; those of a warp are local
// variables.
// Invariants: arrays begin at multiples of FrameAlignment and do not overlap.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_FRAMES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_FRAMES_H

#include "llvm/IR/IRBuilder.h"

namespace blockmaestro {

class Frames {
public:
  /// Declares an array of \p Bytes per thread; returns its number.
  unsigned add(uint64_t Bytes);
  /// Takes the memory, for \p Threads (i64) threads.
  void allocate(llvm::IRBuilder<> &B, llvm::Value *Context,
                llvm::Value *Threads);

  /// Makes them variables where \p Slots is, for the lanes of a warp.
  void placeForWarp(llvm::IRBuilder<> &Slots);
  /// Whether \p V is where a frame begins.
  bool isBase(const llvm::Value *V) const {
    return llvm::is_contained(Bases, V);
  }

  llvm::Value *address(llvm::IRBuilder<> &B, unsigned Number,
                       llvm::Value *Linear) const;
  void store(llvm::IRBuilder<> &B, unsigned Number, llvm::Value *Linear,
             llvm::Value *What) const;
  llvm::Value *load(llvm::IRBuilder<> &B, unsigned Number, llvm::Value *Linear,
                    llvm::Type *T) const;
  /// The first element of an array.
  llvm::Value *base(unsigned Number) const { return Bases[Number]; }

private:
  llvm::SmallVector<uint64_t> Bytes;
  llvm::SmallVector<llvm::Value *> Bases;
};

/// Bytes a value of type \p T takes in a frame.
uint64_t frameBytes(const llvm::DataLayout &Layout, llvm::Type *T);

} // namespace blockmaestro

#endif
