// Managed memory: classes that allocate themselves there, strings and lists
// that both sides walk, abstract shapes made on the device.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

class Managed {
public:
  void *operator new(size_t len) {
    void *ptr;
    cudaMallocManaged(&ptr, len);
    cudaDeviceSynchronize();
    return ptr;
  }
  void operator delete(void *ptr) {
    cudaDeviceSynchronize();
    cudaFree(ptr);
  }
};

class String : public Managed {
  int length;
  char *data;
  void _realloc(int len) {
    cudaFree(data);
    length = len;
    cudaMallocManaged(&data, length + 1);
  }

public:
  String() : length(0), data(0) {}
  explicit String(const char *s) : length(0), data(0) { *this = s; }
  String(const String &s) : length(0), data(0) { *this = s.data; }
  ~String() { cudaFree(data); }
  String &operator=(const char *s) {
    _realloc(strlen(s));
    strcpy(data, s);
    return *this;
  }
  __host__ __device__ char &operator[](int pos) { return data[pos]; }
  __host__ __device__ const char *c_str() const { return data; }
  __host__ __device__ int size() const { return length; }
};

struct DataElement : public Managed {
  String name;
  int value;
  DataElement *next;
};

__global__ void Kernel_by_pointer(DataElement *elem) {
  for (; elem; elem = elem->next) {
    for (int i = 0; i < elem->name.size(); i++)
      if (elem->name[i] >= 'a' && elem->name[i] <= 'z')
        elem->name[i] += 'A' - 'a';
    elem->value += 10;
  }
}

__global__ void Kernel_by_value(DataElement elem, int *out) {
  if (threadIdx.x < elem.name.size())
    out[threadIdx.x] = elem.name.c_str()[threadIdx.x] + elem.value;
}

class Shape {
public:
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
class Square : public Shape {
  float a;

public:
  __device__ Square(float a) : a(a) {}
  __device__ float area() const override { return a * a; }
};
class Circle : public Shape {
  float r;

public:
  __device__ Circle(float r) : r(r) {}
  __device__ float area() const override { return 3.0f * r * r; }
};

__global__ void createShapes(Shape **shapes, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (i & 1)
      shapes[i] = new Square(i);
    else
      shapes[i] = new Circle(i);
}
__global__ void sumAreas(Shape **shapes, int n, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, shapes[i]->area());
}
__global__ void destroyShapes(Shape **shapes, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    delete shapes[i];
}

int main(void) {
  DataElement *list = NULL;
  const char *names[] = {"kernel", "block", "thread"};
  for (int i = 0; i < 3; i++) {
    DataElement *e = new DataElement;
    e->name = names[i];
    e->value = i;
    e->next = list;
    list = e;
  }
  Kernel_by_pointer<<<1, 1>>>(list);
  cudaDeviceSynchronize();
  bool ok = !strcmp(list->name.c_str(), "THREAD") && !strcmp(list->next->next->name.c_str(), "KERNEL");
  for (DataElement *e = list; e; e = e->next)
    printf("On host: name=%s, value=%d\n", e->name.c_str(), e->value), ok &= e->value >= 10;
  int *out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  Kernel_by_value<<<1, 32>>>(*list, out);
  cudaDeviceSynchronize();
  ok &= out[0] == 'T' + 12 && out[5] == 'D' + 12;

  const int n = 100;
  Shape **shapes;
  float *sum, expected = 0;
  cudaMalloc(&shapes, n * sizeof(Shape *));
  cudaMallocManaged(&sum, sizeof(float));
  *sum = 0;
  createShapes<<<1, 32>>>(shapes, n);
  sumAreas<<<(n + 63) / 64, 64>>>(shapes, n, sum);
  destroyShapes<<<1, 32>>>(shapes, n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    printf("error: %s\n", cudaGetErrorString(cudaGetLastError())), ok = false;
  for (int i = 0; i < n; i++)
    expected += i & 1 ? i * i : 3 * i * i;
  ok &= *sum == expected;
  while (list) {
    DataElement *next = list->next;
    delete list;
    list = next;
  }
  cudaFree(out), cudaFree(shapes), cudaFree(sum);
  printf("%s\n", ok ? "PASSED" : "FAILED");
  return !ok;
}
