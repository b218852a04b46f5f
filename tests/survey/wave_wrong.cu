//// popc of a ballot
__global__ void count(const float* x, int* o) {
  int n = __popc(__ballot_sync(0xffffffff, x[threadIdx.x] > 0.f));
  if (threadIdx.x % 32 == 0) atomicAdd(o, n);
}
//// ballot kept in unsigned
__global__ void rank_of(const int* x, int* o) {
  unsigned votes = __ballot_sync(0xffffffffu, x[threadIdx.x] > 0);
  unsigned below = votes & ((1u << (threadIdx.x & 31)) - 1u);
  o[threadIdx.x] = __popc(below);
}
//// ballot cast to uint32_t
__device__ uint32_t positive_lanes(float v) { return static_cast<uint32_t>(__ballot_sync(~0u, v > 0.f)); }
//// ballot compared with a full mask of 32
__global__ void all_set(const int* x, int* o) {
  if (__ballot_sync(0xffffffff, x[threadIdx.x]) == 0xffffffff) o[threadIdx.x] = 1;
}
//// first voter by ffs of a wide variable
__global__ void leader(const int* x, int* o) {
  unsigned long long votes = __ballot_sync(0xffffffff, x[threadIdx.x] > 3);
  int first = __ffs(votes) - 1;
  if ((threadIdx.x & 31) == first) o[threadIdx.x] = 1;
}
//// active mask in int
__global__ void aggregated(const int* x, int* counter) {
  if (x[threadIdx.x] <= 0) return;
  int mask = __activemask();
  int lane = threadIdx.x & 31;
  int chosen = __ffs(mask) - 1;
  if (lane == chosen) atomicAdd(counter, __popc(mask));
}
//// reduction from 16 with lanes by warpSize
__global__ void block_sum(const float* x, float* o) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffff, v, offset);
  if (threadIdx.x % warpSize == 0) atomicAdd(o, v);
}
//// reduction helper from 16, caller by warpSize
template <typename T>
__device__ __forceinline__ T reduce32(T v) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffff, v, offset);
  return v;
}
__global__ void norm(const float* x, float* o, int n) {
  __shared__ float part[32];
  const int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
  float v = 0.f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) v += x[i] * x[i];
  v = reduce32(v);
  if (lane == 0) part[wave] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.f;
    for (int w = 0; w < blockDim.x / warpSize; ++w) total += part[w];
    *o = total;
  }
}
//// broadcast of lane 0 in warps of 32
__global__ void share_first(const float* x, float* o) {
  float v = x[threadIdx.x];
  float first = __shfl_sync(0xffffffff, v, 0);
  if ((threadIdx.x & 31) != 0) o[threadIdx.x] = v - first; else o[threadIdx.x] = v;
}
//// rotation inside 32 lanes
__global__ void rotate(const int* x, int* o) {
  int lane = threadIdx.x & 31;
  o[threadIdx.x] = __shfl_sync(0xffffffff, x[threadIdx.x], (lane + 1) & 31);
}
//// vote per warp of 32
__global__ void any_negative(const float* x, int* flags) {
  int bad = __any_sync(0xffffffff, x[threadIdx.x] < -8.f);
  if ((threadIdx.x & 31) == 0) flags[threadIdx.x >> 5] = bad;
}
//// slots by wave, read back by 32
__global__ void two_stage(const float* x, float* o) {
  __shared__ float part[32];
  float v = x[threadIdx.x];
  for (int s = warpSize / 2; s > 0; s /= 2) v += __shfl_down_sync(0xffffffff, v, s);
  if (threadIdx.x % warpSize == 0) part[threadIdx.x / warpSize] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.f;
    for (int i = 0; i < blockDim.x / 32; ++i) total += part[i];
    *o = total;
  }
}
//// 32 slots indexed by a lane of the wave
__global__ void per_lane(const float* x, float* o) {
  __shared__ float slot[32];
  int lane = threadIdx.x % warpSize;
  if (threadIdx.x / warpSize == 0) slot[lane] = x[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = slot[lane ^ 1] + __shfl_xor_sync(0xffffffff, x[threadIdx.x], 1);
}
//// 32-bit one shifted by a lane of the wave
__global__ void lower_lanes(const int* x, unsigned* o) {
  int lane = threadIdx.x % warpSize;
  unsigned below = (1u << lane) - 1u;
  o[threadIdx.x] = below & __ballot_sync(0xffffffff, x[threadIdx.x]);
}
//// lane 31 as the last one
__global__ void carry(const int* x, int* o) {
  int lane = threadIdx.x % warpSize;
  int v = x[threadIdx.x];
  for (int s = 1; s < warpSize; s *= 2) {
    int up = __shfl_up_sync(0xffffffff, v, s);
    if (lane >= s) v += up;
  }
  if (lane == 31) atomicAdd(o, v);
}
//// scan that ends before 32 with lanes of the wave
__global__ void scan(const int* x, int* o) {
  int lane = threadIdx.x % warpSize;
  int v = x[threadIdx.x];
  for (int s = 1; s < 32; s <<= 1) {
    int up = __shfl_up_sync(0xffffffff, v, s);
    if (lane >= s) v += up;
  }
  o[threadIdx.x] = v;
}
//// one row a wave, stepped by 32
__global__ void row_sum(const float* x, float* o, int cols) {
  int lane = threadIdx.x % warpSize, row = threadIdx.x / warpSize;
  float v = 0.f;
  for (int c = lane; c < cols; c += 32) v += x[row * cols + c];
  for (int s = warpSize / 2; s > 0; s >>= 1) v += __shfl_xor_sync(0xffffffff, v, s);
  if (lane == 0) atomicAdd(o, v);
}
//// unrolled steps with lanes by warpSize
__global__ void unrolled_max(const int* x, int* o) {
  int v = x[threadIdx.x];
  v = max(v, __shfl_xor_sync(0xffffffff, v, 16));
  v = max(v, __shfl_xor_sync(0xffffffff, v, 8));
  v = max(v, __shfl_xor_sync(0xffffffff, v, 4));
  v = max(v, __shfl_xor_sync(0xffffffff, v, 2));
  v = max(v, __shfl_xor_sync(0xffffffff, v, 1));
  if (threadIdx.x % warpSize == 0) atomicAdd(o, v);
}
//// named constants of 32 and a 中文 comment
#define WARP_SIZE 32 /* 线程束大小 */
#define FULL_MASK 0xffffffff
__global__ void ranks(const int* x, int* o) {
  const int lane = threadIdx.x % WARP_SIZE;
  unsigned votes = __ballot_sync(FULL_MASK, x[threadIdx.x] > 0);
  int leader = __ffs(votes) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(o, __popc(votes));
  base = __shfl_sync(FULL_MASK, base, leader);
  if (x[threadIdx.x] > 0) o[1 + base + __popc(votes & ((1u << lane) - 1))] = threadIdx.x;
}
//// warpSize as the extent of an array
__global__ void constant_needed(const float* x, float* o) {
  __shared__ float part[warpSize];
  part[threadIdx.x % warpSize] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) *o = part[0];
}
//// reduce_add per warp of 32
__global__ void sums(const int* x, int* o) {
  int total = __reduce_add_sync(0xffffffff, x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) o[threadIdx.x / 32] = total;
}
//// rows of 32 threads broadcast over two rows
__global__ void rows(const float* x, float* o) {
  float v = x[threadIdx.y * 32 + threadIdx.x];
  float first = __shfl_sync(0xffffffff, v, 0);
  o[threadIdx.y * 32 + threadIdx.x] = first;
}
void run_rows(const float* x, float* o) { rows<<<1, dim3(32, 4)>>>(x, o); }
//// an assigned ballot
__global__ void assigned(const int* x, int* o) {
  uint32_t votes;
  votes = __ballot_sync(0xffffffff, x[threadIdx.x] > 2);
  o[threadIdx.x] = __popc(votes);
}
//// auto and popc
__global__ void automatic(const int* x, int* o) {
  const auto votes = __ballot_sync(0xffffffff, x[threadIdx.x] > 2);
  o[threadIdx.x] = __popc(votes);
}
//// a while loop from 16
__global__ void by_while(const float* x, float* o) {
  float v = x[threadIdx.x];
  int offset = 16;
  while (offset > 0) {
    v += __shfl_down_sync(0xffffffff, v, offset);
    offset >>= 1;
  }
  if (threadIdx.x % warpSize == 0) atomicAdd(o, v);
}
//// a method of a struct
struct Sum {
  static constexpr int kWarp = 32;
  __device__ float operator()(float v) const {
    for (int mask = kWarp / 2; mask > 0; mask /= 2) v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
  }
};
__global__ void uses_method(const float* x, float* o) {
  float v = Sum()(x[threadIdx.x]);
  unsigned full = __ballot_sync(0xffffffff, v > 0.f);
  if ((threadIdx.x & 31) == 0) o[threadIdx.x >> 5] = __popc(full);
}
