// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MapItems.h"

#include <cstring>

namespace blockmaestro::openmp {
namespace {

/// void mapper(void *Components, void *Base, void *Begin, int64_t Bytes,
///             int64_t Type, void *Name)
using MapperFunction = void (*)(void *, void *, void *, int64_t, int64_t,
                                void *);

MapList listOf(MapperComponents &From) {
  MapList Out;
  Out.Count = uint32_t(From.Bases.size());
  Out.Bases = From.Bases.data();
  Out.Begins = From.Begins.data();
  Out.Sizes = From.Sizes.data();
  Out.Types = From.Types.data();
  Out.Names = From.Names.data();
  return Out;
}

bool isPart(uint64_t Type) {
  return parentOf(Type) >= 0 && !(Type & MapPointerAndObject);
}

MapItem itemAt(const MapList &List, uint32_t I) {
  MapItem Out;
  Out.Base = hostAddressOf(List.Bases[I]);
  Out.Begin = hostAddressOf(List.Begins[I]);
  Out.Bytes = uint64_t(List.Sizes[I]);
  Out.Type = uint64_t(List.Types[I]);
  if (List.Names)
    Out.Source = static_cast<const char *>(List.Names[I]);
  Out.Counted = !isPart(Out.Type);
  Out.HoldsMembers = parentOf(Out.Type) < 0 && I + 1 < List.Count &&
                     parentOf(uint64_t(List.Types[I + 1])) == int(I);
  if (Out.Type & MapReturned)
    Out.Returned = &List.Bases[I];
  return Out;
}

/// clang 22's mappers hand on the way of a clause, to or from, and not the rest
/// of it.
void inherit(const MapItem &Mapped, MapItem &Component) {
  if (!(Component.Type & MapAttach))
    Component.Type |=
        Mapped.Type & (MapAlways | MapDelete | MapPresent | MapHold);
  if (Component.name().empty())
    Component.Source = Mapped.Source;
}

/// Note [Counting what mappers map]
/// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
/// On entry a mapper of several elements begins with a component for all of
/// them, of which the elements are parts; on leaving it does not, and the first
/// element is nobody's part. Either way the first component stands for the
/// item that is mapped, and is counted as that is.
void addItems(const MapList &List, const MapItem *Mapped,
              std::vector<MapItem> &To) {
  for (uint32_t I = 0; I < List.Count; ++I) {
    MapItem Next = itemAt(List, I);
    if (Mapped && I == 0)
      Next.Counted = Mapped->Counted;
    if (Mapped)
      inherit(*Mapped, Next);
    if (!List.Mappers || !List.Mappers[I]) {
      To.push_back(std::move(Next));
      continue;
    }
    MapperComponents Components;
    reinterpret_cast<MapperFunction>(List.Mappers[I])(
        &Components, List.Bases[I], List.Begins[I], List.Sizes[I],
        List.Types[I], List.Names ? List.Names[I] : nullptr);
    addItems(listOf(Components), &Next, To);
  }
}

} // namespace

std::vector<MapItem> itemsOf(const MapList &List) {
  std::vector<MapItem> Out;
  Out.reserve(List.Count);
  addItems(List, nullptr, Out);
  return Out;
}

std::string MapItem::name() const { return parseSource(Source).First; }

SourceText parseSource(const char *Text) {
  std::string Parts[4];
  if (Text && *Text == ';')
    for (std::string &Each : Parts) {
      const char *Begin = Text + 1;
      const char *End = std::strchr(Begin, ';');
      if (!End)
        break;
      Each.assign(Begin, End);
      Text = End;
    }
  return {Parts[0], Parts[1], Parts[2]};
}

} // namespace blockmaestro::openmp
