// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordJson.h"

#include "FootprintText.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

json::Value toJson(const SourceLocation &Where) {
  if (Where.File.empty())
    return nullptr;
  return json::Object{
      {"file", Where.File}, {"line", Where.Line}, {"column", Where.Column}};
}

template <typename T>
json::Array textsOf(const std::vector<T> &Values, const Footprint &F) {
  json::Array Texts;
  for (const T &Value : Values)
    Texts.push_back(toText(Value, F));
  return Texts;
}

json::Object toJson(const Access &A, const Footprint &F) {
  return json::Object{{"kind", toText(A.Kind)},
                      {"root", toText(A.Base)},
                      {"bytes", A.ElementBytes},
                      {"exactness", toText(A.How)},
                      {"offset", toText(A.Offset, F)},
                      {"domain", textsOf(A.Domain, F)},
                      {"assumptions", textsOf(A.Assumptions, F)},
                      {"reason", A.Reason},
                      {"location", toJson(A.Where)}};
}

json::Object attributesOf(const KernelRecord &K) {
  return json::Object{{"argument_bytes", K.ArgumentBytes},
                      {"static_shared_bytes", K.StaticSharedBytes},
                      {"dynamic_shared", K.has(Feature::DynamicShared)},
                      {"barrier", K.has(Feature::Barrier)},
                      {"prelaunch", K.PrelaunchSymbol},
                      {"persistent_case", K.PersistentCase},
                      {"no_variant_reason", K.NoVariantReason}};
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
  json::Array Accesses;
  for (const Access &A : Kernel.Bytes.Accesses)
    Accesses.push_back(toJson(A, Kernel.Bytes));
  return json::Object{
      {"name", Kernel.Name},
      {"symbol", Kernel.Symbol},
      {"source", Module.Source},
      {"architecture", Module.Architecture},
      {"counters", textsOf(Kernel.Bytes.CounterExtents, Kernel.Bytes)},
      {"accesses", std::move(Accesses)},
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
    Globals.push_back(json::Object{{"symbol", G.Symbol}, {"bytes", G.Bytes}});
  return json::Object{{"source", Module.Source},
                      {"architecture", Module.Architecture},
                      {"persistent", Module.PersistentSymbol},
                      {"bitcode_bytes", Module.Bitcode.size()},
                      {"globals", std::move(Globals)},
                      {"kernels", std::move(Kernels)}};
}

void printJson(json::Value Value) { outs() << formatv("{0:2}", Value) << '\n'; }

} // namespace blockmaestro
