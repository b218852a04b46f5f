//// bit set of words
__global__ void set_bits(unsigned* words, const int* index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicOr(&words[index[i] >> 5], 1u << (index[i] & 31));
}
//// tile of 32 by 32
__global__ void transpose(const float* x, float* o, int n) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  o[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(const float* x, float* o) { transpose<<<1, dim3(32, 8)>>>(x, o, 1); }
//// shuffle with a width of 32
__global__ void groups(const float* x, float* o) {
  float v = x[threadIdx.x];
  for (int s = 16; s > 0; s >>= 1) v += __shfl_down_sync(0xffffffff, v, s, 32);
  if ((threadIdx.x & 31) == 0) o[threadIdx.x >> 5] = v;
}
//// portable reduction
__global__ void portable(const float* x, float* o) {
  float v = x[threadIdx.x];
  for (int s = warpSize / 2; s > 0; s >>= 1) v += __shfl_xor_sync(0xffffffff, v, s);
  if (threadIdx.x % warpSize == 0) atomicAdd(o, v);
}
//// 64-bit ballot
__global__ void wide(const int* x, int* o) {
  unsigned long long votes = __ballot_sync(0xffffffff, x[threadIdx.x] > 0);
  if (threadIdx.x % warpSize == 0) atomicAdd(o, __popcll(votes));
}
//// popc of a number that is no ballot
__global__ void weights(const unsigned* x, int* o) { o[threadIdx.x] = __popc(x[threadIdx.x]); }
//// block of 32 threads
__global__ void small(const float* x, float* o) {
  float v = x[threadIdx.x];
  for (int s = 16; s > 0; s >>= 1) v += __shfl_down_sync(0xffffffff, v, s);
  unsigned votes = __ballot_sync(0xffffffff, x[threadIdx.x] > 0.f);
  if (threadIdx.x == 0) o[0] = v + __popc(votes);
}
void run(const float* x, float* o) { small<<<1, 32>>>(x, o); }
//// launch bounds of 32
__global__ void __launch_bounds__(32) bounded(const float* x, int* o) {
  unsigned votes = __ballot_sync(0xffffffff, x[threadIdx.x] > 0.f);
  if (threadIdx.x == 0) *o = __popc(votes);
}
//// guarded away under HIP
__global__ void guarded(const float* x, int* o) {
#if defined(USE_ROCM)
  int n = __popcll(__ballot(x[threadIdx.x] > 0.f));
  if (threadIdx.x % 64 == 0) atomicAdd(o, n);
#else
  int n = __popc(__ballot_sync(0xffffffff, x[threadIdx.x] > 0.f));
  if (threadIdx.x % 32 == 0) atomicAdd(o, n);
#endif
}
//// in comments and strings
// int n = __popc(__ballot_sync(0xffffffff, p)); lane = threadIdx.x & 31;
__global__ void noted(int* o) {
  /* for (int s = 16; s > 0; s >>= 1) v += __shfl_down_sync(m, v, s); */
  const char* text = "__ballot_sync(0xffffffff) & 31";
  o[threadIdx.x] = text[0];
}
//// consistent warps of 32 by down
template <typename T>
__device__ T reduce(T v) {
  for (int s = 16; s > 0; s >>= 1) v += __shfl_down_sync(0xffffffff, v, s);
  return v;
}
__global__ void consistent(const float* x, float* o) {
  __shared__ float part[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  float v = reduce(x[threadIdx.x]);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0.f;
  if (warp == 0) v = reduce(v);
  if (threadIdx.x == 0) *o = v;
}
//// host loop from 16
void halves(int* x) { for (int i = 16; i > 0; i >>= 1) x[i % 32] += x[i & 31]; }
//// cooperative tile of 32
__global__ void tiled(const float* x, float* o) {
  auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  float v = x[threadIdx.x];
  for (int s = 16; s > 0; s >>= 1) v += tile.shfl_down(v, s);
  if (tile.thread_rank() == 0) atomicAdd(o, v);
}
//// neighbour exchange
__global__ void neighbours(const float* x, float* o) {
  float v = x[threadIdx.x];
  o[threadIdx.x] = v + __shfl_xor_sync(0xffffffff, v, 1);
}
//// ballot asked only whether it is empty
__global__ void stop_early(const int* x, int* o) {
  if (__ballot_sync(0xffffffff, x[threadIdx.x] > 100) != 0) o[threadIdx.x] = 0;
}
//// first 32 threads alone
__global__ void first_warp(const float* x, int* o) {
  if (threadIdx.x < 32) {
    unsigned votes = __ballot_sync(0xffffffff, x[threadIdx.x] > 0.f);
    if (threadIdx.x == 0) *o = __popc(votes);
  }
}
//// hash of 32 buckets
__device__ int bucket(int key) { return (key * 2654435761u >> 5) & 31; }
__global__ void histogram(const int* x, int* o) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[bucket(x[threadIdx.x])], 1);
  __syncthreads();
  if (threadIdx.x < 32) o[threadIdx.x] = bins[threadIdx.x];
}
//// size by platform
#ifdef __HIP_PLATFORM_AMD__
#define WARP_SIZE 64
#else
#define WARP_SIZE 32
#endif
__global__ void by_platform(const float* x, float* o) {
  float v = x[threadIdx.x];
  for (int s = WARP_SIZE / 2; s > 0; s /= 2) v += __shfl_xor_sync(0xffffffff, v, s);
  if (threadIdx.x % WARP_SIZE == 0) atomicAdd(o, v);
}
//// groups of 16 by width
__global__ void sixteens(const float* x, float* o) {
  float v = x[threadIdx.x];
  for (int s = 8; s > 0; s >>= 1) v += __shfl_xor_sync(0xffffffff, v, s, 16);
  o[threadIdx.x] = v;
}
//// vectors of 32 elements a thread
__global__ void unpack(const unsigned* bits, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = (bits[i / 32] >> (i % 32)) & 1u ? 1.f : -1.f;
}
//// the leader writes what all lanes share
__global__ void broadcast_uniform(const float* x, float* o) {
  float v = __shfl_sync(0xffffffff, x[0], 0);
  int lane = threadIdx.x & 31;
  if (lane < 32) o[threadIdx.x] = v * x[threadIdx.x];
}
//// a full vote that only stops a loop
__global__ void until_done(const int* x, int* o, int n) {
  int value = x[threadIdx.x] & 7;
  int lane = threadIdx.x & 31;
  while (!__all_sync(0xffffffff, value == 0)) if (value > 0) --value;
  o[threadIdx.x] = value + lane;
}
//// both halves of a ballot
__global__ void halves_apart(const int* x, unsigned* o) {
  unsigned low = (unsigned)__ballot_sync(0xffffffff, x[threadIdx.x]);
  unsigned high = (unsigned)(__ballot_sync(0xffffffff, x[threadIdx.x]) >> 32);
  struct Pair { unsigned a, b; } pair = {low, high};
  o[threadIdx.x] = pair.a | pair.b;
}
//// halves joined after the loop
__global__ void joined(const float* x, float* o, int n) {
  float v = x[threadIdx.x];
  for (int s = 16; s > 0; s >>= 1) v += __shfl_xor_sync(0xffffffff, v, s);
  if (warpSize == 64) v += __shfl_xor_sync(0xffffffff, v, 32);
  if (threadIdx.x % warpSize == 0) atomicAdd(o, v);
}
//// a ballot that only names lanes
__global__ void masked(const float* x, float* o, int n) {
  unsigned mask = __ballot_sync(0xffffffffu, threadIdx.x < n);
  if (threadIdx.x < n) {
    float v = x[threadIdx.x];
    v += __shfl_xor_sync(mask, v, 1);
    o[threadIdx.x] = v;
  }
}
//// slots guarded by the lane
__global__ void guarded_slots(const float* x, float* o) {
  __shared__ float slot[32];
  int lane = threadIdx.x % warpSize;
  if (lane < 32) {
    slot[lane] = x[lane];
  }
  __syncthreads();
  o[threadIdx.x] = slot[threadIdx.x & 31];
}
//// last lane of either size
__global__ void last(const int* x, int* o) {
  int lane = threadIdx.x % warpSize;
  int v = __shfl_xor_sync(0xffffffff, x[threadIdx.x], 1);
  if ((warpSize == 32 && lane == 31) || lane == 63) o[threadIdx.x / warpSize] = v;
}
//// a tile of 32 beside waves
struct Box { int rows; };
__global__ void tile_and_wave(const float* x, float* o, Box box) {
  int column = threadIdx.x % 32, rows = blockDim.x / 32;
  float v = x[column * rows];
  for (int s = warpSize / 2; s > 0; s >>= 1) v += __shfl_xor_sync(0xffffffff, v, s);
  if (threadIdx.x % warpSize == 0) atomicAdd(o + box.rows, v);
}
//// rows of the first lanes
__global__ void short_rows(const float* x, float* o) {
  int lane = threadIdx.x % warpSize;
  float v = 0.f;
  for (int c = lane; c < 32; c += 32) v += x[c];
  o[threadIdx.x] = __shfl_xor_sync(0xffffffff, v, 1) * 0.f + x[threadIdx.x];
}
//// a warpSize of one's own
const int warpSize = 32;
__global__ void own_size(const float* x, float* o, int n) {
  int lane = threadIdx.x % warpSize;
  float v = 0.f;
  for (int i = lane; i < n; i += warpSize) v += x[i];
  for (int s = 16; s > 0; s >>= 1) v += __shfl_xor_sync(0xffffffff, v, s);
  o[threadIdx.x] = v;
}
//// sixteen slots of a block of sixteen waves
__global__ void sixteen_slots(const float* x, float* o, int n) {
  __shared__ float slot[16];
  int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
  if (lane == 0) slot[wave] = x[threadIdx.x];
  __syncthreads();
  if (wave == 0 && lane < n) o[lane] = __shfl_xor_sync(0xffffffff, slot[lane], 1);
}
