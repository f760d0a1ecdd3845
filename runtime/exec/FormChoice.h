// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: in which form a chain is launched, by the times that the device
// took.
// On the data's way: inside ChainForms.
// Invariants:
//  - A form is tried as often as it takes to see that it is slower. What has
//    been chosen stays.
//  - Short works stay in order: from one block to the next takes as long as it
//    does from one launch to the next, and a chain by block has one node more.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_FORMCHOICE_H
#define BLOCKMAESTRO_RUNTIME_EXEC_FORMCHOICE_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace blockmaestro {

/// How the works of a chain wait for each other.
enum class ChainForm : uint8_t {
  InOrder, ///< For whole works.
  ByBlock, ///< Blocks wait for blocks.
};

/// Who chooses.
enum class FormPolicy : uint8_t {
  Faster,  ///< The times of both forms.
  InOrder, ///< The user: chains stay in order.
  ByBlock, ///< The user: they go by block where they can.
};

class FormChoice {
public:
  using Time = std::chrono::nanoseconds;

  FormChoice(size_t Works, FormPolicy Policy);

  /// Of the next launch.
  ChainForm next() const;
  /// Whether it is wanted how long that takes.
  bool isTimed() const {
    return Now == Stage::InOrder || Now == Stage::ByBlock;
  }
  /// A launch has taken so long; of what next() was then.
  void took(Time Long);

  /// Whether the form by blocks is what is missing.
  bool asks() const { return Now == Stage::Making; }
  /// It is there, or cannot be. It may have been made before anybody asked.
  void made(bool Can);

  bool isSettled() const { return Now == Stage::Settled; }
  /// The least that a launch has taken; nothing: none has been timed.
  std::optional<Time> least(ChainForm Which) const;

  /// So often a form is timed: the first launch of a graph takes longer.
  static constexpr unsigned Times = 2;
  /// A work has to take so long.
  static constexpr Time LeastEach{2500};

private:
  enum class Stage : uint8_t { InOrder, Making, ByBlock, Settled };
  /// The launches of one form that were timed.
  struct Seen {
    Time Least = Time::max();
    unsigned Count = 0;
  };

  Seen &seen(ChainForm Which) { return Of[size_t(Which)]; }
  const Seen &seen(ChainForm Which) const { return Of[size_t(Which)]; }
  Stage afterInOrder() const;
  Stage whenMade() const;
  Stage afterByBlock() const;
  bool isFasterByBlock() const;

  size_t Works;
  FormPolicy Policy;
  Stage Now = Stage::InOrder;
  std::optional<bool> Can; ///< Go by block.
  ChainForm Chosen = ChainForm::InOrder;
  Seen Of[2];
};

} // namespace blockmaestro

#endif
