// Feature: programs: A ray tracer as in the well-known course: virtual classes made with new
// on the device, function templates, operators, recursion made a loop, cuRAND.

#include <cmath>
#include <curand_kernel.h>

#include "Inputs/suite.h"

struct Vector {
  float X, Y, Z;
};
__device__ inline Vector operator+(Vector A, Vector B) { return {A.X + B.X, A.Y + B.Y, A.Z + B.Z}; }
__device__ inline Vector operator-(Vector A, Vector B) { return {A.X - B.X, A.Y - B.Y, A.Z - B.Z}; }
__device__ inline Vector operator*(float S, Vector A) { return {S * A.X, S * A.Y, S * A.Z}; }
__device__ inline float dot(Vector A, Vector B) { return A.X * B.X + A.Y * B.Y + A.Z * B.Z; }
__device__ inline Vector unit(Vector A) { return rsqrtf(dot(A, A)) * A; }

struct Ray {
  Vector From, Along;
};
struct Hit {
  float At;
  Vector Place, Normal;
  float Shine;
};

class Thing {
public:
  __device__ virtual ~Thing() {}
  __device__ virtual bool hit(const Ray &R, float Near, float Far, Hit &H) const { return false; }
};

class Sphere : public Thing {
public:
  __device__ Sphere(Vector Centre, float Radius, float Shine)
      : Centre(Centre), Radius(Radius), Shine(Shine) {}
  __device__ bool hit(const Ray &R, float Near, float Far, Hit &H) const override {
    const Vector O = R.From - Centre;
    const float A = dot(R.Along, R.Along), B = dot(O, R.Along), C = dot(O, O) - Radius * Radius;
    const float D = B * B - A * C;
    if (D <= 0)
      return false;
    float At = (-B - sqrtf(D)) / A;
    if (At <= Near || At >= Far)
      At = (-B + sqrtf(D)) / A;
    if (At <= Near || At >= Far)
      return false;
    H = {At, R.From + At * R.Along, {}, Shine};
    H.Normal = (1 / Radius) * (H.Place - Centre);
    return true;
  }

private:
  Vector Centre;
  float Radius, Shine;
};

class Plane : public Thing {
public:
  __device__ explicit Plane(float Height) : Height(Height) {}
  __device__ bool hit(const Ray &R, float Near, float Far, Hit &H) const override {
    const float At = (Height - R.From.Y) / R.Along.Y;
    if (!(At > Near && At < Far))
      return false;
    H = {At, R.From + At * R.Along, {0, 1, 0}, 0.25f};
    return true;
  }

private:
  float Height;
};

class World : public Thing {
public:
  __device__ World(Thing **Things, int Count) : Things(Things), Count(Count) {}
  __device__ ~World() override {
    for (int I = 0; I < Count; ++I)
      delete Things[I];
  }
  __device__ bool hit(const Ray &R, float Near, float Far, Hit &H) const override {
    bool Any = false;
    for (int I = 0; I < Count; ++I)
      if (Things[I]->hit(R, Near, Any ? H.At : Far, H))
        Any = true;
    return Any;
  }

private:
  Thing **Things;
  int Count;
};

__global__ void build(Thing **Things, Thing **World_) {
  if (threadIdx.x || blockIdx.x)
    return;
  Things[0] = new Sphere({0, 0, -2}, 0.5f, 0.9f);
  Things[1] = new Sphere({1, 0.25f, -2.5f}, 0.5f, 0.5f);
  Things[2] = new Plane(-0.5f);
  *World_ = new World(Things, 3);
}

__global__ void render(Thing **World_, float *Image, int Width, int Height, int Samples) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  curandState State;
  curand_init(1984, Y * Width + X, 0, &State);
  float Sum = 0;
  for (int S = 0; S < Samples; ++S) {
    const float U = (X + curand_uniform(&State)) / Width - 0.5f;
    const float V = (Y + curand_uniform(&State)) / Height - 0.5f;
    Ray R{{0, 0.25f, 0}, {2 * U, 2 * V, -1}};
    float Light = 1;
    for (int Bounce = 0; Bounce < 5; ++Bounce) {
      Hit H;
      if (!(*World_)->hit(R, 0.001f, 1e9f, H)) {
        Light *= 0.5f + 0.5f * unit(R.Along).Y;
        break;
      }
      Light *= H.Shine;
      R = {H.Place, R.Along - 2 * dot(R.Along, H.Normal) * H.Normal};
    }
    Sum += Light;
  }
  Image[Y * Width + X] = Sum / Samples;
}

__global__ void destroy(Thing **World_) { delete *World_; }

int main() {
  constexpr int Width = 24, Height = 16;
  suite::Array<Thing *> Things(3), World_(1);
  suite::Array<float> Image(Width * Height), Again(Width * Height);
  build<<<1, 1>>>(Things, World_);
  check(cudaGetLastError());
  render<<<dim3(3, 2), dim3(8, 8)>>>(World_, Image, Width, Height, 4);
  render<<<dim3(6, 4), dim3(4, 4)>>>(World_, Again, Width, Height, 4);
  destroy<<<1, 1>>>(World_);
  const std::vector<float> Pixels = Image.host();
  same(Again.host(), Pixels);
  // Light comes from above and falls by each bounce: the sky is bright, the
  // ground is not, and the sphere mirrors the sky above and the ground below.
  const auto Row = [&](int Y, int From, int To) {
    float Sum = 0;
    for (int X = From; X < To; ++X)
      Sum += Pixels[Y * Width + X];
    return Sum / (To - From);
  };
  expect(Row(Height - 1, 0, Width) > 0.6f && Row(Height - 1, 0, Width) < 1.0f);
  expect(Row(0, 0, Width) < 0.25f && Row(0, 0, Width) > 0.0f);
  expect(Pixels[8 * Width + 12] > Pixels[4 * Width + 12]);
  return suite::finish();
}
