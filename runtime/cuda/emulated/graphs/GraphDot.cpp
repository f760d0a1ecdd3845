// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cudaGraphDebugDotPrint(): a graph in the language of Graphviz.

#include "Calls.h"
#include "Graph.h"
#include "GraphState.h"

#include <fstream>
#include <ostream>
#include <string>

namespace blockmaestro::emulated {

namespace {

const char *nameOf(cudaGraphNodeType Type) {
  switch (Type) {
  case cudaGraphNodeTypeKernel:
    return "KERNEL";
  case cudaGraphNodeTypeMemcpy:
    return "MEMCPY";
  case cudaGraphNodeTypeMemset:
    return "MEMSET";
  case cudaGraphNodeTypeHost:
    return "HOST";
  case cudaGraphNodeTypeGraph:
    return "GRAPH";
  case cudaGraphNodeTypeWaitEvent:
    return "EVENT_WAIT";
  case cudaGraphNodeTypeEventRecord:
    return "EVENT_RECORD";
  case cudaGraphNodeTypeMemAlloc:
    return "MEM_ALLOC";
  case cudaGraphNodeTypeMemFree:
    return "MEM_FREE";
  default:
    return "EMPTY";
  }
}

/// In a label between quotation marks.
std::string quoted(const std::string &Text) {
  std::string Out;
  for (char Each : Text) {
    if (Each == '"' || Each == '\\')
      Out += '\\';
    Out += Each;
  }
  return Out;
}

std::string sizes(Dim3 Of) {
  return std::to_string(Of.X) + "," + std::to_string(Of.Y) + "," +
         std::to_string(Of.Z);
}

/// Writes one graph and, as clusters, the graphs inside it.
class DotWriter {
public:
  DotWriter(std::ostream &Out, unsigned Flags) : Out(Out), Flags(Flags) {}

  void write(const Graph &What);

private:
  bool wants(unsigned Detail) const {
    return Flags & (Detail | cudaGraphDebugDotFlagsVerbose);
  }
  void writeDetails(const GraphNode &Node);
  void writeNode(const GraphNode &Node);

  std::ostream &Out;
  const unsigned Flags;
};

void DotWriter::writeDetails(const GraphNode &Node) {
  if (auto *Kernel = std::get_if<LaunchCommand>(&Node.What)) {
    Out << "\\n" << quoted(Kernel->What->Kernel->Name);
    if (wants(cudaGraphDebugDotFlagsKernelNodeParams))
      Out << "\\ngrid " << sizes(Kernel->What->Grid) << "\\nblock "
          << sizes(Kernel->What->Block) << "\\nshared "
          << Kernel->What->DynamicSharedBytes;
  }
  auto *Copy = std::get_if<CopyCommand>(&Node.What);
  if (Copy && wants(cudaGraphDebugDotFlagsMemcpyNodeParams))
    Out << "\\n"
        << Copy->What.extent.width << " x " << Copy->What.extent.height << " x "
        << Copy->What.extent.depth
        << (Copy->What.dstArray || Copy->What.srcArray ? " elements"
                                                       : " bytes");
  auto *Fill = std::get_if<FillCommand>(&Node.What);
  if (Fill && wants(cudaGraphDebugDotFlagsMemsetNodeParams))
    Out << "\\n"
        << Fill->Width << " x " << Fill->Height << " elements of "
        << Fill->ElementBytes << " bytes: " << Fill->Value;
  if (auto *Call = std::get_if<LibraryCommand>(&Node.What))
    Out << "\\n" << Call->Call;
  auto *Host = std::get_if<HostCommand>(&Node.What);
  if (Host && wants(cudaGraphDebugDotFlagsHostNodeParams))
    Out << "\\n" << reinterpret_cast<const void *>(Host->Function);
  if (wants(cudaGraphDebugDotFlagsHandles))
    Out << "\\n" << static_cast<const void *>(&Node);
}

void DotWriter::writeNode(const GraphNode &Node) {
  Out << "  node_" << Node.Id << " [label=\"" << Node.Id << "\\n"
      << nameOf(Node.type());
  writeDetails(Node);
  Out << "\"];\n";
  if (Node.Child) {
    Out << "  node_" << Node.Id << " -> graph_" << Node.Child->id()
        << " [style=dotted];\n  graph_" << Node.Child->id()
        << " [label=\"graph " << Node.Child->id() << "\"];\n";
    write(*Node.Child);
  }
}

void DotWriter::write(const Graph &What) {
  Out << "subgraph cluster_" << What.id() << " {\n  label=\"graph_" << What.id()
      << "\";\n  node [shape=record];\n";
  for (const GraphNode *Each : What.nodes())
    writeNode(*Each);
  for (const GraphNode *Each : What.nodes())
    for (const GraphEdge &User : Each->Users)
      Out << "  node_" << Each->Id << " -> node_" << User.Other->Id << ";\n";
  Out << "}\n";
}

} // namespace

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t Handle, const char *Path,
                                   unsigned Flags) {
  std::lock_guard<std::mutex> Held(graphState().Lock);
  Graph *What = graphState().Handles.graph(Handle);
  if (!What || !Path)
    return cudaErrorInvalidValue;
  std::ofstream Out(Path);
  if (!Out)
    return cudaErrorOperatingSystem;
  Out << "digraph dot {\n";
  DotWriter(Out, Flags).write(*What);
  Out << "}\n";
  return Out.flush() ? cudaSuccess : cudaErrorOperatingSystem;
}

} // namespace blockmaestro::emulated
