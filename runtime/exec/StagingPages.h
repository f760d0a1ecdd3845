// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bytes of the program's memory that are taken aside, for copies to
// the device that are held back while the program may change its own.
// On the data's way: inside Chained, which holds the copies; the device reads
// the bytes when it comes to them.
// Invariants:
//  - Bytes stay as they are until the stream has passed the copies that read
//    them: a page of memory has bytes for one stream only, and is used again
//    when the device has come to an event behind the last of these.
//  - The first free place is taken: a program that waits for the device between
//    two copies has the bytes of both at the same place, and a node of a graph
//    need not be set to another.
//  - Nobody waits for memory, neither for the first nor until some is free.
// Ownership: port and maker outlive it. Threads: one caller at a time; memory
// is asked for on another (ChainMaker.h).

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_STAGINGPAGES_H
#define BLOCKMAESTRO_RUNTIME_EXEC_STAGINGPAGES_H

#include "ChainMaker.h"
#include "GpuPort.h"

#include <array>
#include <cstddef>
#include <future>

namespace blockmaestro {

class StagingPages {
public:
  StagingPages(GpuPort &Port, ChainMaker &Maker) : Port(Port), Maker(Maker) {}
  ~StagingPages();
  StagingPages(const StagingPages &) = delete;
  StagingPages &operator=(const StagingPages &) = delete;

  /// Where these bytes lie from now on, for a copy on the stream; null where
  /// there is no room now.
  const void *keep(const void *From, size_t Bytes, void *Stream);
  /// Where the next bytes may come to lie; null: there is no memory yet.
  const void *likelyPlace() const { return Memory; }
  /// The stream has been given all that reads what was kept for it.
  Status given(void *Stream);
  /// Another stream may get its name, and does not wait for this one.
  void forgetStream(void *Stream);

  static constexpr size_t PageBytes = size_t(64) << 10;
  static constexpr size_t Pages = 16;
  /// Memory is asked for when bytes come for the so many-th time.
  static constexpr unsigned Often = 4;

private:
  struct Page {
    void *Stream = nullptr; ///< While it is in use.
    size_t Used = 0;
    bool IsHeld = false;    ///< Something in it has not been given yet.
    bool IsRead = false;    ///< The device may have to come to Behind yet.
    bool IsOrphan = false;  ///< Its stream is gone.
    void *Behind = nullptr; ///< An event; null: none was needed yet.
  };

  bool isThere();
  bool hasRoom(Page &In, size_t Bytes, void *Stream);

  GpuPort &Port;
  ChainMaker &Maker;
  unsigned Came = 0;
  std::future<Result<void *>> Coming;
  std::byte *Memory = nullptr;
  std::array<Page, Pages> All;
};

} // namespace blockmaestro

#endif
