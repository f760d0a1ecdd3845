// N bodies that attract each other, by tiles of shared float4.
#include <stdio.h>
#include <vector>
#include <cmath>
#include "helper_check.h"
#include "vec_math.h"

__constant__ float softeningSquared;

template <bool multithreadBodies>
__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj) {
  float3 r = make_float3(bj) - make_float3(bi);
  float distSqr = dot(r, r) + softeningSquared;
  float invDist = rsqrtf(distSqr);
  float invDistCube = invDist * invDist * invDist;
  ai += r * (bj.w * invDistCube);
  return ai;
}

__device__ float3 computeBodyAccel(float4 bodyPos, const float4 *__restrict__ positions, int numTiles) {
  extern __shared__ float4 sharedPos[];
  float3 acc = {0.0f, 0.0f, 0.0f};
  for (int tile = 0; tile < numTiles; tile++) {
    sharedPos[threadIdx.x] = positions[tile * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (unsigned int counter = 0; counter < blockDim.x; counter++)
      acc = bodyBodyInteraction<false>(acc, bodyPos, sharedPos[counter]);
    __syncthreads();
  }
  return acc;
}

__global__ void __launch_bounds__(256, 2)
integrateBodies(float4 *__restrict__ newPos, float4 *__restrict__ oldPos, float4 *vel, unsigned int deviceNumBodies,
                float deltaTime, float damping, int numTiles) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= deviceNumBodies)
    return;
  float4 position = oldPos[index];
  float3 accel = computeBodyAccel(position, oldPos, numTiles);
  float4 velocity = vel[index];
  velocity.x += accel.x * deltaTime;
  velocity.y += accel.y * deltaTime;
  velocity.z += accel.z * deltaTime;
  velocity *= damping;
  position += make_float4(velocity.x, velocity.y, velocity.z, 0) * deltaTime;
  newPos[index] = position;
  vel[index] = velocity;
}

class BodySystem {
  float4 *m_devPos[2], *m_devVel;
  unsigned int m_numBodies, m_currentRead, m_currentWrite;
  float m_damping;

public:
  BodySystem(unsigned int numBodies) : m_numBodies(numBodies), m_currentRead(0), m_currentWrite(1), m_damping(0.995f) {
    for (int i = 0; i < 2; i++)
      checkCudaErrors(cudaMalloc((void **)&m_devPos[i], numBodies * sizeof(float4)));
    checkCudaErrors(cudaMalloc((void **)&m_devVel, numBodies * sizeof(float4)));
  }
  virtual ~BodySystem() {
    cudaFree(m_devPos[0]);
    cudaFree(m_devPos[1]);
    cudaFree(m_devVel);
  }
  void setSoftening(float softening) {
    float softeningSq = softening * softening;
    checkCudaErrors(cudaMemcpyToSymbol(softeningSquared, &softeningSq, sizeof(float), 0, cudaMemcpyHostToDevice));
  }
  void set(const float4 *pos, const float4 *vel) {
    checkCudaErrors(cudaMemcpy(m_devPos[m_currentRead], pos, m_numBodies * sizeof(float4), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(m_devVel, vel, m_numBodies * sizeof(float4), cudaMemcpyHostToDevice));
  }
  void update(float deltaTime, int blockSize) {
    int numBlocks = (m_numBodies + blockSize - 1) / blockSize;
    int sharedMemSize = blockSize * 4 * sizeof(float);
    integrateBodies<<<numBlocks, blockSize, sharedMemSize>>>(m_devPos[m_currentWrite], m_devPos[m_currentRead],
                                                             m_devVel, m_numBodies, deltaTime, m_damping, numBlocks);
    getLastCudaError("Kernel execution failed");
    std::swap(m_currentRead, m_currentWrite);
  }
  void get(float4 *pos) {
    checkCudaErrors(cudaMemcpy(pos, m_devPos[m_currentRead], m_numBodies * sizeof(float4), cudaMemcpyDeviceToHost));
  }
};

int main(int argc, char **argv) {
  const int n = 512, steps = 3;
  std::vector<float4> pos(n), vel(n), out(n);
  for (int i = 0; i < n; i++) {
    pos[i] = make_float4(sinf(i * 1.3f), cosf(i * 0.7f), sinf(i * 0.21f), 1.0f + i % 3);
    vel[i] = make_float4(0.0f);
  }
  BodySystem *system = new BodySystem(n);
  system->setSoftening(0.1f);
  system->set(pos.data(), vel.data());
  for (int s = 0; s < steps; s++)
    system->update(0.001f, 128);
  system->get(out.data());
  delete system;
  for (int s = 0; s < steps; s++) {
    std::vector<float4> next(pos);
    for (int i = 0; i < n; i++) {
      float3 a = make_float3(0);
      for (int j = 0; j < n; j++) {
        float3 r = make_float3(pos[j]) - make_float3(pos[i]);
        float inv = 1.0f / sqrtf(dot(r, r) + 0.01f);
        a += r * (pos[j].w * inv * inv * inv);
      }
      float4 d = make_float4(a.x, a.y, a.z, 0) * 0.001f;
      vel[i] += d;
      vel[i] *= 0.995f;
      next[i] += vel[i] * 0.001f;
    }
    pos = next;
  }
  float worst = 0;
  for (int i = 0; i < n; i++)
    worst = fmaxf(worst, length(make_float3(pos[i]) - make_float3(out[i])));
  printf("worst %g\n%s\n", worst, worst < 1e-3f ? "PASSED" : "FAILED");
  return worst < 1e-3f ? 0 : 1;
}
