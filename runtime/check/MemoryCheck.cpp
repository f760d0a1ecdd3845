// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryCheck.h"

#include "Findings.h"

#include <iterator>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace blockmaestro {

namespace {

/// An address that is this far from all areas was not meant for one of them.
constexpr uint64_t FarAway = 64 << 10;

using Writing = std::unique_lock<std::shared_mutex>;
using Reading = std::shared_lock<std::shared_mutex>;

std::string bytes(uint64_t Count) {
  return std::to_string(Count) + (Count == 1 ? " byte" : " bytes");
}

/// "write of 4 bytes at 0x..."
std::string accessText(const ObservedAccess &What) {
  const char *Kind = !(What.Bits & AccessWrites)  ? "read"
                     : !(What.Bits & AccessReads) ? "write"
                                                  : "atomic access";
  return std::string(Kind) + " of " + bytes(What.Bytes) + " at " +
         hexadecimal(What.Address);
}

/// Whether the process has memory there at all.
bool isMapped(uint64_t Address) {
  uint64_t Page = uint64_t(sysconf(_SC_PAGESIZE));
  return msync(reinterpret_cast<void *>(Address / Page * Page), 1, MS_ASYNC) ==
         0;
}

} // namespace

void MemoryCheck::add(uint64_t Base, uint64_t Bytes, const std::string &From) {
  Writing Guard(Lock);
  Known[Base] = {Bytes, From};
}

std::vector<uint64_t> MemoryCheck::release(uint64_t Base) {
  Writing Guard(Lock);
  auto Found = Known.find(Base);
  if (Found == Known.end() || Found->second.Released)
    return {};
  Found->second.Released = true;
  Quarantine.push_back(Base);
  Kept += Found->second.Bytes;
  std::vector<uint64_t> Out;
  while (Kept > QuarantineBytes) {
    auto Oldest = Known.find(Quarantine.front());
    Quarantine.pop_front();
    Kept -= Oldest->second.Bytes;
    Out.push_back(Oldest->first);
    Known.erase(Oldest);
  }
  return Out;
}

void MemoryCheck::forget(uint64_t Base) {
  Writing Guard(Lock);
  auto Found = Known.find(Base);
  if (Found == Known.end())
    return;
  if (Found->second.Released) {
    Kept -= Found->second.Bytes;
    std::erase(Quarantine, Base);
  }
  Known.erase(Found);
}

/// The last area that begins at or before \p Address; the caller has the lock.
MemoryCheck::Areas::const_iterator
MemoryCheck::atOrBefore(uint64_t Address) const {
  auto Next = Known.upper_bound(Address);
  return Next == Known.begin() ? Known.end() : std::prev(Next);
}

/// "16 bytes after the end of the 400 bytes at 0x... from cudaMalloc", of the
/// closer neighbour.
MemoryCheck::Neighbour MemoryCheck::nearest(uint64_t Address) const {
  auto After = Known.upper_bound(Address);
  auto Before = atOrBefore(Address);
  auto Of = [](uint64_t Distance, const char *Side, const auto &Area) {
    return Neighbour{Distance,
                     bytes(Distance) + " " + Side + " the " +
                         bytes(Area.second.Bytes) + " at " +
                         hexadecimal(Area.first) + " from " + Area.second.From +
                         (Area.second.Released ? ", released since" : "")};
  };
  bool HasBefore = Before != Known.end(), HasAfter = After != Known.end();
  if (!HasBefore && !HasAfter)
    return {~uint64_t(0), "the program has no device memory"};
  uint64_t Past =
      HasBefore ? Address - Before->first - Before->second.Bytes + 1 : 0;
  uint64_t Ahead = HasAfter ? After->first - Address : 0;
  return HasBefore && (!HasAfter || Past <= Ahead)
             ? Of(Past, "after the end of", *Before)
             : Of(Ahead, "before", *After);
}

/// What is wrong with an access that is in no area, or not wholly.
std::string MemoryCheck::why(const ObservedAccess &What) const {
  if (What.Space == AccessSpace::OutsideShared)
    return "outside the block's shared memory";
  auto In = atOrBefore(What.Address);
  if (In != Known.end() && What.Address - In->first < In->second.Bytes) {
    std::string Area = "the " + bytes(In->second.Bytes) + " at " +
                       hexadecimal(In->first) + " from " + In->second.From;
    return In->second.Released ? "use after release of " + Area
                               : "runs past the end of " + Area;
  }
  if (What.Address < 4096)
    return "a null pointer";
  Neighbour Near = nearest(What.Address);
  return Near.Distance > FarAway && isMapped(What.Address)
             ? "memory of the host, which the device cannot reach; " + Near.Text
             : Near.Text;
}

Status MemoryCheck::touches(const ObservedAccess &What) const {
  if (What.Bytes == 0)
    return Status();
  if (What.Alignment > 1 && What.Address % What.Alignment != 0)
    return Status(StatusCode::Misaligned, "misaligned " + accessText(What) +
                                              " by " + placeOf(What) +
                                              ": must be a multiple of " +
                                              std::to_string(What.Alignment));
  if (What.Space == AccessSpace::Shared)
    return Status();
  Reading Guard(Lock);
  auto In = atOrBefore(What.Address);
  if (In != Known.end() && !In->second.Released) {
    uint64_t Offset = What.Address - In->first;
    if (Offset < In->second.Bytes && What.Bytes <= In->second.Bytes - Offset)
      return Status();
  }
  return Status(StatusCode::IllegalAddress, "invalid " + accessText(What) +
                                                " by " + placeOf(What) + ": " +
                                                why(What));
}

std::string MemoryCheck::badRelease(uint64_t Base,
                                    const std::string &Call) const {
  Reading Guard(Lock);
  auto Found = Known.find(Base);
  std::string What = Call + " of " + hexadecimal(Base);
  if (Found != Known.end() && Found->second.Released)
    return "double release: " + What + ", the " + bytes(Found->second.Bytes) +
           " from " + Found->second.From + " were released before";
  return "invalid release: " + What + ", which is not what an allocation " +
         "returned: " + nearest(Base).Text;
}

std::vector<std::string> MemoryCheck::leaks() const {
  Reading Guard(Lock);
  std::vector<std::string> Out;
  for (const auto &[Base, Each] : Known)
    if (!Each.Released && Each.From.starts_with("cuda"))
      Out.push_back("leak: " + bytes(Each.Bytes) + " at " + hexadecimal(Base) +
                    " from " + Each.From + " were never released");
  return Out;
}

} // namespace blockmaestro
