// Spheres seen through a camera: virtual materials made on the device, random states for each pixel, vectors as a class of both sides, recursion as a loop.
#include <curand_kernel.h>
#include <float.h>
#include <fstream>
#include <iostream>
#include <time.h>
#define checkCudaErrors(val) check_cuda((val), #val, __FILE__, __LINE__)
void check_cuda(cudaError_t result, char const *const func, const char *const file, int const line) {
  if (result) {
    std::cerr << "CUDA error = " << static_cast<unsigned int>(result) << " at " << file << ":" << line << " '" << func << "' \n";
    cudaDeviceReset();
    exit(99);
  }
}
class vec3 {
public:
  __host__ __device__ vec3() {}
  __host__ __device__ vec3(float e0, float e1, float e2) { e[0] = e0, e[1] = e1, e[2] = e2; }
  __host__ __device__ inline float x() const { return e[0]; }
  __host__ __device__ inline float y() const { return e[1]; }
  __host__ __device__ inline float z() const { return e[2]; }
  __host__ __device__ inline vec3 operator-() const { return vec3(-e[0], -e[1], -e[2]); }
  __host__ __device__ inline float operator[](int i) const { return e[i]; }
  __host__ __device__ inline vec3 &operator+=(const vec3 &v) { for (int i = 0; i < 3; i++) e[i] += v.e[i]; return *this; }
  __host__ __device__ inline vec3 &operator/=(float t) { for (int i = 0; i < 3; i++) e[i] /= t; return *this; }
  __host__ __device__ inline float squared_length() const { return e[0] * e[0] + e[1] * e[1] + e[2] * e[2]; }
  float e[3];
};
__host__ __device__ inline vec3 operator+(const vec3 &a, const vec3 &b) { return vec3(a.e[0] + b.e[0], a.e[1] + b.e[1], a.e[2] + b.e[2]); }
__host__ __device__ inline vec3 operator-(const vec3 &a, const vec3 &b) { return vec3(a.e[0] - b.e[0], a.e[1] - b.e[1], a.e[2] - b.e[2]); }
__host__ __device__ inline vec3 operator*(const vec3 &a, const vec3 &b) { return vec3(a.e[0] * b.e[0], a.e[1] * b.e[1], a.e[2] * b.e[2]); }
__host__ __device__ inline vec3 operator*(float t, const vec3 &v) { return vec3(t * v.e[0], t * v.e[1], t * v.e[2]); }
__host__ __device__ inline float dot(const vec3 &a, const vec3 &b) { return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2]; }
__host__ __device__ inline vec3 unit_vector(vec3 v) { return (1 / sqrtf(v.squared_length())) * v; }
class ray {
public:
  __device__ ray() {}
  __device__ ray(const vec3 &a, const vec3 &b) : A(a), B(b) {}
  __device__ vec3 point_at(float t) const { return A + t * B; }
  vec3 A, B;
};
class material;
struct hit_record { float t; vec3 p, normal; material *mat_ptr; };
#define RANDVEC3 vec3(curand_uniform(local_rand_state), curand_uniform(local_rand_state), curand_uniform(local_rand_state))
__device__ vec3 random_in_unit_sphere(curandState *local_rand_state) {
  vec3 p;
  do {
    p = 2.0f * RANDVEC3 - vec3(1, 1, 1);
  } while (p.squared_length() >= 1.0f);
  return p;
}
class material {
public:
  __device__ virtual bool scatter(const ray &r_in, const hit_record &rec, vec3 &attenuation, ray &scattered, curandState *s) const = 0;
  __device__ virtual ~material() {}
};
class lambertian : public material {
public:
  __device__ lambertian(const vec3 &a) : albedo(a) {}
  __device__ bool scatter(const ray &, const hit_record &rec, vec3 &attenuation, ray &scattered, curandState *s) const override {
    scattered = ray(rec.p, rec.normal + random_in_unit_sphere(s));
    attenuation = albedo;
    return true;
  }
  vec3 albedo;
};
class metal : public material {
public:
  __device__ metal(const vec3 &a, float f) : albedo(a), fuzz(f < 1 ? f : 1) {}
  __device__ bool scatter(const ray &r_in, const hit_record &rec, vec3 &attenuation, ray &scattered, curandState *s) const override {
    vec3 v = unit_vector(r_in.B), reflected = v - 2.0f * dot(v, rec.normal) * rec.normal;
    scattered = ray(rec.p, reflected + fuzz * random_in_unit_sphere(s));
    attenuation = albedo;
    return dot(scattered.B, rec.normal) > 0.0f;
  }
  vec3 albedo;
  float fuzz;
};
class hitable {
public:
  __device__ virtual bool hit(const ray &r, float t_min, float t_max, hit_record &rec) const = 0;
  __device__ virtual ~hitable() {}
};
class sphere : public hitable {
public:
  __device__ sphere(vec3 cen, float r, material *m) : center(cen), radius(r), mat_ptr(m) {}
  __device__ bool hit(const ray &r, float t_min, float t_max, hit_record &rec) const override {
    vec3 oc = r.A - center;
    float a = dot(r.B, r.B), b = dot(oc, r.B), c = dot(oc, oc) - radius * radius, discriminant = b * b - a * c;
    if (discriminant <= 0)
      return false;
    for (float sign = -1; sign <= 1; sign += 2) {
      float temp = (-b + sign * sqrtf(discriminant)) / a;
      if (temp < t_max && temp > t_min) {
        rec.t = temp;
        rec.p = r.point_at(temp);
        rec.normal = (1 / radius) * (rec.p - center);
        rec.mat_ptr = mat_ptr;
        return true;
      }
    }
    return false;
  }
  vec3 center;
  float radius;
  material *mat_ptr;
};
class hitable_list : public hitable {
public:
  __device__ hitable_list(hitable **l, int n) : list(l), list_size(n) {}
  __device__ bool hit(const ray &r, float t_min, float t_max, hit_record &rec) const override {
    bool hit_anything = false;
    float closest = t_max;
    for (int i = 0; i < list_size; i++)
      if (list[i]->hit(r, t_min, closest, rec))
        hit_anything = true, closest = rec.t;
    return hit_anything;
  }
  hitable **list;
  int list_size;
};
__device__ vec3 color(const ray &r, hitable **world, curandState *s) {
  ray cur = r;
  vec3 attenuation(1, 1, 1);
  for (int i = 0; i < 8; i++) {
    hit_record rec;
    if (!(*world)->hit(cur, 0.001f, FLT_MAX, rec)) {
      float t = 0.5f * (unit_vector(cur.B).y() + 1.0f);
      return attenuation * ((1.0f - t) * vec3(1, 1, 1) + t * vec3(0.5f, 0.7f, 1.0f));
    }
    ray scattered;
    vec3 a;
    if (!rec.mat_ptr->scatter(cur, rec, a, scattered, s))
      return vec3(0, 0, 0);
    attenuation = attenuation * a;
    cur = scattered;
  }
  return vec3(0, 0, 0);
}
__global__ void render_init(int max_x, int max_y, curandState *rand_state) {
  int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
  if ((i >= max_x) || (j >= max_y))
    return;
  curand_init(1984 + j * max_x + i, 0, 0, &rand_state[j * max_x + i]);
}
__global__ void render(vec3 *fb, int max_x, int max_y, int ns, hitable **world, curandState *rand_state) {
  int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
  if ((i >= max_x) || (j >= max_y))
    return;
  curandState local = rand_state[j * max_x + i];
  vec3 col(0, 0, 0);
  for (int s = 0; s < ns; s++) {
    float u = float(i + curand_uniform(&local)) / max_x, v = float(j + curand_uniform(&local)) / max_y;
    col += color(ray(vec3(0, 0, 0), vec3(4 * u - 2, 2 * v - 1, -1)), world, &local);
  }
  col /= float(ns);
  fb[j * max_x + i] = vec3(sqrtf(col[0]), sqrtf(col[1]), sqrtf(col[2]));
}
__global__ void create_world(hitable **d_list, hitable **d_world) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    d_list[0] = new sphere(vec3(0, 0, -1), 0.5, new lambertian(vec3(0.1, 0.2, 0.5)));
    d_list[1] = new sphere(vec3(0, -100.5, -1), 100, new lambertian(vec3(0.8, 0.8, 0.0)));
    d_list[2] = new sphere(vec3(1, 0, -1), 0.5, new metal(vec3(0.8, 0.6, 0.2), 0.0));
    *d_world = new hitable_list(d_list, 3);
  }
}
__global__ void free_world(hitable **d_list, hitable **d_world) {
  for (int i = 0; i < 3; i++) {
    delete ((sphere *)d_list[i])->mat_ptr;
    delete d_list[i];
  }
  delete *d_world;
}
int main() {
  int nx = 64, ny = 32, ns = 4, tx = 8, ty = 8, num_pixels = nx * ny;
  vec3 *fb;
  checkCudaErrors(cudaMallocManaged((void **)&fb, num_pixels * sizeof(vec3)));
  curandState *d_rand_state;
  checkCudaErrors(cudaMalloc((void **)&d_rand_state, num_pixels * sizeof(curandState)));
  hitable **d_list, **d_world;
  checkCudaErrors(cudaMalloc((void **)&d_list, 3 * sizeof(hitable *)));
  checkCudaErrors(cudaMalloc((void **)&d_world, sizeof(hitable *)));
  create_world<<<1, 1>>>(d_list, d_world);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  clock_t start = clock();
  dim3 blocks(nx / tx + 1, ny / ty + 1), threads(tx, ty);
  render_init<<<blocks, threads>>>(nx, ny, d_rand_state);
  render<<<blocks, threads>>>(fb, nx, ny, ns, d_world, d_rand_state);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  std::cerr << "took " << ((double)(clock() - start)) / CLOCKS_PER_SEC << " seconds.\n";
  float top = 0, bottom = 0, most = 0;
  for (int i = 0; i < nx; i++) {
    top += fb[(ny - 1) * nx + i].z();
    bottom += fb[i].z();
  }
  for (int i = 0; i < num_pixels; i++)
    most = fmaxf(most, fb[i].x());
  free_world<<<1, 1>>>(d_list, d_world);
  checkCudaErrors(cudaDeviceSynchronize());
  std::cout << "sky " << top / nx << " ground " << bottom / nx << " brightest " << most << "\n";
  return !(top / nx > 0.9f && bottom / nx < 0.5f && most <= 1.0f);
}
