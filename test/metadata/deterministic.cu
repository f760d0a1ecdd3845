// The same source gives the same bytes.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %bmclangxx -O2 -fblockmaestro -c %s -o out.o && mv out.o first.o
// RUN: %bmclangxx -O2 -fblockmaestro -c %s -o out.o
// RUN: cmp first.o out.o

__global__ void work(float *a, const float *b, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    a[i] = b[n - i];
}
void launch(float *a, float *b) { work<<<4, 32>>>(a, b, 100); }
