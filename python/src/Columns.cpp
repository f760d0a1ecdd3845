// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Columns.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace blockmaestro::python {

int32_t Words::numberOf(const std::string &Text) {
  const auto [Found, IsNew] = Known.try_emplace(Text, int32_t(Texts.size()));
  if (IsNew)
    Texts.push_back(Text);
  return Found->second;
}

void Table::addBools(std::string Name, std::vector<uint8_t> Values) {
  Columns.push_back({std::move(Name), std::move(Values), true});
}

void Table::addWords(std::string Name, std::vector<int32_t> Values,
                     const Words &Of) {
  Columns.push_back({std::move(Name), std::move(Values), false, Of.all()});
}

void Table::addLists(std::string Name, std::vector<int32_t> Offsets,
                     std::vector<int32_t> Values, const Words &Of) {
  Columns.push_back({std::move(Name), std::move(Values), false, Of.all(),
                     std::move(Offsets)});
}

/// Memory that Python sees as it is, and frees.
template <typename T> static nb::object viewOf(std::vector<T> Values) {
  auto *Kept = new std::vector<T>(std::move(Values));
  nb::capsule Owner(
      Kept, [](void *P) noexcept { delete static_cast<std::vector<T> *>(P); });
  return nb::cast(nb::ndarray<nb::memview, T, nb::ndim<1>>(
      Kept->data(), {Kept->size()}, Owner));
}

/// What the program says need not be UTF-8, which Arrow's texts are.
static nb::list textsOf(const std::vector<std::string> &Texts) {
  nb::list Out;
  for (const std::string &Each : Texts)
    Out.append(nb::steal(
        PyUnicode_DecodeUTF8(Each.data(), Py_ssize_t(Each.size()), "replace")));
  return Out;
}

nb::list Table::toPython() && {
  nb::list Out;
  for (Column &Each : Columns) {
    nb::object Values =
        std::visit([](auto &Of) { return viewOf(std::move(Of)); }, Each.Values);
    nb::object Texts =
        Each.Texts ? nb::object(textsOf(*Each.Texts)) : nb::none();
    nb::object Offsets =
        Each.Offsets ? viewOf(std::move(*Each.Offsets)) : nb::none();
    Out.append(nb::make_tuple(Each.Name, Values, Each.IsBool, Texts, Offsets));
  }
  Columns.clear();
  return Out;
}

} // namespace blockmaestro::python
