// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What calls ask for, by their arguments, and how a device prepares it.

#include "CommandOf.h"
#include "FrontEnd.h"

#include <gtest/gtest.h>

#include <vector>

using namespace blockmaestro;

namespace {

class CommandOfCall : public RuntimeTest {
protected:
  template <typename... Args>
  cudaError_t ask(std::string_view Call, Args... Given) {
    const FindSymbol Find = [this](const void *Symbol, size_t Bytes,
                                   size_t Offset, void *&Out) {
      Out = Variable + Offset;
      return Symbol == &Variable && Bytes + Offset <= sizeof(Variable)
                 ? cudaSuccess
                 : cudaErrorInvalidSymbol;
    };
    return requestOf(Call, Find, std::make_tuple(Given...), Asked);
  }
  const cudaMemcpy3DParms &copy() {
    return std::get<CopyCommand>(Asked.What).What;
  }
  const FillCommand &fill() { return std::get<FillCommand>(Asked.What); }

  const cudaStream_t Stream = reinterpret_cast<cudaStream_t>(&Trace);
  char Variable[64];
  char Area[4096];
  Request Asked;
};

TEST_F(CommandOfCall, StreamAndFormComeFromTheCall) {
  const void *From = Area;
  void *To = Area + 64;
  EXPECT_EQ(ask("cudaMemcpy", To, From, size_t(8), cudaMemcpyDefault),
            cudaSuccess);
  EXPECT_EQ(Asked.By, Asker::Call);
  EXPECT_EQ(Asked.Stream, nullptr);
  EXPECT_EQ(ask("cudaMemcpy_ptds", To, From, size_t(8), cudaMemcpyDefault),
            cudaSuccess);
  EXPECT_EQ(Asked.Stream, cudaStreamPerThread);
  EXPECT_EQ(
      ask("cudaMemcpyAsync", To, From, size_t(8), cudaMemcpyDefault, Stream),
      cudaSuccess);
  EXPECT_EQ(Asked.By, Asker::AsyncCall);
  EXPECT_EQ(Asked.Stream, Stream);
  EXPECT_EQ(copy().dstPtr.ptr, To);
  EXPECT_EQ(copy().srcPtr.ptr, From);
  EXPECT_EQ(copy().extent.width, 8u);
}

TEST_F(CommandOfCall, ArraysCountBytesAlongRowsOrAcross) {
  const auto To = reinterpret_cast<cudaArray_t>(Area);
  const auto From = reinterpret_cast<cudaArray_const_t>(Area + 8);
  const void *Host = Area;
  EXPECT_EQ(ask("cudaMemcpy2DToArray", To, size_t(4), size_t(2), Host,
                size_t(64), size_t(16), size_t(3), cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(std::get<CopyCommand>(Asked.What).Unit, CopyUnit::Bytes);
  EXPECT_EQ(copy().dstArray, To);
  EXPECT_EQ(copy().dstPtr.ptr, nullptr);
  EXPECT_EQ(copy().dstPos.x, 4u);
  EXPECT_EQ(copy().dstPos.y, 2u);
  EXPECT_EQ(copy().srcPtr.pitch, 64u);
  EXPECT_EQ(copy().extent.height, 3u);
  EXPECT_EQ(ask("cudaMemcpy2DToArray", To, size_t(0), size_t(0), Host,
                size_t(8), size_t(16), size_t(3), cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(ask("cudaMemcpyFromArrayAsync", static_cast<void *>(Area), From,
                size_t(4), size_t(2), size_t(100), cudaMemcpyDeviceToHost,
                Stream),
            cudaSuccess);
  EXPECT_EQ(std::get<CopyCommand>(Asked.What).Unit, CopyUnit::BytesAcrossRows);
  EXPECT_EQ(Asked.Stream, Stream);
  EXPECT_EQ(copy().srcArray, From);
  EXPECT_EQ(copy().extent.width, 100u);
}

TEST_F(CommandOfCall, PlanesNeedPitchesAsWideAsTheyAre) {
  const void *From = Area;
  void *To = Area + 1024;
  auto Plane = [&](size_t ToPitch, size_t FromPitch, size_t Width) {
    return ask("cudaMemcpy2D", To, ToPitch, From, FromPitch, Width, size_t(3),
               cudaMemcpyDefault);
  };
  EXPECT_EQ(Plane(32, 64, 16), cudaSuccess);
  EXPECT_EQ(copy().extent.height, 3u);
  EXPECT_EQ(Plane(8, 64, 16), cudaErrorInvalidPitchValue);
  EXPECT_EQ(Plane(64, 8, 16), cudaErrorInvalidPitchValue);
  EXPECT_EQ(Plane(0, 0, 0), cudaSuccess);
}

TEST_F(CommandOfCall, VariablesAreFoundAndOnlyCopiedOneWay) {
  const void *Symbol = &Variable, *From = Area;
  void *To = Area;
  EXPECT_EQ(ask("cudaMemcpyToSymbol", Symbol, From, size_t(8), size_t(16),
                cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(copy().dstPtr.ptr, Variable + 16);
  EXPECT_EQ(ask("cudaMemcpyToSymbol", Symbol, From, size_t(8), size_t(16),
                cudaMemcpyDeviceToHost),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(ask("cudaMemcpyFromSymbol", To, Symbol, size_t(8), size_t(32),
                cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(copy().srcPtr.ptr, Variable + 32);
  EXPECT_EQ(ask("cudaMemcpyFromSymbol", To, Symbol, size_t(8), size_t(60),
                cudaMemcpyDeviceToHost),
            cudaErrorInvalidSymbol);
}

TEST_F(CommandOfCall, OnlyTheFirstDeviceIsKnown) {
  const void *From = Area;
  void *To = Area + 64;
  EXPECT_EQ(ask("cudaMemcpyPeer", To, 0, From, 0, size_t(8)), cudaSuccess);
  EXPECT_EQ(copy().kind, cudaMemcpyDefault);
  EXPECT_EQ(ask("cudaMemcpyPeer", To, 0, From, 1, size_t(8)),
            cudaErrorInvalidDevice);
}

TEST_F(CommandOfCall, FillsAreBoxesOfBytes) {
  void *To = Area;
  EXPECT_EQ(ask("cudaMemset", To, 0x1ff, size_t(100)), cudaSuccess);
  EXPECT_EQ(fill().Value, 0xffu);
  EXPECT_EQ(writtenBy(fill()).span(), 100u);
  EXPECT_EQ(ask("cudaMemset2D", To, size_t(32), 1, size_t(8), size_t(4)),
            cudaSuccess);
  EXPECT_EQ(writtenBy(fill()).span(), 3 * 32u + 8);
  EXPECT_EQ(ask("cudaMemset3D", cudaPitchedPtr{To, 32, 8, 10}, 1,
                cudaExtent{8, 4, 3}),
            cudaSuccess);
  EXPECT_EQ(writtenBy(fill()).span(), 2 * 320u + 3 * 32 + 8);
}

/// A box in a box of other size, as bytes.
TEST_F(CommandOfCall, BoxesBeginWhereTheyAreSaidTo) {
  cudaMemcpy3DParms What = {};
  What.srcPtr = {Area, 32, 32, 10};
  What.srcPos = {4, 2, 1};
  What.dstPtr = {Area + 2048, 16, 16, 4};
  What.extent = {8, 3, 2};
  EXPECT_EQ(ask("cudaMemcpy3D", static_cast<const cudaMemcpy3DParms *>(&What)),
            cudaSuccess);
  EXPECT_EQ(readBy(copy()).Address,
            reinterpret_cast<uint64_t>(Area) + 320 + 64 + 4);
  EXPECT_EQ(readBy(copy()).span(), 320u + 2 * 32 + 8);
  EXPECT_FALSE(readBy(copy()).Writes);
  EXPECT_EQ(writtenBy(copy()).span(), 64u + 2 * 16 + 8);
  EXPECT_TRUE(writtenBy(copy()).Writes);
}

/// What has to be said by the call is not prepared; what is, is not done yet.
TEST_F(CommandOfCall, NothingIsPreparedThatTheCallWouldRefuse) {
  const auto &Calls = Machine.calls();
  void *Memory = nullptr;
  ASSERT_EQ(Calls.cudaMalloc(&Memory, 64), cudaSuccess);
  const FillCommand Fill = {Memory, 7, 1, 64};
  cudaStream_t Own = nullptr;
  ASSERT_EQ(Calls.cudaStreamCreateWithFlags(&Own, cudaStreamNonBlocking),
            cudaSuccess);
  EXPECT_NE(Machine.prepare({Fill, Own}, true), nullptr);
  EXPECT_EQ(Machine.prepare({Fill, Stream}, true), nullptr);
  EXPECT_EQ(Machine.prepare({FillCommand{Memory, 7, 1, 65}, Own}, true),
            nullptr);
  EXPECT_EQ(Machine.prepare({FillCommand{Memory, 7, 1, 0}, Own}, true),
            nullptr);
  EXPECT_EQ(Machine.prepare({HostCommand{}, Own}, true), nullptr);
  ASSERT_EQ(Calls.cudaStreamBeginCapture(Own, cudaStreamCaptureModeRelaxed),
            cudaSuccess);
  EXPECT_EQ(Machine.prepare({Fill, Own}, true), nullptr);
  cudaGraph_t Graph = nullptr;
  ASSERT_EQ(Calls.cudaStreamEndCapture(Own, &Graph), cudaSuccess);
  size_t Nodes = 1;
  EXPECT_EQ(Calls.cudaGraphGetNodes(Graph, nullptr, &Nodes), cudaSuccess);
  EXPECT_EQ(Nodes, 0u);
  EXPECT_EQ(Calls.cudaGraphDestroy(Graph), cudaSuccess);
  EXPECT_EQ(Calls.cudaStreamDestroy(Own), cudaSuccess);
  EXPECT_EQ(Calls.cudaFree(Memory), cudaSuccess);
}

} // namespace
