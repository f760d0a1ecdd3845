// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How arrays lie in memory, what copies of them touch, and which objects are
// made over them.

#include "emulated/memory/Arrays.h"
#include "emulated/memory/Images.h"
#include "emulated/memory/MemoryState.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::emulated;

namespace {

const cudaChannelFormatDesc Floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
const cudaChannelFormatDesc Bytes4 = {8, 8, 8, 8,
                                      cudaChannelFormatKindUnsigned};

cudaError_t layOutOf(ArrayShape Shape, unsigned Count = 1) {
  std::vector<ArrayObject> Ignored;
  return layOut(Shape, Count, Ignored);
}

TEST(Arrays, FormatsAreOneTwoOrFourEqualComponents) {
  TexelFormat Format;
  EXPECT_EQ(formatOf(Bytes4, Format), cudaSuccess);
  EXPECT_EQ(Format.bytes(), 4u);
  EXPECT_EQ(channelsOf(Format).w, 8);
  for (const cudaChannelFormatDesc &Wrong :
       {cudaChannelFormatDesc{8, 8, 8, 0, cudaChannelFormatKindUnsigned},
        {8, 16, 0, 0, cudaChannelFormatKindUnsigned},
        {0, 8, 0, 0, cudaChannelFormatKindUnsigned},
        {8, 0, 0, 0, cudaChannelFormatKindFloat},
        {24, 0, 0, 0, cudaChannelFormatKindSigned},
        {8, 0, 0, 0, cudaChannelFormatKindNone}})
    EXPECT_EQ(formatOf(Wrong, Format), cudaErrorInvalidChannelDescriptor);
}

TEST(Arrays, SizesAndFlagsGoTogether) {
  EXPECT_EQ(layOutOf({Floats, {8, 0, 0}, 0}), cudaSuccess);
  EXPECT_EQ(layOutOf({Floats, {8, 0, 3}, 0}), cudaErrorInvalidValue);
  EXPECT_EQ(layOutOf({Floats, {8, 0, 3}, cudaArrayLayered}), cudaSuccess);
  EXPECT_EQ(layOutOf({Floats, {8, 8, 0}, cudaArrayLayered}),
            cudaErrorInvalidValue);
  EXPECT_EQ(layOutOf({Floats, {8, 8, 6}, cudaArrayCubemap}), cudaSuccess);
  EXPECT_EQ(layOutOf({Floats, {8, 8, 12}, cudaArrayCubemap}),
            cudaErrorInvalidValue);
  EXPECT_EQ(layOutOf({Floats, {8, 8, 12}, cudaArrayCubemap | cudaArrayLayered}),
            cudaSuccess);
  EXPECT_EQ(layOutOf({Floats, {1 << 20, 0, 0}, 0}), cudaErrorInvalidValue);
  EXPECT_EQ(layOutOf({Floats, {8, 8, 0}, cudaArraySparse}),
            cudaErrorInvalidValue);
}

TEST(Arrays, LevelsHalveUntilOneTexel) {
  std::vector<ArrayObject> Levels;
  ASSERT_EQ(layOut({Bytes4, {20, 5, 0}, 0}, 99, Levels), cudaSuccess);
  ASSERT_EQ(Levels.size(), 5u);
  EXPECT_EQ(Levels[1].Texels.Width, 10u);
  EXPECT_EQ(Levels[1].Texels.Height, 2u);
  EXPECT_EQ(Levels[4].Shape.Extent.height, 1u);
  EXPECT_EQ(Levels[0].bytes(), 400u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(Levels[1].Texels.Texels), 512u);
  Levels.clear();
  ASSERT_EQ(layOut({Bytes4, {4, 4, 7}, cudaArrayLayered}, 3, Levels),
            cudaSuccess);
  EXPECT_EQ(Levels[2].Texels.Slices, 7u) << "layers stay";
}

/// Two arrays over memory of the test.
class ArrayCopies : public testing::Test {
protected:
  void SetUp() override {
    A = make({Floats, {6, 4, 2}, 0});
    B = make({Bytes4, {6, 4, 2}, 0});
  }
  void TearDown() override {
    for (cudaArray_t Each : Made)
      memoryState().Arrays.forget(Each);
  }
  cudaArray_t make(const ArrayShape &Shape) {
    std::vector<ArrayObject> Level;
    EXPECT_EQ(layOut(Shape, 1, Level), cudaSuccess);
    Level[0].Texels.Texels = Memory + Used;
    Used += 512;
    Made.push_back(memoryState().Arrays.add(Level[0]));
    return Made.back();
  }
  /// \p Count bytes into A, from its third element in the second row on.
  CopyCommand into(CopyUnit Unit, size_t At, size_t Count) {
    CopyCommand Out;
    Out.Unit = Unit;
    Out.What.dstArray = A;
    Out.What.dstPos = {At, 1, 0};
    Out.What.srcPtr = {Host, 64, 64, 1};
    Out.What.extent = {Count, 1, 1};
    Out.What.kind = cudaMemcpyHostToDevice;
    return Out;
  }

  uint8_t Memory[1024] = {};
  uint8_t Host[1024] = {};
  size_t Used = 0;
  std::vector<cudaArray_t> Made;
  cudaArray_t A = nullptr, B = nullptr;
};

TEST_F(ArrayCopies, ElementsAndBytesAreOnePlace) {
  for (const CopyCommand &Each :
       {into(CopyUnit::Elements, 2, 3), into(CopyUnit::Bytes, 8, 12)}) {
    CopyCommand Plain, Told;
    ASSERT_EQ(withoutArrays(Each, Plain), cudaSuccess);
    EXPECT_EQ(Plain.What.dstArray, nullptr);
    EXPECT_EQ(Plain.What.dstPtr.ptr, Memory);
    EXPECT_EQ(Plain.What.dstPtr.pitch, 24u);
    EXPECT_EQ(Plain.What.dstPtr.ysize, 4u);
    EXPECT_EQ(Plain.What.dstPos.x, 8u);
    EXPECT_EQ(Plain.What.extent.width, 12u);
    ASSERT_EQ(inElements(Each, Told), cudaSuccess);
    EXPECT_EQ(Told.What.dstArray, A);
    EXPECT_EQ(Told.What.dstPos.x, 2u);
    EXPECT_EQ(Told.What.extent.width, 3u);
  }
}

TEST_F(ArrayCopies, BytesMayGoOnInTheNextRow) {
  CopyCommand Plain;
  ASSERT_EQ(withoutArrays(into(CopyUnit::BytesAcrossRows, 16, 40), Plain),
            cudaSuccess);
  EXPECT_EQ(Plain.What.dstPtr.ptr, Memory + 24 + 16);
  EXPECT_EQ(Plain.What.extent.width, 40u);
  EXPECT_EQ(withoutArrays(into(CopyUnit::BytesAcrossRows, 16, 57), Plain),
            cudaErrorInvalidValue);
}

TEST_F(ArrayCopies, NothingLeavesAnArray) {
  CopyCommand Plain;
  EXPECT_EQ(withoutArrays(into(CopyUnit::Elements, 4, 3), Plain),
            cudaErrorInvalidValue);
  constexpr size_t Wraps = size_t(1) << 62; // Times 4.
  EXPECT_EQ(withoutArrays(into(CopyUnit::Elements, ~size_t(0), 2), Plain),
            cudaErrorInvalidValue);
  EXPECT_EQ(withoutArrays(into(CopyUnit::Elements, Wraps, 2), Plain),
            cudaErrorInvalidValue);
  EXPECT_EQ(withoutArrays(into(CopyUnit::Elements, 0, Wraps), Plain),
            cudaErrorInvalidValue);
  CopyCommand Slices = into(CopyUnit::Elements, 0, 1);
  Slices.What.extent.depth = 3;
  EXPECT_EQ(withoutArrays(Slices, Plain), cudaErrorInvalidValue);
  CopyCommand Back = into(CopyUnit::Elements, 0, 1);
  Back.What.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(withoutArrays(Back, Plain), cudaErrorInvalidMemcpyDirection);
  CopyCommand Gone = into(CopyUnit::Elements, 0, 1);
  Gone.What.dstArray = reinterpret_cast<cudaArray_t>(Host);
  EXPECT_EQ(withoutArrays(Gone, Plain), cudaErrorInvalidValue);
}

TEST_F(ArrayCopies, BetweenElementsOfOneSize) {
  CopyCommand Plain, Copy;
  Copy.What.dstArray = A;
  Copy.What.srcArray = B;
  Copy.What.extent = {2, 2, 2};
  Copy.What.kind = cudaMemcpyDeviceToDevice;
  EXPECT_EQ(withoutArrays(Copy, Plain), cudaSuccess);
  Copy.What.srcArray =
      make({{16, 0, 0, 0, cudaChannelFormatKindSigned}, {6, 4, 2}, 0});
  EXPECT_EQ(withoutArrays(Copy, Plain), cudaErrorInvalidValue);
  CopyCommand Split = into(CopyUnit::Bytes, 2, 4);
  EXPECT_EQ(inElements(Split, Plain), cudaErrorInvalidValue)
      << "half an element is none";
}

TEST(Images, KnowTheirKindUntilTheyAreDestroyed) {
  Images All;
  ImageView View;
  View.Kind = ImageKind::Surface;
  const unsigned long long Surface = All.add({}, View);
  View.Kind = ImageKind::Texture;
  const unsigned long long Texture = All.add({}, View);
  EXPECT_NE(Surface, Texture);
  EXPECT_TRUE(All.find(Surface, true));
  EXPECT_FALSE(All.find(Surface, false));
  EXPECT_FALSE(All.remove(Texture, true));
  EXPECT_TRUE(All.remove(Texture, false));
  EXPECT_FALSE(All.remove(Texture, false));
  EXPECT_EQ(reinterpret_cast<const ImageView *>(Texture)->Kind,
            ImageKind::None);
  EXPECT_NE(All.add({}, View), Texture) << "not used again so soon";
  All.clear();
  EXPECT_FALSE(All.find(Surface, true));
}

} // namespace
