/* Particles in boxes: each block has a home box and goes through its neighbours, particles in shared memory, structures by value. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define fp double
#define NUMBER_PAR_PER_BOX 20
#define NUMBER_THREADS 32
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y) + (A.z) * (B.z))
typedef struct { fp x, y, z; } THREE_VECTOR;
typedef struct { fp v, x, y, z; } FOUR_VECTOR;
typedef struct nei_str { int x, y, z, number; long offset; } nei_str;
typedef struct box_str { int x, y, z, number; long offset; int nn; nei_str nei[26]; } box_str;
typedef struct par_str { fp alpha; } par_str;
typedef struct dim_str { int boxes1d_arg; long number_boxes, space_elem, space_mem, space_mem2, box_mem; } dim_str;
__global__ void kernel_gpu_cuda(par_str d_par_gpu, dim_str d_dim_gpu, box_str *d_box_gpu, FOUR_VECTOR *d_rv_gpu, fp *d_qv_gpu, FOUR_VECTOR *d_fv_gpu) {
  int bx = blockIdx.x, tx = threadIdx.x, wtx = tx;
  if (bx < d_dim_gpu.number_boxes) {
    fp a2 = 2.0 * d_par_gpu.alpha * d_par_gpu.alpha;
    int first_i = d_box_gpu[bx].offset, pointer, k = 0, j = 0;
    FOUR_VECTOR *rA = &d_rv_gpu[first_i], *fA = &d_fv_gpu[first_i], *rB;
    fp *qB;
    __shared__ FOUR_VECTOR rA_shared[100], rB_shared[100];
    __shared__ double qB_shared[100];
    while (wtx < NUMBER_PAR_PER_BOX) { rA_shared[wtx] = rA[wtx]; wtx = wtx + NUMBER_THREADS; }
    wtx = tx;
    __syncthreads();
    for (k = 0; k < (1 + d_box_gpu[bx].nn); k++) {
      if (k == 0) pointer = bx;
      else pointer = d_box_gpu[bx].nei[k - 1].number;
      int first_j = d_box_gpu[pointer].offset;
      rB = &d_rv_gpu[first_j];
      qB = &d_qv_gpu[first_j];
      while (wtx < NUMBER_PAR_PER_BOX) { rB_shared[wtx] = rB[wtx]; qB_shared[wtx] = qB[wtx]; wtx = wtx + NUMBER_THREADS; }
      wtx = tx;
      __syncthreads();
      while (wtx < NUMBER_PAR_PER_BOX) {
        for (j = 0; j < NUMBER_PAR_PER_BOX; j++) {
          fp r2 = rA_shared[wtx].v + rB_shared[j].v - DOT(rA_shared[wtx], rB_shared[j]), u2 = a2 * r2, vij = exp(-u2), fs = 2 * vij;
          THREE_VECTOR d = {rA_shared[wtx].x - rB_shared[j].x, rA_shared[wtx].y - rB_shared[j].y, rA_shared[wtx].z - rB_shared[j].z};
          fA[wtx].v += qB_shared[j] * vij; fA[wtx].x += qB_shared[j] * fs * d.x; fA[wtx].y += qB_shared[j] * fs * d.y; fA[wtx].z += qB_shared[j] * fs * d.z;
        }
        wtx = wtx + NUMBER_THREADS;
      }
      wtx = tx;
      __syncthreads();
    }
  }
}
int main(int argc, char *argv[]) {
  par_str par_cpu; dim_str dim_cpu; int nh = 0;
  memset(&dim_cpu, 0, sizeof dim_cpu);
  dim_cpu.boxes1d_arg = 3;
  for (dim_cpu.number_boxes = 1; argc > 1 && !strcmp(argv[1], "-boxes1d") && argc > 2;) { dim_cpu.boxes1d_arg = atoi(argv[2]); break; }
  int B = dim_cpu.boxes1d_arg; dim_cpu.number_boxes = B * B * B; dim_cpu.space_elem = dim_cpu.number_boxes * NUMBER_PAR_PER_BOX;
  dim_cpu.space_mem = dim_cpu.space_elem * sizeof(FOUR_VECTOR); dim_cpu.space_mem2 = dim_cpu.space_elem * sizeof(fp); dim_cpu.box_mem = dim_cpu.number_boxes * sizeof(box_str);
  box_str *box_cpu = (box_str *)calloc(1, dim_cpu.box_mem);
  for (int i = 0; i < B; i++) for (int j = 0; j < B; j++) for (int k = 0; k < B; k++, nh++) {
    box_cpu[nh].x = k, box_cpu[nh].y = j, box_cpu[nh].z = i, box_cpu[nh].number = nh, box_cpu[nh].offset = nh * NUMBER_PAR_PER_BOX;
    for (int l = -1; l < 2; l++) for (int m = -1; m < 2; m++) for (int n = -1; n < 2; n++)
      if (((i + l) >= 0 && (j + m) >= 0 && (k + n) >= 0) && ((i + l) < B && (j + m) < B && (k + n) < B) && !(l == 0 && m == 0 && n == 0)) {
        nei_str *nei = &box_cpu[nh].nei[box_cpu[nh].nn++];
        nei->number = ((i + l) * B * B) + ((j + m) * B) + (k + n), nei->offset = nei->number * NUMBER_PAR_PER_BOX;
      }
  }
  par_cpu.alpha = 0.5;
  FOUR_VECTOR *rv = (FOUR_VECTOR *)malloc(dim_cpu.space_mem), *fv = (FOUR_VECTOR *)calloc(1, dim_cpu.space_mem), *d_rv, *d_fv; fp *qv = (fp *)malloc(dim_cpu.space_mem2), *d_qv; box_str *d_box;
  srand(3);
  for (long i = 0; i < dim_cpu.space_elem; i++) { rv[i].v = (rand() % 10 + 1) / 10.0, rv[i].x = (rand() % 10 + 1) / 10.0, rv[i].y = (rand() % 10 + 1) / 10.0, rv[i].z = (rand() % 10 + 1) / 10.0; qv[i] = (rand() % 10 + 1) / 10.0; }
  cudaThreadSynchronize();
  cudaMalloc((void **)&d_box, dim_cpu.box_mem); cudaMalloc((void **)&d_rv, dim_cpu.space_mem); cudaMalloc((void **)&d_qv, dim_cpu.space_mem2); cudaMalloc((void **)&d_fv, dim_cpu.space_mem);
  cudaMemcpy(d_box, box_cpu, dim_cpu.box_mem, cudaMemcpyHostToDevice); cudaMemcpy(d_rv, rv, dim_cpu.space_mem, cudaMemcpyHostToDevice); cudaMemcpy(d_qv, qv, dim_cpu.space_mem2, cudaMemcpyHostToDevice); cudaMemcpy(d_fv, fv, dim_cpu.space_mem, cudaMemcpyHostToDevice);
  dim3 threads, blocks; blocks.x = dim_cpu.number_boxes; blocks.y = 1; threads.x = NUMBER_THREADS; threads.y = 1;
  kernel_gpu_cuda<<<blocks, threads>>>(par_cpu, dim_cpu, d_box, d_rv, d_qv, d_fv);
  cudaThreadSynchronize();
  cudaMemcpy(fv, d_fv, dim_cpu.space_mem, cudaMemcpyDeviceToHost);
  double worst = 0, a2 = 2 * par_cpu.alpha * par_cpu.alpha;
  for (long b = 0; b < dim_cpu.number_boxes; b += 5) for (int i = 0; i < NUMBER_PAR_PER_BOX; i++) {
    double v = 0; FOUR_VECTOR a = rv[b * NUMBER_PAR_PER_BOX + i];
    for (int k = -1; k < box_cpu[b].nn; k++) { long o = k < 0 ? b * NUMBER_PAR_PER_BOX : box_cpu[b].nei[k].offset; for (int j = 0; j < NUMBER_PAR_PER_BOX; j++) v += qv[o + j] * exp(-a2 * (a.v + rv[o + j].v - DOT(a, rv[o + j]))); }
    worst = fmax(worst, fabs(v - fv[b * NUMBER_PAR_PER_BOX + i].v) / v);
  }
  printf("worst %g\n", worst);
  return worst > 1e-9;
}
