// Cross sections looked up at random energies: structures in one array, binary searches, a switch of materials, a verification hash by Thrust.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>
typedef struct { double energy, total_xs, elastic_xs, absorbtion_xs, fission_xs, nu_fission_xs; } NuclideGridPoint;
typedef struct { int lookups, n_isotopes, n_gridpoints; } Inputs;
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
static inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}
__host__ __device__ double LCG_random_double(uint64_t *seed) {
  const uint64_t m = 9223372036854775808ULL, a = 2806196910506780709ULL, c = 1ULL;
  *seed = (a * (*seed) + c) % m;
  return (double)(*seed) / (double)m;
}
__host__ __device__ uint64_t fast_forward_LCG(uint64_t seed, uint64_t n) {
  const uint64_t m = 9223372036854775808ULL;
  uint64_t a = 2806196910506780709ULL, c = 1ULL, a_new = 1, c_new = 0;
  n = n % m;
  while (n > 0) {
    if (n & 1) a_new *= a, c_new = c_new * a + c;
    c *= (a + 1);
    a *= a;
    n >>= 1;
  }
  return (a_new * seed + c_new) % m;
}
__host__ __device__ int pick_mat(uint64_t *seed) {
  double dist[12] = {0.140, 0.052, 0.275, 0.134, 0.154, 0.064, 0.066, 0.055, 0.008, 0.015, 0.025, 0.013};
  double roll = LCG_random_double(seed);
  for (int i = 0; i < 12; i++) {
    double running = 0;
    for (int j = i; j > 0; j--) running += dist[j];
    if (roll < running) return i;
  }
  return 0;
}
__host__ __device__ long grid_search_nuclide(long n, double quarry, const NuclideGridPoint *A, long low, long high) {
  long lowerLimit = low, upperLimit = high, examinationPoint, length = upperLimit - lowerLimit;
  while (length > 1) {
    examinationPoint = lowerLimit + (length / 2);
    if (A[examinationPoint].energy > quarry) upperLimit = examinationPoint;
    else lowerLimit = examinationPoint;
    length = upperLimit - lowerLimit;
  }
  return lowerLimit;
}
__host__ __device__ void calculate_macro_xs(double p_energy, int mat, const Inputs &in, const NuclideGridPoint *__restrict__ grids, double *__restrict__ macro) {
  for (int k = 0; k < 5; k++) macro[k] = 0;
  for (int j = 0; j <= mat % in.n_isotopes; j++) {
    const NuclideGridPoint *g = grids + (size_t)j * in.n_gridpoints;
    long idx = grid_search_nuclide(in.n_gridpoints, p_energy, g, 0, in.n_gridpoints - 1);
    const NuclideGridPoint *low = &g[idx], *high = low + 1;
    double f = (high->energy - p_energy) / (high->energy - low->energy);
    macro[0] += high->total_xs - f * (high->total_xs - low->total_xs);
    macro[1] += high->elastic_xs - f * (high->elastic_xs - low->elastic_xs);
    macro[2] += high->absorbtion_xs - f * (high->absorbtion_xs - low->absorbtion_xs);
    macro[3] += high->fission_xs - f * (high->fission_xs - low->fission_xs);
    macro[4] += high->nu_fission_xs - f * (high->nu_fission_xs - low->nu_fission_xs);
  }
}
__host__ __device__ unsigned long one(int i, Inputs in, const NuclideGridPoint *grids) {
  uint64_t seed = fast_forward_LCG(1070, 2 * i);
  double p_energy = LCG_random_double(&seed), macro[5], max = -1.0;
  int mat = pick_mat(&seed), max_idx = 0;
  calculate_macro_xs(p_energy, mat, in, grids, macro);
  for (int j = 0; j < 5; j++)
    if (macro[j] > max) max = macro[j], max_idx = j;
  return max_idx + 1;
}
__global__ void xs_lookup_kernel_baseline(Inputs in, const NuclideGridPoint *grids, unsigned long *verification) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= in.lookups) return;
  verification[i] = one(i, in, grids);
}
int compareNGP(const void *a, const void *b) {
  double x = ((NuclideGridPoint *)a)->energy, y = ((NuclideGridPoint *)b)->energy;
  return x > y ? 1 : x < y ? -1 : 0;
}
int main() {
  Inputs in = {5000, 8, 500};
  size_t total = (size_t)in.n_isotopes * in.n_gridpoints;
  NuclideGridPoint *h = (NuclideGridPoint *)malloc(total * sizeof(*h)), *d;
  uint64_t seed = 42;
  for (size_t i = 0; i < total; i++)
    h[i] = {LCG_random_double(&seed), LCG_random_double(&seed), LCG_random_double(&seed), LCG_random_double(&seed), LCG_random_double(&seed), LCG_random_double(&seed)};
  for (int i = 0; i < in.n_isotopes; i++)
    qsort(h + i * in.n_gridpoints, in.n_gridpoints, sizeof(*h), compareNGP);
  unsigned long *v, want = 0;
  gpuErrchk(cudaMalloc((void **)&d, total * sizeof(*h)));
  gpuErrchk(cudaMemcpy(d, h, total * sizeof(*h), cudaMemcpyHostToDevice));
  gpuErrchk(cudaMalloc((void **)&v, in.lookups * sizeof(*v)));
  xs_lookup_kernel_baseline<<<(in.lookups + 255) / 256, 256>>>(in, d, v);
  gpuErrchk(cudaPeekAtLastError());
  gpuErrchk(cudaDeviceSynchronize());
  unsigned long got = thrust::reduce(thrust::device_pointer_cast(v), thrust::device_pointer_cast(v) + in.lookups, 0ul);
  for (int i = 0; i < in.lookups; i++) want += one(i, in, h);
  printf("Verification checksum: %lu (%s)\n", got, got == want ? "Valid" : "WARNING - INVALID CHECKSUM!");
  return got != want;
}
