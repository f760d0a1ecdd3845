// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Printf.h"

#include "Faults.h"

#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

namespace blockmaestro {

namespace {

constexpr int MaxArguments = 32;

/// The arguments of one call, taken one after another.
class PackedArguments {
public:
  explicit PackedArguments(const void *Packed)
      : Base(static_cast<const uint8_t *>(Packed)) {}

  template <typename T> T take() {
    Offset = (Offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T Value;
    std::memcpy(&Value, Base + Offset, sizeof(T));
    Offset += sizeof(T);
    ++Taken;
    return Value;
  }
  bool exhausted() const { return Taken >= MaxArguments; }
  int taken() const { return Taken; }

private:
  const uint8_t *Base;
  size_t Offset = 0;
  int Taken = 0;
};

/// `%[flags][width][.precision][size]type`, as the host's printf takes it:
/// every star replaced by its number, every integer made a long long.
struct Conversion {
  std::string Text;
  bool Wide = false; ///< A 64-bit integer.
  char Type = 0;     ///< 0 when it is none.
};

/// Moves flags, width and precision at \p At to \p Out.
const char *readModifiers(const char *At, PackedArguments &From,
                          Conversion &Out) {
  for (; *At && std::strchr("-+ #0123456789.*", *At); ++At) {
    if (*At == '*')
      Out.Text += std::to_string(From.take<int32_t>());
    else
      Out.Text += *At;
  }
  return At;
}

/// Reads the conversion that begins after the percent sign before \p At.
const char *readConversion(const char *At, PackedArguments &From,
                           Conversion &Out) {
  Out.Text = "%";
  At = readModifiers(At, From, Out);
  bool Short = false, Byte = false;
  for (; *At && std::strchr("hlzjt", *At); ++At) {
    Byte = Short && *At == 'h';
    Short = *At == 'h';
    Out.Wide |= *At != 'h';
  }
  if (!*At || !std::strchr("cdiouxXpeEfFgGaAs", *At))
    return At;
  Out.Type = *At;
  if (std::strchr("diouxX", *At))
    Out.Text += Out.Wide ? "ll" : Byte ? "hh" : Short ? "h" : "";
  Out.Text += *At;
  return At + 1;
}

template <typename T>
void append(std::string &To, const char *Format, T Value) {
  int Length = snprintf(nullptr, 0, Format, Value);
  if (Length < 0)
    return;
  size_t Before = To.size();
  To.resize(Before + size_t(Length) + 1);
  snprintf(To.data() + Before, size_t(Length) + 1, Format, Value);
  To.pop_back();
}

/// Appends the next argument as \p How says.
void convert(std::string &To, const Conversion &How, PackedArguments &From) {
  const char *Format = How.Text.c_str();
  switch (How.Type) {
  case 'c':
    return append(To, Format, From.take<int32_t>());
  case 'p':
    return append(To, Format, From.take<void *>());
  case 's': {
    const char *Text = From.take<const char *>();
    return append(To, Format, Text ? Text : "(null)");
  }
  case 'd':
  case 'i':
  case 'o':
  case 'u':
  case 'x':
  case 'X':
    if (How.Wide)
      return append(To, Format, From.take<int64_t>());
    return append(To, Format, From.take<int32_t>());
  default:
    return append(To, Format, From.take<double>());
  }
}

} // namespace

std::string formatDeviceText(const char *Format, const void *Packed,
                             int &Arguments) {
  std::string Text;
  PackedArguments From(Packed);
  while (*Format) {
    size_t Plain = std::strcspn(Format, "%");
    Text.append(Format, Plain);
    Format += Plain;
    if (!*Format)
      break;
    if (Format[1] == '%') {
      Text += '%';
      Format += 2;
      continue;
    }
    Conversion How;
    const char *Next = Format + 1;
    if (!From.exhausted())
      Next = readConversion(Next, From, How);
    if (How.Type)
      convert(Text, How, From);
    else
      Text.append(Format, Next);
    Format = Next;
  }
  Arguments = From.taken();
  return Text;
}

} // namespace blockmaestro

using namespace blockmaestro;

extern "C" {

int32_t bm_vprintf(BlockContext *, const char *Format, const void *Packed) {
  if (!Format)
    return -1;
  try {
    int Arguments = 0;
    std::string Text = formatDeviceText(Format, Packed, Arguments);
    fwrite(Text.data(), 1, Text.size(), stdout);
    return Arguments;
  } catch (const std::bad_alloc &) {
    return -2;
  }
}

BM_SWITCHES void bm_assertfail(BlockContext *Context, uint32_t Thread,
                               uint32_t Site, const char *Message,
                               const char *File, uint32_t Line,
                               const char *Function) {
  Dim3 At = blockOf(Thread,
                    {Context->Block[0], Context->Block[1], Context->Block[2]});
  fprintf(stderr,
          "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
          "failed.\n",
          File, Line, Function, Context->Index[0], Context->Index[1],
          Context->Index[2], At.X, At.Y, At.Z, Message);
  Fault What;
  What.Kind = FaultKind::Assertion;
  What.Thread = Thread;
  What.Site = Site;
  giveUp(std::move(What));
}
}
