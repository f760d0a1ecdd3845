// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FormChoice.h"

#include <algorithm>

namespace blockmaestro {

FormChoice::FormChoice(size_t Works, FormPolicy Policy)
    : Works(Works), Policy(Policy) {
  if (Policy == FormPolicy::InOrder)
    Now = Stage::Settled;
  if (Policy == FormPolicy::ByBlock)
    Now = Stage::Making;
}

ChainForm FormChoice::next() const {
  return Now == Stage::ByBlock ? ChainForm::ByBlock : Chosen;
}

/// What is short is not worth it.
FormChoice::Stage FormChoice::afterInOrder() const {
  const Seen &Mine = seen(ChainForm::InOrder);
  if (Mine.Count < Times)
    return Stage::InOrder;
  return Mine.Least < Works * LeastEach ? Stage::Settled : whenMade();
}

FormChoice::Stage FormChoice::whenMade() const {
  if (!Can)
    return Stage::Making;
  return *Can ? Stage::ByBlock : Stage::Settled;
}

/// What is much slower the first time is not tried again.
FormChoice::Stage FormChoice::afterByBlock() const {
  const Seen &Mine = seen(ChainForm::ByBlock);
  const bool IsMuchSlower = 4 * Mine.Least > 5 * seen(ChainForm::InOrder).Least;
  return Mine.Count < Times && !IsMuchSlower ? Stage::ByBlock : Stage::Settled;
}

void FormChoice::took(Time Long) {
  if (!isTimed())
    return;
  Seen &Mine = seen(next());
  Mine.Least = std::min(Mine.Least, Long);
  ++Mine.Count;
  Now = Now == Stage::InOrder ? afterInOrder() : afterByBlock();
  if (Now == Stage::Settled && isFasterByBlock())
    Chosen = ChainForm::ByBlock;
}

/// By more than a twentieth.
bool FormChoice::isFasterByBlock() const {
  const Seen &ByBlock = seen(ChainForm::ByBlock);
  return ByBlock.Count != 0 &&
         20 * ByBlock.Least < 19 * seen(ChainForm::InOrder).Least;
}

void FormChoice::made(bool IsThere) {
  Can = IsThere;
  if (Now != Stage::Making)
    return;
  Now = whenMade();
  if (Policy == FormPolicy::Faster || Now != Stage::ByBlock)
    return;
  Now = Stage::Settled;
  Chosen = ChainForm::ByBlock;
}

std::optional<FormChoice::Time> FormChoice::least(ChainForm Which) const {
  return seen(Which).Count == 0 ? std::nullopt
                                : std::optional(seen(Which).Least);
}

} // namespace blockmaestro
