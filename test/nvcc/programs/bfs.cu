// Breadth first search by levels; the host asks after each one whether there
// is another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <cuda.h>

#define MAX_THREADS_PER_BLOCK 512

int no_of_nodes;
int edge_list_size;
FILE *fp;

// Structure to hold a node information
struct Node {
  int starting;
  int no_of_edges;
};

__global__ void Kernel(Node *g_graph_nodes, int *g_graph_edges, bool *g_graph_mask, bool *g_updating_graph_mask,
                       bool *g_graph_visited, int *g_cost, int no_of_nodes) {
  int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
  if (tid < no_of_nodes && g_graph_mask[tid]) {
    g_graph_mask[tid] = false;
    for (int i = g_graph_nodes[tid].starting; i < (g_graph_nodes[tid].no_of_edges + g_graph_nodes[tid].starting); i++) {
      int id = g_graph_edges[i];
      if (!g_graph_visited[id]) {
        g_cost[id] = g_cost[tid] + 1;
        g_updating_graph_mask[id] = true;
      }
    }
  }
}

__global__ void Kernel2(bool *g_graph_mask, bool *g_updating_graph_mask, bool *g_graph_visited, bool *g_over,
                        int no_of_nodes) {
  int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
  if (tid < no_of_nodes && g_updating_graph_mask[tid]) {
    g_graph_mask[tid] = true;
    g_graph_visited[tid] = true;
    *g_over = true;
    g_updating_graph_mask[tid] = false;
  }
}

void Usage(int argc, char **argv) { fprintf(stderr, "Usage: %s [input_file]\n", argv[0]); }

// A graph in the file format of such suites.
static const char *generate(void) {
  static char name[] = "/tmp/graphXXXXXX";
  int fd = mkstemp(name), n = 3000;
  FILE *out = fdopen(fd, "w");
  fprintf(out, "%d\n", n);
  for (int i = 0; i < n; i++)
    fprintf(out, "%d %d\n", i * 4, 4);
  fprintf(out, "\n0\n\n%d\n", n * 4);
  for (int i = 0; i < n * 4; i++)
    fprintf(out, "%d %d\n", (int)((i * 1103515245LL + 12345) % n), 1);
  fclose(out);
  return name;
}

int BFSGraph(int argc, char **argv) {
  const char *input_f = argc > 1 ? argv[1] : generate();
  int source = 0;
  fp = fopen(input_f, "r");
  if (!fp) {
    Usage(argc, argv);
    return 1;
  }
  if (fscanf(fp, "%d", &no_of_nodes) != 1) return 1;
  int num_of_blocks = 1, num_of_threads_per_block = no_of_nodes;
  if (no_of_nodes > MAX_THREADS_PER_BLOCK) {
    num_of_blocks = (int)ceil(no_of_nodes / (double)MAX_THREADS_PER_BLOCK);
    num_of_threads_per_block = MAX_THREADS_PER_BLOCK;
  }
  Node *h_graph_nodes = (Node *)malloc(sizeof(Node) * no_of_nodes);
  bool *h_graph_mask = (bool *)malloc(sizeof(bool) * no_of_nodes);
  bool *h_updating_graph_mask = (bool *)malloc(sizeof(bool) * no_of_nodes);
  bool *h_graph_visited = (bool *)malloc(sizeof(bool) * no_of_nodes);
  int start, edgeno;
  for (int i = 0; i < no_of_nodes; i++) {
    if (fscanf(fp, "%d %d", &start, &edgeno) != 2) return 1;
    h_graph_nodes[i].starting = start;
    h_graph_nodes[i].no_of_edges = edgeno;
    h_graph_mask[i] = h_updating_graph_mask[i] = h_graph_visited[i] = false;
  }
  if (fscanf(fp, "%d", &source) != 1 || fscanf(fp, "%d", &edge_list_size) != 1) return 1;
  h_graph_mask[source] = h_graph_visited[source] = true;
  int *h_graph_edges = (int *)malloc(sizeof(int) * edge_list_size), id, cost;
  for (int i = 0; i < edge_list_size; i++) {
    if (fscanf(fp, "%d", &id) != 1 || fscanf(fp, "%d", &cost) != 1) return 1;
    h_graph_edges[i] = id;
  }
  fclose(fp);
  if (argc < 2) remove(input_f);

  Node *d_graph_nodes;
  cudaMalloc((void **)&d_graph_nodes, sizeof(Node) * no_of_nodes);
  cudaMemcpy(d_graph_nodes, h_graph_nodes, sizeof(Node) * no_of_nodes, cudaMemcpyHostToDevice);
  int *d_graph_edges;
  cudaMalloc((void **)&d_graph_edges, sizeof(int) * edge_list_size);
  cudaMemcpy(d_graph_edges, h_graph_edges, sizeof(int) * edge_list_size, cudaMemcpyHostToDevice);
  bool *d_graph_mask, *d_updating_graph_mask, *d_graph_visited, *d_over;
  cudaMalloc((void **)&d_graph_mask, sizeof(bool) * no_of_nodes);
  cudaMemcpy(d_graph_mask, h_graph_mask, sizeof(bool) * no_of_nodes, cudaMemcpyHostToDevice);
  cudaMalloc((void **)&d_updating_graph_mask, sizeof(bool) * no_of_nodes);
  cudaMemcpy(d_updating_graph_mask, h_updating_graph_mask, sizeof(bool) * no_of_nodes, cudaMemcpyHostToDevice);
  cudaMalloc((void **)&d_graph_visited, sizeof(bool) * no_of_nodes);
  cudaMemcpy(d_graph_visited, h_graph_visited, sizeof(bool) * no_of_nodes, cudaMemcpyHostToDevice);
  int *h_cost = (int *)malloc(sizeof(int) * no_of_nodes), *d_cost;
  for (int i = 0; i < no_of_nodes; i++)
    h_cost[i] = -1;
  h_cost[source] = 0;
  cudaMalloc((void **)&d_cost, sizeof(int) * no_of_nodes);
  cudaMemcpy(d_cost, h_cost, sizeof(int) * no_of_nodes, cudaMemcpyHostToDevice);
  cudaMalloc((void **)&d_over, sizeof(bool));

  dim3 grid(num_of_blocks, 1, 1);
  dim3 threads(num_of_threads_per_block, 1, 1);
  int k = 0;
  bool stop;
  do {
    stop = false;
    cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice);
    Kernel<<<grid, threads, 0>>>(d_graph_nodes, d_graph_edges, d_graph_mask, d_updating_graph_mask, d_graph_visited,
                                 d_cost, no_of_nodes);
    Kernel2<<<grid, threads, 0>>>(d_graph_mask, d_updating_graph_mask, d_graph_visited, d_over, no_of_nodes);
    cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost);
    k++;
  } while (stop);
  printf("Kernel Executed %d times\n", k);
  cudaMemcpy(h_cost, d_cost, sizeof(int) * no_of_nodes, cudaMemcpyDeviceToHost);

  int *ref = (int *)malloc(sizeof(int) * no_of_nodes), *queue = (int *)malloc(sizeof(int) * no_of_nodes);
  for (int i = 0; i < no_of_nodes; i++)
    ref[i] = -1;
  int head = 0, tail = 0;
  ref[source] = 0;
  queue[tail++] = source;
  while (head < tail) {
    int at = queue[head++];
    for (int i = 0; i < h_graph_nodes[at].no_of_edges; i++) {
      int to = h_graph_edges[h_graph_nodes[at].starting + i];
      if (ref[to] < 0) {
        ref[to] = ref[at] + 1;
        queue[tail++] = to;
      }
    }
  }
  int bad = memcmp(ref, h_cost, sizeof(int) * no_of_nodes) != 0;
  printf(bad ? "FAILED\n" : "PASSED\n");
  cudaFree(d_graph_nodes), cudaFree(d_graph_edges), cudaFree(d_graph_mask);
  cudaFree(d_updating_graph_mask), cudaFree(d_graph_visited), cudaFree(d_cost), cudaFree(d_over);
  return bad;
}

int main(int argc, char **argv) {
  no_of_nodes = 0;
  edge_list_size = 0;
  return BFSGraph(argc, argv);
}
