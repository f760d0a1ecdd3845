// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompiledUnit.h"

#include <cstring>
#include <type_traits>

namespace blockmaestro {

namespace {

/// The parts of \p Code in their order, for writing and for reading.
template <typename Visitor, typename Traced>
void partsOf(Visitor &V, Traced &Code) {
  V.part(Code.Code.Registers);
  V.part(Code.Code.Steps);
  V.part(Code.Places);
  V.part(Code.Sites);
}

/// Appends the parts of a unit to its encoding.
class Writer {
public:
  template <typename T>
  std::enable_if_t<std::is_trivially_copyable_v<T>> part(const T &Value) {
    Out.append(reinterpret_cast<const char *>(&Value), sizeof Value);
  }
  void part(const std::string &Text) {
    part(uint64_t(Text.size()));
    Out += Text;
  }
  void part(const DefinedVariable &Variable) {
    part(Variable.Name);
    part(Variable.Bytes);
    part(Variable.Constant);
  }
  void part(const WarpInstruction &I) {
    part(I.Class);
    part(I.Result);
    part(I.Operands);
  }
  void part(const WarpStep &Step) {
    part(Step.Moves);
    part(Step.Instructions);
  }
  void part(const StepPlace &Place) {
    part(Place.Loops);
    part(Place.Accesses);
    part(Place.IsEntry);
  }
  void part(const std::shared_ptr<const TracedCode> &Traced) {
    part(Traced != nullptr);
    if (Traced)
      partsOf(*this, *Traced);
  }
  template <typename T> void part(const std::vector<T> &Items) {
    part(uint64_t(Items.size()));
    for (const T &Item : Items)
      part(Item);
  }

  std::string Out;
};

/// Takes them out again; after the first that is cut off nothing is right.
class Reader {
public:
  explicit Reader(std::string_view Bytes) : Rest(Bytes) {}

  template <typename T>
  std::enable_if_t<std::is_trivially_copyable_v<T>> part(T &Value) {
    if (Rest.size() < sizeof Value)
      return fail();
    std::memcpy(&Value, Rest.data(), sizeof Value);
    Rest.remove_prefix(sizeof Value);
  }
  void part(std::string &Text) {
    uint64_t Size = 0;
    part(Size);
    if (Size > Rest.size())
      return fail();
    Text = Rest.substr(0, Size);
    Rest.remove_prefix(Size);
  }
  void part(DefinedVariable &Variable) {
    part(Variable.Name);
    part(Variable.Bytes);
    part(Variable.Constant);
  }
  void part(WarpInstruction &I) {
    part(I.Class);
    part(I.Result);
    part(I.Operands);
  }
  void part(WarpStep &Step) {
    part(Step.Moves);
    part(Step.Instructions);
  }
  void part(StepPlace &Place) {
    part(Place.Loops);
    part(Place.Accesses);
    part(Place.IsEntry);
  }
  void part(std::shared_ptr<const TracedCode> &Traced) {
    bool Given = false;
    part(Given);
    if (!Given)
      return;
    auto Read = std::make_shared<TracedCode>();
    partsOf(*this, *Read);
    Traced = std::move(Read);
  }
  template <typename T> void part(std::vector<T> &Items) {
    uint64_t Size = 0;
    part(Size);
    if (Size > Rest.size())
      return fail();
    Items.resize(Size);
    for (T &Item : Items)
      part(Item);
  }
  bool atEnd() const { return !Failed && Rest.empty(); }

private:
  void fail() {
    Failed = true;
    Rest = {};
  }

  std::string_view Rest;
  bool Failed = false;
};

/// The parts of \p Unit in their order, for writing and for reading.
template <typename Visitor, typename Unit> void visit(Visitor &V, Unit &U) {
  V.part(U.Object);
  V.part(U.Needs);
  V.part(U.Variables);
  V.part(U.Facts.Form);
  V.part(U.Facts.Sites);
  V.part(U.Facts.StaticShared);
  V.part(U.Facts.ArgumentBytes);
  V.part(U.Facts.StackBytes);
  V.part(U.Facts.DeepStack);
  V.part(U.Facts.MayWait);
  V.part(U.Facts.ReservedShared);
  V.part(U.Facts.StripThreads);
  V.part(U.Facts.Weights);
  V.part(U.Facts.Traced);
}

} // namespace

std::string encode(const CompiledUnit &Unit) {
  Writer W;
  visit(W, Unit);
  return std::move(W.Out);
}

std::optional<CompiledUnit> decode(std::string_view Bytes) {
  CompiledUnit Unit;
  Reader R(Bytes);
  visit(R, Unit);
  if (!R.atEnd())
    return std::nullopt;
  return Unit;
}

} // namespace blockmaestro
