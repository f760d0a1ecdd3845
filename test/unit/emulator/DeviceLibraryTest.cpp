// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostBlock.h"
#include "KernelHeap.h"
#include "Printf.h"

#include <climits>
#include <cstring>
#include <vector>

using namespace blockmaestro;

namespace {

/// Arguments as a kernel packs them.
class Packed {
public:
  template <typename T> Packed &operator<<(T Value) {
    size_t At = (Bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    Bytes.resize(At + sizeof(T));
    std::memcpy(Bytes.data() + At, &Value, sizeof(T));
    return *this;
  }
  std::string print(const char *Format, int Expected) {
    int Count = -5;
    std::string Text = formatDeviceText(Format, Bytes.data(), Count);
    EXPECT_EQ(Count, Expected) << Format;
    return Text;
  }

private:
  std::vector<uint8_t> Bytes;
};

TEST(PrintfTest, EveryKindOfConversion) {
  EXPECT_EQ((Packed() << 7 << -8).print("%d %i\n", 2), "7 -8\n");
  EXPECT_EQ((Packed() << 65u << 8u << 255u << 255u).print("%c%o%x%X", 4),
            "A10ffFF");
  EXPECT_EQ((Packed() << -1).print("%u", 1), "4294967295");
  EXPECT_EQ((Packed() << 1 << LLONG_MIN << 2).print("%d %lld %d", 3),
            "1 -9223372036854775808 2");
  EXPECT_EQ((Packed() << ~0ul).print("%lu", 1), "18446744073709551615");
  EXPECT_EQ((Packed() << 65541).print("%hd", 1), "5");
  EXPECT_EQ((Packed() << 1.5 << 1.5 << 1.5 << 1.5).print("%f %e %g %a", 4),
            "1.500000 1.500000e+00 1.5 0x1.8p+0");
  EXPECT_EQ((Packed() << 1 << "text" << nullptr).print("%d%s%s", 3),
            "1text(null)");
  EXPECT_EQ((Packed() << reinterpret_cast<void *>(0x40)).print("%p", 1),
            "0x40");
}

TEST(PrintfTest, FlagsWidthsAndPrecisions) {
  EXPECT_EQ((Packed() << 42 << 42 << 42 << 42).print("%5d|%-5d|%05d|%+d", 4),
            "   42|42   |00042|+42");
  EXPECT_EQ((Packed() << 3.14159 << 255u).print("%8.3f %#x", 2),
            "   3.142 0xff");
  EXPECT_EQ((Packed() << 6 << 42 << 2 << 3.14159).print("%*d %.*f", 4),
            "    42 3.14");
  EXPECT_EQ((Packed() << "abcdef").print("%.3s", 1), "abc");
}

TEST(PrintfTest, WhatIsNoConversionIsCopied) {
  EXPECT_EQ(Packed().print("100%% %y %", 0), "100% %y %");
  EXPECT_EQ(Packed().print("", 0), "");
}

TEST(PrintfTest, NoMoreThan32Arguments) {
  Packed Many;
  std::string Format, Expected;
  for (int I = 0; I < 34; ++I) {
    Many << I;
    Format += "%d ";
    Expected += I < 32 ? std::to_string(I) + " " : "%d ";
  }
  EXPECT_EQ(Many.print(Format.c_str(), 32), Expected);
}

TEST(PrintfTest, ALongTextIsWhole) {
  std::string Long(100000, 'x');
  EXPECT_EQ((Packed() << Long.c_str()).print("<%s>", 1), "<" + Long + ">");
}

TEST(PrintfTest, AFailedAssertionSaysWhereAndEndsTheBlock) {
  HostBlock B(40, [&](BlockContext *C, uint32_t T) BM_SWITCHES {
    if (T == 33)
      bm_assertfail(C, T, 3, "x < 3", "a.cu", 17, "void k(int)");
  });
  testing::internal::CaptureStderr();
  EXPECT_EQ(B.run(), ThreadScheduler::Outcome::Failed);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "a.cu:17: void k(int): block: [0,0,0], thread: [33,0,0] Assertion "
            "`x < 3` failed.\n");
  EXPECT_EQ(B.status().code(), StatusCode::Assertion);
}

TEST(KernelHeapTest, AllocationsAreApartAndAligned) {
  KernelHeap Heap;
  std::vector<char *> Got;
  for (int I = 1; I <= 100; ++I) {
    auto *P = static_cast<char *>(Heap.allocate(I));
    ASSERT_NE(P, nullptr);
    EXPECT_EQ(uint64_t(P) % KernelHeap::Alignment, 0u);
    std::memset(P, I, I);
    Got.push_back(P);
  }
  for (int I = 1; I <= 100; ++I)
    for (int J = 0; J < I; ++J)
      ASSERT_EQ(Got[I - 1][J], I);
}

TEST(KernelHeapTest, WhatIsFreedIsJoinedAndUsedAgain) {
  KernelHeap Heap;
  ASSERT_TRUE(Heap.setBytes(4096));
  void *A = Heap.allocate(1024), *B = Heap.allocate(1024),
       *C = Heap.allocate(1024), *D = Heap.allocate(1024);
  ASSERT_NE(D, nullptr);
  EXPECT_EQ(Heap.allocate(16), nullptr);
  EXPECT_EQ(Heap.free(A), 1024u);
  EXPECT_EQ(Heap.free(C), 1024u);
  EXPECT_EQ(Heap.allocate(2048), nullptr);
  EXPECT_EQ(Heap.free(B), 1024u);
  EXPECT_EQ(Heap.allocate(3072), A);
  EXPECT_EQ(Heap.free(D), 1024u);
  EXPECT_EQ(Heap.free(A), 3072u);
  EXPECT_EQ(Heap.allocate(4096), A);
}

TEST(KernelHeapTest, ItsLimitIsKeptAndFixedOnceUsed) {
  KernelHeap Heap;
  EXPECT_EQ(Heap.allocate(KernelHeap::DefaultBytes + 1), nullptr);
  EXPECT_EQ(Heap.allocate(0), nullptr);
  EXPECT_TRUE(Heap.setBytes(16 << 20));
  EXPECT_NE(Heap.allocate(KernelHeap::DefaultBytes + 1), nullptr);
  EXPECT_FALSE(Heap.setBytes(32 << 20));
}

TEST(KernelHeapTest, FreeingTwiceEndsTheBlock) {
  KernelHeap Heap;
  HostBlock B(4, [&](BlockContext *C, uint32_t T) {
    void *P = bm_malloc(C, 100);
    bm_free(C, nullptr);
    bm_free(C, P);
    if (T == 2)
      bm_free(C, P);
  });
  B.Context.Heap = &Heap;
  EXPECT_EQ(B.run(), ThreadScheduler::Outcome::Failed);
  EXPECT_EQ(B.status().code(), StatusCode::IllegalAddress);
  EXPECT_NE(B.sentence().find("thread (2,0,0)"), std::string::npos);
}

} // namespace
