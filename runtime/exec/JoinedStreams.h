// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the streams whose works are held together, since the program has
// joined them by events, and which of these works are in front of which.
// On the data's way: inside Chained, which launches them as one graph on the
// first of these streams, home, and has the others come behind it.
// Invariants:
//  - Nothing is launched here: the caller says what it does.
//  - A stream joins only where home is behind all that the stream has been
//    given, so that nothing waits for what it would not wait for otherwise: see
//    Note [Who may join].
//  - Works are in front of others as their streams and the events have it.
// Threads: one caller.
//
// Note [Who may join]
// ~~~~~~~~~~~~~~~~~~~
// A graph on home runs behind all that home was given, and what the streams are
// given later comes behind all of the graph. That is more order than the
// program asks for. It is of no harm where all of it are works that end by
// themselves. But a program may have a stream wait for something else: a
// function of the host, memory that is written, an event of a third stream. A
// work that would wait for that, though the program has not said so, might keep
// the host from doing what is waited for. So what each stream is given is
// counted; something that is no work of ours is strange. A stream joins home at
// an event if
//  - home is behind all that the stream has been given, and
//  - the event is behind the last strange thing that home has been given: the
//    stream would wait for that anyway.
// When any of them is given something strange they are joined no longer. What
// nobody knows the stream of is strange to all.
// A stream on which the program measures time does not join home: it would
// measure home's works too. Home measures those of the others, which is as it
// should be where it is behind them anyway.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_JOINEDSTREAMS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_JOINEDSTREAMS_H

#include "ChainOrder.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace blockmaestro {

class JoinedStreams {
public:
  /// The program has made a stream; streams of one kind may be joined.
  void made(void *Stream, uint64_t Kind);
  /// Another stream or event may get its name.
  void forgetStream(void *Stream);
  void forgetEvent(void *Event) { Events.erase(Event); }

  /// A work of ours goes to the stream by itself.
  void given(void *Stream);
  /// Something strange does; or to any of them.
  void strange(void *Stream);
  void strangeAnywhere();
  /// The event is recorded on the stream; the stream waits for it.
  void recorded(void *Event, void *Stream);
  void waits(void *Stream, void *Event);

  /// The program is about to measure time on the stream. Whether it would find
  /// another than without this: then the stream is joined with none again.
  bool measures(void *Stream);

  /// Works of this stream are held from here on, and of no other. None is held,
  /// and no wait.
  void begin(void *Home);
  void *home() const { return Home; }
  bool has(void *Stream) const {
    return Stream == Home || Heads.count(Stream) != 0;
  }
  bool isAlone() const { return Heads.empty(); }

  /// A bit for each of the works that are held.
  using Works = uint64_t;
  /// What comes next on the stream is behind these.
  Works heads(void *Stream) const;
  /// Whether the stream is behind an event from here on without a wait: it
  /// joins. The event was recorded behind these works, which are held;
  bool joinsBehind(void *Stream, Works Recorded);
  /// or was recorded before.
  bool joins(void *Stream, void *Event);
  /// Whether a stream has joined that has yet to be made to wait.
  bool owes() const { return !Owing.empty(); }
  /// The next work that is held is of the stream.
  void hold(void *Stream);
  /// Whether home is behind all works that are held.
  bool isTied() const;
  /// The order of the first so many that are held.
  ChainOrder order(size_t Count) const;
  /// What is left of these when so many that are held have gone.
  static Works without(Works Of, size_t Count) {
    return Count >= ChainOrder::MostWorks ? 0 : Of >> Count;
  }
  /// They have gone, on home. The streams that have to come behind home now; if
  /// they do so is told by behindHome().
  std::vector<void *> gone(size_t Count);
  void behindHome(void *Stream);

private:
  using Clock = std::map<void *, uint64_t>; ///< What is in front, of each.
  struct Line {
    bool IsKnown = false; ///< The program has made it.
    bool IsTimed = false;
    uint64_t Kind = 0;
    uint64_t Given = 0;
    uint64_t Strange = 0; ///< Given, up to the last such thing.
    Clock Before;         ///< Of other streams.
  };

  static void join(Clock &To, const Clock &From);
  static bool has(const Clock &In, void *Stream, uint64_t Count);
  bool mayJoin(void *Stream);
  void add(void *Stream, Works Behind);
  Works last() const { return Held == 0 ? 0 : Works(1) << (Held - 1); }

  std::map<void *, Line> Lines;
  std::map<void *, Clock> Events;
  void *Home = nullptr;
  size_t Held = 0; ///< Works.
  /// Of those that are joined, home among them; none where home is alone, whose
  /// works are in a line.
  std::map<void *, Works> Heads;
  std::set<void *> Owing;
  std::vector<Works> Needs; ///< Of the works that are held, where it is not.
  std::vector<void *> OnStream; ///< The same.
};

} // namespace blockmaestro

#endif
