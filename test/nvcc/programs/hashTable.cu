// A table without locks: threads insert, look up and delete by compare and swap.
#include <algorithm>
#include <chrono>
#include <random>
#include <unordered_map>
#include <vector>
#include "stdio.h"
#include "stdint.h"

struct KeyValue {
  uint32_t key;
  uint32_t value;
};
const uint32_t kHashTableCapacity = 8 * 1024;
const uint32_t kNumKeyValues = kHashTableCapacity / 2;
const uint32_t kEmpty = 0xffffffff;

// 32 bit Murmur3 hash
__device__ uint32_t hash(uint32_t k) {
  k ^= k >> 16;
  k *= 0x85ebca6b;
  k ^= k >> 13;
  k *= 0xc2b2ae35;
  k ^= k >> 16;
  return k & (kHashTableCapacity - 1);
}

KeyValue *create_hashtable() {
  KeyValue *hashtable;
  cudaMalloc(&hashtable, sizeof(KeyValue) * kHashTableCapacity);
  static_assert(kEmpty == 0xffffffff, "memset expected kEmpty=0xffffffff");
  cudaMemset(hashtable, 0xff, sizeof(KeyValue) * kHashTableCapacity);
  return hashtable;
}

__global__ void gpu_hashtable_insert(KeyValue *hashtable, const KeyValue *kvs, unsigned int numkvs) {
  unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadid < numkvs) {
    uint32_t key = kvs[threadid].key;
    uint32_t value = kvs[threadid].value;
    uint32_t slot = hash(key);
    while (true) {
      uint32_t prev = atomicCAS(&hashtable[slot].key, kEmpty, key);
      if (prev == kEmpty || prev == key) {
        hashtable[slot].value = value;
        return;
      }
      slot = (slot + 1) & (kHashTableCapacity - 1);
    }
  }
}

__global__ void gpu_hashtable_lookup(KeyValue *hashtable, KeyValue *kvs, unsigned int numkvs) {
  unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadid < numkvs) {
    uint32_t key = kvs[threadid].key;
    uint32_t slot = hash(key);
    while (true) {
      if (hashtable[slot].key == key) {
        kvs[threadid].value = hashtable[slot].value;
        return;
      }
      if (hashtable[slot].key == kEmpty) {
        kvs[threadid].value = kEmpty;
        return;
      }
      slot = (slot + 1) & (kHashTableCapacity - 1);
    }
  }
}

__global__ void gpu_iterate_hashtable(KeyValue *pHashTable, KeyValue *kvs, uint32_t *kvs_size) {
  unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadid < kHashTableCapacity && pHashTable[threadid].key != kEmpty) {
    uint32_t size = atomicAdd(kvs_size, 1);
    kvs[size] = pHashTable[threadid];
  }
}

// Counts by 64-bit keys, the count beside the key in one word.
__global__ void count64(const unsigned long long *keys, int n, unsigned long long *table, int capacity) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned long long key = keys[i] << 16;
    int slot = (int)((keys[i] * 0x9E3779B97F4A7C15ull) >> 40) % capacity;
    for (;;) {
      unsigned long long old = table[slot], assumed;
      bool mine;
      do {
        assumed = old;
        mine = assumed == 0 || (assumed & ~0xffffull) == key;
        if (!mine)
          break;
        old = atomicCAS(&table[slot], assumed, (assumed ? assumed : key) + 1);
      } while (assumed != old);
      if (mine)
        break;
      slot = (slot + 1) % capacity;
    }
  }
}

int main() {
  std::mt19937 rnd(7);
  std::uniform_int_distribution<uint32_t> dis(0, kEmpty - 1);
  std::vector<KeyValue> kvs(kNumKeyValues);
  std::unordered_map<uint32_t, uint32_t> reference;
  for (auto &kv : kvs) {
    do
      kv.key = dis(rnd);
    while (reference.count(kv.key));
    reference[kv.key] = kv.value = dis(rnd);
  }
  auto timer = std::chrono::high_resolution_clock::now();
  KeyValue *table = create_hashtable(), *device_kvs;
  cudaMalloc(&device_kvs, sizeof(KeyValue) * kNumKeyValues);
  cudaMemcpy(device_kvs, kvs.data(), sizeof(KeyValue) * kNumKeyValues, cudaMemcpyHostToDevice);
  int mingridsize, threadblocksize;
  cudaOccupancyMaxPotentialBlockSize(&mingridsize, &threadblocksize, gpu_hashtable_insert, 0, 0);
  int gridsize = ((uint32_t)kNumKeyValues + threadblocksize - 1) / threadblocksize;
  gpu_hashtable_insert<<<gridsize, threadblocksize>>>(table, device_kvs, kNumKeyValues);
  std::vector<KeyValue> asked(kvs);
  for (size_t i = 0; i < asked.size(); i += 2)
    asked[i].key ^= 1;
  cudaMemcpy(device_kvs, asked.data(), sizeof(KeyValue) * kNumKeyValues, cudaMemcpyHostToDevice);
  gpu_hashtable_lookup<<<gridsize, threadblocksize>>>(table, device_kvs, kNumKeyValues);
  cudaMemcpy(asked.data(), device_kvs, sizeof(KeyValue) * kNumKeyValues, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (auto &kv : asked) {
    auto it = reference.find(kv.key);
    bad += kv.value != (it == reference.end() ? kEmpty : it->second);
  }
  uint32_t *device_num_kvs, num_kvs;
  cudaMalloc(&device_num_kvs, sizeof(uint32_t));
  cudaMemset(device_num_kvs, 0, sizeof(uint32_t));
  gpu_iterate_hashtable<<<(kHashTableCapacity + 255) / 256, 256>>>(table, device_kvs, device_num_kvs);
  cudaMemcpy(&num_kvs, device_num_kvs, sizeof(uint32_t), cudaMemcpyDeviceToHost);
  bad += num_kvs != kNumKeyValues;

  const int n = 2000, capacity = 256;
  std::vector<unsigned long long> keys(n), counts(capacity);
  std::unordered_map<unsigned long long, int> expected;
  for (auto &k : keys)
    expected[k = 1000000007ull * (1 + rnd() % 100)]++;
  unsigned long long *d_keys, *d_table;
  cudaMalloc(&d_keys, n * 8), cudaMalloc(&d_table, capacity * 8);
  cudaMemset(d_table, 0, capacity * 8);
  cudaMemcpy(d_keys, keys.data(), n * 8, cudaMemcpyHostToDevice);
  count64<<<4, 64>>>(d_keys, n, d_table, capacity);
  cudaMemcpy(counts.data(), d_table, capacity * 8, cudaMemcpyDeviceToHost);
  for (auto w : counts)
    if (w)
      bad += expected[w >> 16] != int(w & 0xffff), expected.erase(w >> 16);
  bad += !expected.empty();
  std::chrono::duration<double> seconds = std::chrono::high_resolution_clock::now() - timer;
  printf("%d pairs in %.1f ms: %s\n", (int)num_kvs, seconds.count() * 1000, bad ? "FAILED" : "PASSED");
  cudaFree(table), cudaFree(device_kvs), cudaFree(device_num_kvs), cudaFree(d_keys), cudaFree(d_table);
  return bad != 0;
}
