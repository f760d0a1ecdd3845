// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The host's side of generated programs: see SequenceProgram.h.

#include "../Contents.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

bool wanted(unsigned program);
void programs();

namespace {

using Bytes = std::vector<char>;

struct Memory {
  char *Base;
  size_t Size;
  bool IsVariable;
};

std::vector<unsigned> Asked;
unsigned Program;
std::vector<Memory> Memories;
std::vector<unsigned> HostWords;
std::deque<Bytes> Host; ///< What copies from and to the host use, to the end.
cudaStream_t Streams[3];
cudaEvent_t Last;
int LastStream;

/// What is being captured, where operations come as graphs of a few each.
struct {
  bool Wanted;
  unsigned State = 7;
  unsigned Left; ///< Operations until it is launched; 0: nothing is captured.
  int Origin;    ///< The stream.
} Graph;

void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::printf("program %u error %s\n", Program, cudaGetErrorString(Error));
  std::exit(2);
}

/// Words that are modest numbers as integers, floats and doubles.
unsigned word(unsigned &State) {
  State = State * 1664525u + 1013904223u;
  return 0x3f800000u | State >> 9;
}

void hash(unsigned long &Sum, const Bytes &Of) {
  for (size_t I = 0; I + 8 <= Of.size(); I += 8) {
    unsigned long Each;
    std::memcpy(&Each, Of.data() + I, 8);
    Sum = (Sum ^ Each) * 1099511628211ul;
    Sum ^= Sum >> 29;
  }
}

/// A stream, behind everything called so far.
cudaStream_t goTo(int Stream) {
  if (Stream != LastStream) {
    check(cudaEventRecord(Last, Streams[LastStream]));
    check(cudaStreamWaitEvent(Streams[Stream], Last, 0));
    LastStream = Stream;
  }
  return Streams[Stream];
}

void beginGraph() {
  Graph.Left = 2 + word(Graph.State) % 6;
  Graph.Origin = LastStream;
  check(cudaStreamBeginCapture(Streams[LastStream],
                               cudaStreamCaptureModeRelaxed));
}

void launchGraph() {
  if (Graph.Left == 0)
    return;
  Graph.Left = 0;
  cudaGraph_t Made;
  cudaGraphExec_t Exec;
  check(cudaStreamEndCapture(goTo(Graph.Origin), &Made));
  check(cudaGraphInstantiate(&Exec, Made, 0));
  check(cudaGraphLaunch(Exec, Streams[Graph.Origin]));
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Made));
}

} // namespace

bool wanted(unsigned program) {
  for (unsigned Each : Asked)
    if (Each == program)
      return true;
  return Asked.empty();
}

void begin(unsigned program) {
  Program = program;
  std::printf("begin %u\n", program);
  std::fflush(stdout);
}

void memory(long bytes, const void *variable) {
  unsigned State = 12345 + Memories.size();
  std::vector<unsigned> Words(bytes / 4);
  for (unsigned &Each : Words)
    Each = word(State);
  Memory New = {nullptr, size_t(bytes), variable != nullptr};
  void *Base = nullptr;
  check(variable ? cudaGetSymbolAddress(&Base, variable)
                 : cudaMalloc(&Base, bytes));
  New.Base = static_cast<char *>(Base);
  check(cudaMemcpy(Base, Words.data(), bytes, cudaMemcpyHostToDevice));
  Memories.push_back(New);
}

char *at(unsigned memory, long offset) {
  return Memories[memory].Base + offset;
}

cudaStream_t on(int stream) {
  if (Graph.Left == 1)
    launchGraph();
  if (Graph.Left > 0)
    --Graph.Left;
  else if (Graph.Wanted)
    beginGraph();
  return goTo(stream);
}

void copy(int stream, char *to, const char *from, long bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, on(stream)));
}

void fill(int stream, char *to, int value, long bytes) {
  check(cudaMemsetAsync(to, value, bytes, on(stream)));
}

void upload(int stream, char *to, long word, long bytes) {
  check(cudaMemcpyAsync(to, HostWords.data() + word, bytes,
                        cudaMemcpyHostToDevice, on(stream)));
}

void download(const char *from, long bytes) {
  Host.emplace_back(bytes);
  check(cudaMemcpyAsync(Host.back().data(), from, bytes, cudaMemcpyDeviceToHost,
                        on(LastStream)));
}

void contents(int stream, char *to, long low, long high, int elementBytes,
              unsigned seed, unsigned array, bool wild, bool isSigned) {
  if (low == high)
    return;
  Host.emplace_back(high - low);
  Bytes &Of = Host.back();
  for (long Offset = low; Offset + elementBytes <= high;
       Offset += elementBytes) {
    const long Value = blockmaestro::soundness::contentsAt(seed, array, Offset,
                                                           wild, isSigned);
    std::memcpy(Of.data() + (Offset - low), &Value, elementBytes);
  }
  check(cudaMemcpyAsync(to + low, Of.data(), high - low, cudaMemcpyHostToDevice,
                        on(stream)));
}

void wait(int stream, bool device) {
  launchGraph();
  check(device ? cudaDeviceSynchronize() : cudaStreamSynchronize(goTo(stream)));
}

void end() {
  launchGraph();
  check(cudaDeviceSynchronize());
  unsigned long Sum = 1469598103934665603ul;
  for (const Bytes &Each : Host)
    hash(Sum, Each);
  for (const Memory &Each : Memories) {
    Bytes All(Each.Size);
    check(cudaMemcpy(All.data(), Each.Base, Each.Size, cudaMemcpyDeviceToHost));
    hash(Sum, All);
    if (!Each.IsVariable)
      check(cudaFree(Each.Base));
  }
  Memories.clear();
  Host.clear();
  std::printf("program %u %016lx\n", Program, Sum);
  std::fflush(stdout);
}

int main(int count, char **given) {
  for (int I = 1; I < count; ++I)
    Asked.push_back(std::strtoul(given[I], nullptr, 10));
  Graph.Wanted = std::getenv("SEQUENCE_GRAPHS");
  for (cudaStream_t &Each : Streams)
    check(cudaStreamCreate(&Each));
  check(cudaEventCreate(&Last));
  unsigned State = 99;
  for (int I = 0; I < 8192; ++I)
    HostWords.push_back(word(State));
  programs();
}
