// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordJson.h"

#include "FeatureNames.h"
#include "FootprintText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {

std::string utf8(StringRef Text) {
  return json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text);
}

json::Value toJson(const SourceLocation &Where) {
  if (Where.File.empty())
    return nullptr;
  return json::Object{{"file", utf8(Where.File)},
                      {"line", Where.Line},
                      {"column", Where.Column}};
}

namespace {

template <typename T>
json::Array textsOf(const std::vector<T> &Values, const SymbolNames &Names) {
  json::Array Texts;
  for (const T &Value : Values)
    Texts.push_back(Names.text(Value));
  return Texts;
}

json::Object toJson(const Access &A, const Footprint &F,
                    const SymbolNames &Names) {
  return json::Object{{"kind", toText(A.Kind)},
                      {"root", utf8(toText(A.Base))},
                      {"bytes", A.ElementBytes},
                      {"exactness", toText(A.How)},
                      {"offset", Names.text(A.Offset)},
                      {"domain", json::Array(conditionTexts(A, F, Names))},
                      {"assumptions", json::Array(assumptionTexts(A, Names))},
                      {"reason", utf8(A.Reason)},
                      {"location", toJson(A.Where)}};
}

json::Array accessesOf(const Footprint &F, const SymbolNames &Names) {
  json::Array Accesses;
  for (const Access &A : F.Accesses)
    Accesses.push_back(toJson(A, F, Names));
  return Accesses;
}

json::Array quotientsOf(const Footprint &F, const SymbolNames &Names) {
  json::Array Quotients;
  for (const Quotient &Q : F.Quotients)
    Quotients.push_back(
        json::Object{{"numerator", Names.text(Q.Numerator)},
                     {"denominator", Names.text(Q.Denominator)}});
  return Quotients;
}

json::Array valuesOf(const Footprint &F, const SymbolNames &Names) {
  json::Array Values;
  for (const ValueRange &R : F.Values)
    Values.push_back(
        json::Object{{"low", Names.text(R.Low)}, {"high", Names.text(R.High)}});
  return Values;
}

json::Object attributesOf(const KernelRecord &K) {
  return json::Object{{"features", json::Array(featureNames(K))},
                      {"argument_bytes", K.ArgumentBytes},
                      {"static_shared_bytes", K.StaticSharedBytes},
                      {"cluster", json::Array(K.Cluster)},
                      {"pdl", utf8(K.PdlSymbol)},
                      {"prelaunch", utf8(K.PrelaunchSymbol)},
                      {"persistent_case", K.PersistentCase},
                      {"timed", utf8(K.TimedSymbol)},
                      {"no_variant_reason", utf8(K.NoVariantReason)},
                      {"replaceable", K.Replaceable},
                      {"code", utohexstr(K.Code, /*LowerCase=*/true)}};
}

json::Object toJson(const Parameter &P) {
  return json::Object{{"offset", P.Offset},
                      {"bytes", P.Bytes},
                      {"alignment", P.Alignment},
                      {"pointer", P.Pointer},
                      {"by_value", P.ByValue}};
}

json::Array parametersOf(const KernelRecord &K) {
  json::Array Parameters;
  for (const Parameter &P : K.Parameters)
    Parameters.push_back(toJson(P));
  return Parameters;
}

} // namespace

json::Object toJson(const KernelRecord &Kernel, const ModuleRecord &Module) {
  const Footprint &F = Kernel.Bytes;
  SymbolNames Names(F);
  return json::Object{{"name", utf8(Kernel.Name)},
                      {"symbol", utf8(Kernel.Symbol)},
                      {"source", utf8(Module.Source)},
                      {"architecture", utf8(Module.Architecture)},
                      {"accesses", accessesOf(F, Names)},
                      {"counters", textsOf(F.CounterExtents, Names)},
                      {"quotients", quotientsOf(F, Names)},
                      {"powers", textsOf(F.Powers, Names)},
                      {"values", valuesOf(F, Names)},
                      {"attributes", attributesOf(Kernel)}};
}

json::Object toJson(const ModuleRecord &Module) {
  json::Array Kernels;
  for (const KernelRecord &K : Module.Kernels) {
    json::Object Kernel = toJson(K, Module);
    Kernel["parameters"] = parametersOf(K);
    Kernels.push_back(std::move(Kernel));
  }
  json::Array Globals;
  for (const GlobalRecord &G : Module.Globals)
    Globals.push_back(json::Object{{"symbol", utf8(G.Symbol)},
                                   {"bytes", G.Bytes},
                                   {"internal", G.Internal}});
  json::Array Shared;
  for (const SharedCode &S : Module.Shared)
    Shared.push_back(
        json::Object{{"symbol", utf8(S.Symbol)},
                     {"code", utohexstr(S.Code, /*LowerCase=*/true)}});
  return json::Object{{"source", utf8(Module.Source)},
                      {"architecture", utf8(Module.Architecture)},
                      {"relocatable", Module.Relocatable},
                      {"shared", std::move(Shared)},
                      {"persistent", utf8(Module.PersistentSymbol)},
                      {"bitcode_bytes", Module.Bitcode.size()},
                      {"globals", std::move(Globals)},
                      {"kernels", std::move(Kernels)}};
}

void printJson(json::Value Value) { outs() << formatv("{0:2}", Value) << '\n'; }

} // namespace blockmaestro
