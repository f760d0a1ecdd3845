/* Finding keys and ranges in a tree: one block for each query and one thread for each key of a node, nodes in one block of memory with indices, as data bases have it. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DEFAULT_ORDER 16
typedef struct record { int value; } record;
typedef struct knode { int location; int indices[DEFAULT_ORDER + 1]; int keys[DEFAULT_ORDER + 1]; bool is_leaf; int num_keys; } knode;
__global__ void findK(long height, knode *knodesD, long knodes_elem, record *recordsD, long *currKnodeD, long *offsetD, int *keysD, record *ansD) {
  int thid = threadIdx.x, bid = blockIdx.x;
  for (int i = 0; i < height; i++) {
    if ((knodesD[currKnodeD[bid]].keys[thid]) <= keysD[bid] && (knodesD[currKnodeD[bid]].keys[thid + 1] > keysD[bid]))
      if (knodesD[offsetD[bid]].indices[thid] < knodes_elem)
        offsetD[bid] = knodesD[offsetD[bid]].indices[thid];
    __syncthreads();
    if (thid == 0)
      currKnodeD[bid] = offsetD[bid];
    __syncthreads();
  }
  if (knodesD[currKnodeD[bid]].keys[thid] == keysD[bid])
    ansD[bid].value = recordsD[knodesD[currKnodeD[bid]].indices[thid]].value;
}
__global__ void findRangeK(long height, const knode *knodesD, int *startD, int *endD, int *RecstartD, int *ReclenD) {
  int thid = threadIdx.x, bid = blockIdx.x;
  __shared__ long curr[2];
  if (thid < 2)
    curr[thid] = 0;
  __syncthreads();
  for (int i = 0; i < height; i++) {
    const knode *l = &knodesD[curr[0]], *r = &knodesD[curr[1]];
    long nl = -1, nr = -1;
    if (l->keys[thid] <= startD[bid] && l->keys[thid + 1] > startD[bid]) nl = l->indices[thid];
    if (r->keys[thid] <= endD[bid] && r->keys[thid + 1] > endD[bid]) nr = r->indices[thid];
    __syncthreads();
    if (nl >= 0) curr[0] = nl;
    if (nr >= 0) curr[1] = nr;
    __syncthreads();
  }
  if (knodesD[curr[0]].keys[thid] == startD[bid])
    RecstartD[bid] = knodesD[curr[0]].indices[thid];
  __syncthreads();
  if (knodesD[curr[1]].keys[thid] == endD[bid])
    ReclenD[bid] = knodesD[curr[1]].indices[thid] - RecstartD[bid] + 1;
}
int main() {
  const int order = DEFAULT_ORDER, leaves = order * order, n = leaves * order, total = 1 + order + leaves, queries = 200;
  knode *nodes = (knode *)calloc(total, sizeof(knode)), *d_nodes;
  record *recs = (record *)malloc(n * sizeof(record)), *d_recs, *d_ans, *ans = (record *)malloc(queries * sizeof(record));
  for (int i = 0; i < n; i++)
    recs[i].value = 7 * i + 1;
  for (int i = 0; i < total; i++) {
    int level = i == 0 ? 0 : i <= order ? 1 : 2, at = i - (level == 0 ? 0 : level == 1 ? 1 : 1 + order), span = level == 0 ? n : level == 1 ? n / order : order;
    for (int k = 0; k <= order; k++) {
      nodes[i].keys[k] = 3 * (at * span + k * span / order);
      nodes[i].indices[k] = level == 0 ? 1 + k : level == 1 ? 1 + order + at * order + k : at * span + k;
    }
    if (at == 0) nodes[i].keys[0] = level == 2 ? 0 : INT_MIN;
    if (i == 0) nodes[i].keys[order] = INT_MAX;
    nodes[i].is_leaf = level == 2, nodes[i].num_keys = order;
  }
  int *keys = (int *)malloc(queries * sizeof(int)), *ends = (int *)malloc(queries * sizeof(int)), *len = (int *)malloc(queries * sizeof(int)), *d_keys, *d_ends, *d_start, *d_len, wrong = 0;
  long *d_curr, *d_off;
  for (int i = 0; i < queries; i++) keys[i] = 3 * ((i * 7919) % (n - 100)) + (i % 4 == 3), ends[i] = keys[i] + 3 * (i % 90);
  cudaMalloc((void **)&d_nodes, total * sizeof(knode)); cudaMalloc((void **)&d_recs, n * sizeof(record)); cudaMalloc((void **)&d_ans, queries * sizeof(record)); cudaMalloc((void **)&d_keys, queries * 4); cudaMalloc((void **)&d_ends, queries * 4); cudaMalloc((void **)&d_start, queries * 4); cudaMalloc((void **)&d_len, queries * 4); cudaMalloc((void **)&d_curr, queries * sizeof(long)); cudaMalloc((void **)&d_off, queries * sizeof(long));
  cudaMemcpy(d_nodes, nodes, total * sizeof(knode), cudaMemcpyHostToDevice); cudaMemcpy(d_recs, recs, n * sizeof(record), cudaMemcpyHostToDevice); cudaMemcpy(d_keys, keys, queries * 4, cudaMemcpyHostToDevice); cudaMemcpy(d_ends, ends, queries * 4, cudaMemcpyHostToDevice);
  cudaMemset(d_ans, 0xff, queries * sizeof(record)); cudaMemset(d_curr, 0, queries * sizeof(long)); cudaMemset(d_off, 0, queries * sizeof(long)); cudaMemset(d_len, 0, queries * 4); cudaMemset(d_start, 0, queries * 4);
  findK<<<queries, order>>>(2, d_nodes, total, d_recs, d_curr, d_off, d_keys, d_ans);
  cudaThreadSynchronize();
  findRangeK<<<queries, order>>>(2, d_nodes, d_keys, d_ends, d_start, d_len);
  cudaMemcpy(ans, d_ans, queries * sizeof(record), cudaMemcpyDeviceToHost); cudaMemcpy(len, d_len, queries * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < queries; i++) {
    int want = keys[i] % 3 ? -1 : 7 * (keys[i] / 3) + 1, wantLen = keys[i] % 3 ? 0 : i % 90 + 1;
    if ((ans[i].value != want || len[i] != wantLen) && wrong++ < 5)
      printf("key %d: %d, not %d; %d, not %d\n", keys[i], ans[i].value, want, len[i], wantLen);
  }
  printf("%d wrong of %d\n", wrong, queries);
  return wrong != 0;
}
