// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the one way the runtime reports a failure. Passes and tools use
// llvm::Expected; everything that must live without LLVM uses these.
// Invariants: a Status is either ok (and has no message) or carries a code and
// one clear sentence. Nothing here throws, prints or exits.
// Threads: values; no shared state.

#ifndef BLOCKMAESTRO_STATUS_H
#define BLOCKMAESTRO_STATUS_H

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace blockmaestro {

enum class StatusCode : uint8_t {
  Ok,
  InvalidArgument,
  Unsupported,
  Corrupt,
  VersionMismatch,
  NotFound,
  OutOfMemory,
  Io,
  Device,
  // How a kernel ended that the device gave up.
  Assertion,
  Trap,
  IllegalAddress,
  Misaligned,
  StackOverflow,
  Stuck, ///< Waits for what never comes.
};

class [[nodiscard]] Status {
public:
  Status() = default;
  Status(StatusCode Code, std::string Message)
      : Code(Code), Message(std::move(Message)) {}

  bool ok() const { return Code == StatusCode::Ok; }
  StatusCode code() const { return Code; }
  const std::string &message() const { return Message; }

private:
  StatusCode Code = StatusCode::Ok;
  std::string Message;
};

/// Either a value or the Status that says why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T Value) : Value(std::move(Value)) {}
  Result(Status Why) : Why(std::move(Why)) { assert(!this->Why.ok()); }

  bool ok() const { return Value.has_value(); }
  const Status &status() const { return Why; }
  T &operator*() { return *Value; }
  const T &operator*() const { return *Value; }
  T *operator->() { return &*Value; }
  const T *operator->() const { return &*Value; }

private:
  std::optional<T> Value;
  Status Why;
};

} // namespace blockmaestro

#endif
