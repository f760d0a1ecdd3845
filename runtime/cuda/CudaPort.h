// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a CUDA GPU as the GPU executors see it.
// On the data's way: between the executors and the real runtime.
// Ownership: library and kernels outlive it. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_CUDAPORT_H
#define BLOCKMAESTRO_RUNTIME_CUDA_CUDAPORT_H

#include "CudaKernels.h"
#include "GpuPort.h"
#include "GraphUploads.h"

#include <functional>
#include <map>
#include <tuple>
#include <variant>

namespace blockmaestro {

class CudaPort final : public GpuPort {
public:
  CudaPort(const RuntimeCalls &Real, const CudaKernels &Kernels, int Device)
      : Real(Real), Kernels(Kernels), Device(Device), Uploads(Real) {}

  /// The device may have been reset: nothing that was found out, asked for or
  /// allocated counts any more.
  void forget();

  Result<void *> allocate(size_t Bytes, void *Stream) override;
  void retire(void *Memory, void *Stream) override;
  void release(void *Memory) override;
  Result<void *> allocateBeside(size_t Bytes) override;
  Status readBeside(void *To, const void *From, size_t Bytes) override;
  Status clearBeside(void *Memory, size_t Bytes) override;
  void releaseBeside(void *Memory) override;
  Result<void *> allocateStaging(size_t Bytes) override;
  void releaseStaging(void *Memory) override;
  Status copyIn(void *To, const void *From, size_t Bytes,
                void *Stream) override;
  Status launch(const GpuLaunch &What) override;
  Status copy(const GpuCopy &What) override;
  Status fill(const GpuFill &What) override;
  Result<ChainWork> chainOf(std::span<const GpuWork> Works,
                            const ChainOrder &Order) override;
  Status setWork(void *Chain, unsigned Place, const GpuWork &What) override;
  Status launchChain(void *Chain, void *Stream) override;
  void releaseChain(void *Chain) override;
  Result<void *> mark(void *Stream) override;
  std::optional<std::chrono::nanoseconds> between(void *First,
                                                  void *Last) override;
  void releaseMark(void *Mark) override;
  Status synchronize(void *Stream) override;
  Result<int> priorityOf(void *Stream) override;
  Result<void *> makeStream(int Priority) override;
  void releaseStream(void *Stream) override;
  Result<void *> makeEvent() override;
  void releaseEvent(void *Event) override;
  Status record(void *Event, void *Stream) override;
  bool hasPassed(void *Event) override;
  Status comeBehind(void *Stream, void *Event) override;
  uint64_t moduleOf(const KernelRecord &Kernel) override;
  /// 0 where the device does not say.
  uint32_t multiprocessors() override;
  Result<uint32_t> residentBlocks(const KernelRecord &Kernel,
                                  KernelVariant Form, uint32_t Threads,
                                  uint32_t SharedBytes) override;

  /// The most threads a block of this form may have.
  Result<uint32_t> threadLimit(const KernelRecord &Kernel, KernelVariant Form);
  /// How many registers a thread of this form has.
  Result<uint32_t> registersOf(const KernelRecord &Kernel, KernelVariant Form);
  /// The most dynamic shared memory that fits beside this form's own.
  Result<uint32_t> sharedLimit(const KernelRecord &Kernel, KernelVariant Form);

private:
  cudaError_t countMultiprocessors();
  struct Chain;
  /// What a node of a graph does.
  using Node = std::variant<cudaKernelNodeParams, GpuCopy, GpuFill>;

  using StreamWork = std::function<cudaError_t(cudaStream_t)>;
  Status beside(const char *What, const StreamWork &Work);
  Result<cudaMemPool_t> ownPool();
  Result<void *> makeChain(std::span<const Node> Nodes,
                           const ChainOrder &Order);
  cudaError_t buildChain(Chain &Out, std::span<const Node> Nodes,
                         const ChainOrder &Order);
  cudaError_t addNode(Chain &To, const Node &What, cudaGraphNode_t &Made);
  void destroy(const Chain &Gone);
  Result<Node> nodeOf(const GpuWork &What);
  Result<KernelKey> keyOf(const KernelRecord &Kernel, KernelVariant Form) const;
  Status allowShared(KernelKey Key, uint32_t Bytes);
  Result<cudaFuncAttributes> attributesOf(const KernelRecord &Kernel,
                                          KernelVariant Form,
                                          const char *Asking);

  const RuntimeCalls &Real;
  const CudaKernels &Kernels;
  const int Device;
  uint32_t Multiprocessors = 0; ///< 0: not asked yet.
  uint32_t SharedOfBlock = 0;   ///< The most, with its own; 0: not asked yet.
  cudaMemPool_t Pool = nullptr;
  GraphUploads Uploads;          ///< Used where chains are made.
  cudaStream_t Beside = nullptr; ///< Waits for no other, nor they for it.
  std::map<KernelKey, cudaFuncAttributes> Attributes;
  std::map<KernelKey, uint32_t> SharedAllowed;
  std::map<std::tuple<KernelKey, uint32_t, uint32_t>, uint32_t> Resident;
};

} // namespace blockmaestro

#endif
