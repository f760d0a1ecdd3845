// Searches the number that makes a text's SHA-256 begin with zeros.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

typedef uint32_t WORD;
typedef uint8_t BYTE;

#define ROTRIGHT(a, b) (((a) >> (b)) | ((a) << (32 - (b))))
#ifdef __CUDA_ARCH__
#define ROTR(a, b) __funnelshift_r((a), (a), (b))
#define SWAP(x) __byte_perm((x), 0, 0x0123)
#else
#define ROTR(a, b) ROTRIGHT(a, b)
#define SWAP(x) __builtin_bswap32(x)
#endif
#define CH(x, y, z) (((x) & (y)) ^ (~(x) & (z)))
#define MAJ(x, y, z) (((x) & (y)) ^ ((x) & (z)) ^ ((y) & (z)))
#define EP0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define EP1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define SIG0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ ((x) >> 3))
#define SIG1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ ((x) >> 10))

static const WORD host_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
__constant__ WORD dev_k[64];

__host__ __device__ void sha256_block(const BYTE data[64], WORD out[8], const WORD *k) {
  WORD m[64], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  WORD a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
#pragma unroll 16
  for (int i = 0; i < 16; ++i)
    m[i] = SWAP(((const WORD *)data)[i]);
#pragma unroll
  for (int i = 16; i < 64; ++i)
    m[i] = SIG1(m[i - 2]) + m[i - 7] + SIG0(m[i - 15]) + m[i - 16];
  for (int i = 0; i < 64; ++i) {
    WORD t1 = h + EP1(e) + CH(e, f, g) + k[i] + m[i], t2 = EP0(a) + MAJ(a, b, c);
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  out[0] = s[0] + a, out[1] = s[1] + b, out[2] = s[2] + c, out[3] = s[3] + d;
  out[4] = s[4] + e, out[5] = s[5] + f, out[6] = s[6] + g, out[7] = s[7] + h;
}

__host__ __device__ void fill(BYTE block[64], const char *text, int len, WORD nonce) {
  int n = 0;
  for (; n < len; n++)
    block[n] = text[n];
  for (int i = 0; i < 8; i++)
    block[n++] = "0123456789abcdef"[(nonce >> (28 - 4 * i)) & 15];
  WORD bits = n * 8;
  block[n++] = 0x80;
  for (; n < 64; n++)
    block[n] = 0;
  block[62] = bits >> 8;
  block[63] = bits & 0xff;
}

__global__ void mine(const char *text, int len, WORD mask, WORD *found) {
  WORD nonce = blockIdx.x * blockDim.x + threadIdx.x, hash[8];
  __align__(4) BYTE block[64];
  fill(block, text, len, nonce);
  sha256_block(block, hash, dev_k);
  if ((hash[0] & mask) == 0)
    atomicMin(found, nonce);
}

int main(int argc, char **argv) {
  const char *text = argc > 1 ? argv[1] : "the quick brown fox";
  int len = strlen(text);
  char *d_text;
  WORD *d_found, found = 0xffffffffu, mask = 0xff800000u, expected = 0xffffffffu, hash[8];
  cudaMalloc((void **)&d_text, len);
  cudaMalloc((void **)&d_found, sizeof found);
  cudaMemcpy(d_text, text, len, cudaMemcpyHostToDevice);
  cudaMemcpy(d_found, &found, sizeof found, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(dev_k, host_k, sizeof host_k, 0, cudaMemcpyHostToDevice);
  mine<<<32, 128>>>(d_text, len, mask, d_found);
  cudaMemcpy(&found, d_found, sizeof found, cudaMemcpyDeviceToHost);
  alignas(4) BYTE block[64];
  for (WORD nonce = 0; nonce < 32 * 128; nonce++) {
    fill(block, text, len, nonce);
    sha256_block(block, hash, host_k);
    if ((hash[0] & mask) == 0) {
      expected = nonce;
      break;
    }
  }
  printf("nonce %08x: %s\n", found, found == expected ? "PASSED" : "FAILED");
  cudaFree(d_text), cudaFree(d_found);
  return found != expected;
}
