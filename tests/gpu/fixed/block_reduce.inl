// 线程块内求和：先在 32 个线程的组内用 shuffle 归约，再由第一组合并各组结果。
// 由 warp_reduce.cuh 之后的文件包含；blockDim.x 必须是 32 的倍数。

namespace fused_norm {

// 返回值在所有线程中相同；scratch 至少有 blockDim.x / 32 个元素。
template <typename U>
__device__ U block_sum(U v, U *scratch) {
  const int lane = threadIdx.x % kLanes;
  const int group = threadIdx.x / kLanes;
  v = warp_sum(v);
  if (lane == 0) scratch[group] = v;
  __syncthreads();
  const int groups = blockDim.x / kLanes;
  /* 每组都合并一次，省去一次广播 */ v = lane < groups ? scratch[lane] : U(0);
  v = warp_sum(v);
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  /* 第 0 号线程的和发给全组 */ v = __shfl(v, 0, 32);
#else
  /* 第 0 号线程的和发给全组 */ v = __shfl_sync(0xffffffffu, v, 0);
#endif
  __syncthreads();
  return v;
}

}  // namespace fused_norm
