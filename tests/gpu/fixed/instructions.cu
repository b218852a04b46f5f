// Inline PTX on any bits: every instruction whose result PTX defines to the bit, each as one row.
#include <cuda_runtime.h>

#include "rows.cuh"

namespace {

__global__ void words32(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const unsigned a = cut<unsigned>(in[i]);
  const unsigned b = cut<unsigned>(in[n + i]);
  const unsigned c = cut<unsigned>(in[2 * n + i]);
  unsigned add_u32, add_s32, sub_u32, sub_s32, mul_lo_u32, mul_lo_s32, mad_lo_u32, mad_lo_s32,
      mul_hi_u32, mul_hi_s32, and_b32, or_b32, xor_b32, not_b32, min_u32, max_u32, min_s32,
      max_s32, popc_b32, clz_b32, brev_b32, shl_b32, shl_b32_near, shr_u32, shr_u32_near,
      shr_b32, shr_b32_near, shr_s32, shr_s32_near, joined;
  Word mul_wide_u32, mul_wide_s32;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  add_u32 = (unsigned int)a + (unsigned int)b;
  add_s32 = (unsigned int)a + (unsigned int)b;
  sub_u32 = (unsigned int)a - (unsigned int)b;
  sub_s32 = (unsigned int)a - (unsigned int)b;
  mul_lo_u32 = (unsigned int)a * (unsigned int)b;
  mul_lo_s32 = (unsigned int)a * (unsigned int)b;
  mad_lo_u32 = (unsigned int)a * (unsigned int)b + (unsigned int)c;
  mad_lo_s32 = (unsigned int)a * (unsigned int)b + (unsigned int)c;
  mul_hi_u32 = __umulhi((unsigned int)a, (unsigned int)b);
  mul_hi_s32 = __mulhi((int)a, (int)b);
  and_b32 = (unsigned int)a & (unsigned int)b;
  or_b32 = (unsigned int)a | (unsigned int)b;
  xor_b32 = (unsigned int)a ^ (unsigned int)b;
  not_b32 = ~(unsigned int)a;
  min_u32 = min((unsigned int)a, (unsigned int)b);
  max_u32 = max((unsigned int)a, (unsigned int)b);
  min_s32 = min((int)a, (int)b);
  max_s32 = max((int)a, (int)b);
  popc_b32 = __popc((unsigned int)a);
  clz_b32 = __clz((int)a);
  brev_b32 = __brev((unsigned int)a);
  mul_wide_u32 = (unsigned long long)(unsigned int)a * (unsigned int)b;
  mul_wide_s32 = (long long)(int)a * (int)b;
  shl_b32 = ((unsigned int)b > 31 ? 0u : (unsigned int)a << (unsigned int)b);
  shl_b32_near = ((unsigned int)(b & 63u) > 31 ? 0u : (unsigned int)a << (unsigned int)(b & 63u));
  shr_u32 = ((unsigned int)b > 31 ? 0u : (unsigned int)a >> (unsigned int)b);
  shr_u32_near = ((unsigned int)(b & 63u) > 31 ? 0u : (unsigned int)a >> (unsigned int)(b & 63u));
  shr_b32 = ((unsigned int)b > 31 ? 0u : (unsigned int)a >> (unsigned int)b);
  shr_b32_near = ((unsigned int)(b & 63u) > 31 ? 0u : (unsigned int)a >> (unsigned int)(b & 63u));
  shr_s32 = ((int)a >> ((unsigned int)b > 31 ? 31 : (unsigned int)b));
  shr_s32_near = ((int)a >> ((unsigned int)(b & 63u) > 31 ? 31 : (unsigned int)(b & 63u)));
  do { const auto in1 = a; const auto in2 = b; unsigned int r_t; r_t = (3u > 31 ? 0u : (unsigned int)in1 << 3u); joined = (unsigned int)r_t + (unsigned int)in2; } while (0);
#else
  asm("add.u32 %0, %1, %2;" : "=r"(add_u32) : "r"(a), "r"(b));
  asm("add.s32 %0, %1, %2;" : "=r"(add_s32) : "r"(a), "r"(b));
  asm("sub.u32 %0, %1, %2;" : "=r"(sub_u32) : "r"(a), "r"(b));
  asm("sub.s32 %0, %1, %2;" : "=r"(sub_s32) : "r"(a), "r"(b));
  asm("mul.lo.u32 %0, %1, %2;" : "=r"(mul_lo_u32) : "r"(a), "r"(b));
  asm("mul.lo.s32 %0, %1, %2;" : "=r"(mul_lo_s32) : "r"(a), "r"(b));
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(mad_lo_u32) : "r"(a), "r"(b), "r"(c));
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(mad_lo_s32) : "r"(a), "r"(b), "r"(c));
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(mul_hi_u32) : "r"(a), "r"(b));
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(mul_hi_s32) : "r"(a), "r"(b));
  asm("and.b32 %0, %1, %2;" : "=r"(and_b32) : "r"(a), "r"(b));
  asm("or.b32 %0, %1, %2;" : "=r"(or_b32) : "r"(a), "r"(b));
  asm("xor.b32 %0, %1, %2;" : "=r"(xor_b32) : "r"(a), "r"(b));
  asm("not.b32 %0, %1;" : "=r"(not_b32) : "r"(a));
  asm("min.u32 %0, %1, %2;" : "=r"(min_u32) : "r"(a), "r"(b));
  asm("max.u32 %0, %1, %2;" : "=r"(max_u32) : "r"(a), "r"(b));
  asm("min.s32 %0, %1, %2;" : "=r"(min_s32) : "r"(a), "r"(b));
  asm("max.s32 %0, %1, %2;" : "=r"(max_s32) : "r"(a), "r"(b));
  asm("popc.b32 %0, %1;" : "=r"(popc_b32) : "r"(a));
  asm("clz.b32 %0, %1;" : "=r"(clz_b32) : "r"(a));
  asm("brev.b32 %0, %1;" : "=r"(brev_b32) : "r"(a));
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(mul_wide_u32) : "r"(a), "r"(b));
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(mul_wide_s32) : "r"(a), "r"(b));
  asm("shl.b32 %0, %1, %2;" : "=r"(shl_b32) : "r"(a), "r"(b));
  asm("shl.b32 %0, %1, %2;" : "=r"(shl_b32_near) : "r"(a), "r"(b & 63u));
  asm("shr.u32 %0, %1, %2;" : "=r"(shr_u32) : "r"(a), "r"(b));
  asm("shr.u32 %0, %1, %2;" : "=r"(shr_u32_near) : "r"(a), "r"(b & 63u));
  asm("shr.b32 %0, %1, %2;" : "=r"(shr_b32) : "r"(a), "r"(b));
  asm("shr.b32 %0, %1, %2;" : "=r"(shr_b32_near) : "r"(a), "r"(b & 63u));
  asm("shr.s32 %0, %1, %2;" : "=r"(shr_s32) : "r"(a), "r"(b));
  asm("shr.s32 %0, %1, %2;" : "=r"(shr_s32_near) : "r"(a), "r"(b & 63u));
  asm("{\n\t.reg .u32 t;\n\tshl.b32 t, %1, 3;\n\tadd.u32 %0, t, %2;\n\t}"
      : "=r"(joined)
      : "r"(a), "r"(b));
#endif
  rows.put("add.u32", add_u32);
  rows.put("add.s32", add_s32);
  rows.put("sub.u32", sub_u32);
  rows.put("sub.s32", sub_s32);
  rows.put("mul.lo.u32", mul_lo_u32);
  rows.put("mul.lo.s32", mul_lo_s32);
  rows.put("mad.lo.u32", mad_lo_u32);
  rows.put("mad.lo.s32", mad_lo_s32);
  rows.put("mul.hi.u32", mul_hi_u32);
  rows.put("mul.hi.s32", mul_hi_s32);
  rows.put("and.b32", and_b32);
  rows.put("or.b32", or_b32);
  rows.put("xor.b32", xor_b32);
  rows.put("not.b32", not_b32);
  rows.put("min.u32", min_u32);
  rows.put("max.u32", max_u32);
  rows.put("min.s32", min_s32);
  rows.put("max.s32", max_s32);
  rows.put("popc.b32", popc_b32);
  rows.put("clz.b32", clz_b32);
  rows.put("brev.b32", brev_b32);
  rows.put("mul.wide.u32", mul_wide_u32);
  rows.put("mul.wide.s32", mul_wide_s32);
  rows.put("shl.b32", shl_b32);
  rows.put("shl.b32 by less than 64", shl_b32_near);
  rows.put("shr.u32", shr_u32);
  rows.put("shr.u32 by less than 64", shr_u32_near);
  rows.put("shr.b32", shr_b32);
  rows.put("shr.b32 by less than 64", shr_b32_near);
  rows.put("shr.s32", shr_s32);
  rows.put("shr.s32 by less than 64", shr_s32_near);
  rows.put("two instructions with a register", joined);
}

__global__ void words64(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const Word a = in[i], b = in[n + i], c = in[2 * n + i];
  Word add_u64, add_s64, sub_u64, sub_s64, mul_lo_u64, mul_lo_s64, mad_lo_u64, mad_lo_s64,
      and_b64, or_b64, xor_b64, not_b64;
  unsigned popc_b64;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  add_u64 = (unsigned long long)a + (unsigned long long)b;
  add_s64 = (unsigned long long)a + (unsigned long long)b;
  sub_u64 = (unsigned long long)a - (unsigned long long)b;
  sub_s64 = (unsigned long long)a - (unsigned long long)b;
  mul_lo_u64 = (unsigned long long)a * (unsigned long long)b;
  mul_lo_s64 = (unsigned long long)a * (unsigned long long)b;
  mad_lo_u64 = (unsigned long long)a * (unsigned long long)b + (unsigned long long)c;
  mad_lo_s64 = (unsigned long long)a * (unsigned long long)b + (unsigned long long)c;
  and_b64 = (unsigned long long)a & (unsigned long long)b;
  or_b64 = (unsigned long long)a | (unsigned long long)b;
  xor_b64 = (unsigned long long)a ^ (unsigned long long)b;
  not_b64 = ~(unsigned long long)a;
  popc_b64 = __popcll((unsigned long long)a);
#else
  asm("add.u64 %0, %1, %2;" : "=l"(add_u64) : "l"(a), "l"(b));
  asm("add.s64 %0, %1, %2;" : "=l"(add_s64) : "l"(a), "l"(b));
  asm("sub.u64 %0, %1, %2;" : "=l"(sub_u64) : "l"(a), "l"(b));
  asm("sub.s64 %0, %1, %2;" : "=l"(sub_s64) : "l"(a), "l"(b));
  asm("mul.lo.u64 %0, %1, %2;" : "=l"(mul_lo_u64) : "l"(a), "l"(b));
  asm("mul.lo.s64 %0, %1, %2;" : "=l"(mul_lo_s64) : "l"(a), "l"(b));
  asm("mad.lo.u64 %0, %1, %2, %3;" : "=l"(mad_lo_u64) : "l"(a), "l"(b), "l"(c));
  asm("mad.lo.s64 %0, %1, %2, %3;" : "=l"(mad_lo_s64) : "l"(a), "l"(b), "l"(c));
  asm("and.b64 %0, %1, %2;" : "=l"(and_b64) : "l"(a), "l"(b));
  asm("or.b64 %0, %1, %2;" : "=l"(or_b64) : "l"(a), "l"(b));
  asm("xor.b64 %0, %1, %2;" : "=l"(xor_b64) : "l"(a), "l"(b));
  asm("not.b64 %0, %1;" : "=l"(not_b64) : "l"(a));
  asm("popc.b64 %0, %1;" : "=r"(popc_b64) : "l"(a));
#endif
  rows.put("add.u64", add_u64);
  rows.put("add.s64", add_s64);
  rows.put("sub.u64", sub_u64);
  rows.put("sub.s64", sub_s64);
  rows.put("mul.lo.u64", mul_lo_u64);
  rows.put("mul.lo.s64", mul_lo_s64);
  rows.put("mad.lo.u64", mad_lo_u64);
  rows.put("mad.lo.s64", mad_lo_s64);
  rows.put("and.b64", and_b64);
  rows.put("or.b64", or_b64);
  rows.put("xor.b64", xor_b64);
  rows.put("not.b64", not_b64);
  rows.put("popc.b64", popc_b64);
}

__global__ void fields(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const unsigned a = cut<unsigned>(in[i]);
  const unsigned b = cut<unsigned>(in[n + i]);
  const unsigned c = cut<unsigned>(in[2 * n + i]);
  unsigned bfe_u32, bfe_u32_near, bfe_s32, bfe_s32_near, bfi, bfi_near, lop_80, lop_fe, lop_96,
      lop_ea, lop_f8, lop_e0, lop_a8, lop_6a, lop_78, lop_ca, lop_e8, lop_c0, lop_fc, lop_3c,
      lop_00, lop_ff, lop_1b, lop_2d, lop_d8, lop_01, lop_7f, prmt_3210, prmt_0123, prmt_7654,
      prmt_7250, prmt_5410, prmt_7632, prmt_0000;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  bfe_u32 = [](unsigned int a, unsigned int p, unsigned int n) { p &= 255; n &= 255; return p > 31 || n == 0 ? 0u : a >> p & (n > 31 ? ~0u : (1u << n) - 1u); }(a, b, c);
  bfe_u32_near = [](unsigned int a, unsigned int p, unsigned int n) { p &= 255; n &= 255; return p > 31 || n == 0 ? 0u : a >> p & (n > 31 ? ~0u : (1u << n) - 1u); }(a, (b & 63u), (c & 63u));
  bfe_s32 = [](int a, unsigned int p, unsigned int n) { p &= 255; n &= 255; if (n == 0) return 0; if (p > 31) return a >> 31; if (n > 32 - p) n = 32 - p; return (int)((unsigned int)a << (32 - p - n)) >> (32 - n); }(a, b, c);
  bfe_s32_near = [](int a, unsigned int p, unsigned int n) { p &= 255; n &= 255; if (n == 0) return 0; if (p > 31) return a >> 31; if (n > 32 - p) n = 32 - p; return (int)((unsigned int)a << (32 - p - n)) >> (32 - n); }(a, (b & 63u), (c & 63u));
  bfi = [](unsigned int a, unsigned int b, unsigned int p, unsigned int n) { p &= 255; n &= 255; if (p > 31 || n == 0) return b; unsigned int m = (n > 31 ? ~0u : (1u << n) - 1u) << p; return (b & ~m) | (a << p & m); }(a, b, c, (a ^ b));
  bfi_near = [](unsigned int a, unsigned int b, unsigned int p, unsigned int n) { p &= 255; n &= 255; if (p > 31 || n == 0) return b; unsigned int m = (n > 31 ? ~0u : (1u << n) - 1u) << p; return (b & ~m) | (a << p & m); }(a, b, (c & 63u), ((c >> 8) & 63u));
  lop_80 = a & b & c;
  lop_fe = a | b | c;
  lop_96 = a ^ b ^ c;
  lop_ea = (a & b) | c;
  lop_f8 = a | (b & c);
  lop_e0 = a & (b | c);
  lop_a8 = (a | b) & c;
  lop_6a = (a & b) ^ c;
  lop_78 = a ^ (b & c);
  lop_ca = (a & b) | (~a & c);
  lop_e8 = (a & b) | (a & c) | (b & c);
  lop_c0 = a & b;
  lop_fc = a | b;
  lop_3c = a ^ b;
  lop_00 = 0u;
  lop_ff = ~0u;
  lop_1b = (~a & ~b & ~c) | (~a & ~b & c) | (~a & b & c) | (a & ~b & ~c);
  lop_2d = (~a & ~b & ~c) | (~a & b & ~c) | (~a & b & c) | (a & ~b & c);
  lop_d8 = (~a & b & c) | (a & ~b & ~c) | (a & b & ~c) | (a & b & c);
  lop_01 = (~a & ~b & ~c);
  lop_7f = (~a & ~b & ~c) | (~a & ~b & c) | (~a & b & ~c) | (~a & b & c) | (a & ~b & ~c) | (a & ~b & c) | (a & b & ~c);
  prmt_3210 = __byte_perm(a, b, 0x3210);
  prmt_0123 = __byte_perm(a, b, 0x0123);
  prmt_7654 = __byte_perm(a, b, 0x7654);
  prmt_7250 = __byte_perm(a, b, 0x7250);
  prmt_5410 = __byte_perm(a, b, 0x5410);
  prmt_7632 = __byte_perm(a, b, 0x7632);
  prmt_0000 = __byte_perm(a, b, 0x0000);
#else
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(bfe_u32) : "r"(a), "r"(b), "r"(c));
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(bfe_u32_near) : "r"(a), "r"(b & 63u), "r"(c & 63u));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(bfe_s32) : "r"(a), "r"(b), "r"(c));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(bfe_s32_near) : "r"(a), "r"(b & 63u), "r"(c & 63u));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(bfi) : "r"(a), "r"(b), "r"(c), "r"(a ^ b));
  asm("bfi.b32 %0, %1, %2, %3, %4;"
      : "=r"(bfi_near)
      : "r"(a), "r"(b), "r"(c & 63u), "r"((c >> 8) & 63u));
  asm("lop3.b32 %0, %1, %2, %3, 0x80;" : "=r"(lop_80) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xfe;" : "=r"(lop_fe) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(lop_96) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(lop_ea) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xf8;" : "=r"(lop_f8) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xe0;" : "=r"(lop_e0) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xa8;" : "=r"(lop_a8) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(lop_6a) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x78;" : "=r"(lop_78) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(lop_ca) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(lop_e8) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xc0;" : "=r"(lop_c0) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xfc;" : "=r"(lop_fc) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x3c;" : "=r"(lop_3c) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x00;" : "=r"(lop_00) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xff;" : "=r"(lop_ff) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(lop_1b) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x2d;" : "=r"(lop_2d) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xd8;" : "=r"(lop_d8) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x01;" : "=r"(lop_01) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x7f;" : "=r"(lop_7f) : "r"(a), "r"(b), "r"(c));
  asm("prmt.b32 %0, %1, %2, 0x3210;" : "=r"(prmt_3210) : "r"(a), "r"(b));
  asm("prmt.b32 %0, %1, %2, 0x0123;" : "=r"(prmt_0123) : "r"(a), "r"(b));
  asm("prmt.b32 %0, %1, %2, 0x7654;" : "=r"(prmt_7654) : "r"(a), "r"(b));
  asm("prmt.b32 %0, %1, %2, 0x7250;" : "=r"(prmt_7250) : "r"(a), "r"(b));
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(prmt_5410) : "r"(a), "r"(b));
  asm("prmt.b32 %0, %1, %2, 0x7632;" : "=r"(prmt_7632) : "r"(a), "r"(b));
  asm("prmt.b32 %0, %1, %2, 0x0000;" : "=r"(prmt_0000) : "r"(a), "r"(b));
#endif
  rows.put("bfe.u32", bfe_u32);
  rows.put("bfe.u32 near the word", bfe_u32_near);
  rows.put("bfe.s32", bfe_s32);
  rows.put("bfe.s32 near the word", bfe_s32_near);
  rows.put("bfi.b32", bfi);
  rows.put("bfi.b32 near the word", bfi_near);
  rows.put("lop3.b32 0x80", lop_80);
  rows.put("lop3.b32 0xfe", lop_fe);
  rows.put("lop3.b32 0x96", lop_96);
  rows.put("lop3.b32 0xea", lop_ea);
  rows.put("lop3.b32 0xf8", lop_f8);
  rows.put("lop3.b32 0xe0", lop_e0);
  rows.put("lop3.b32 0xa8", lop_a8);
  rows.put("lop3.b32 0x6a", lop_6a);
  rows.put("lop3.b32 0x78", lop_78);
  rows.put("lop3.b32 0xca", lop_ca);
  rows.put("lop3.b32 0xe8", lop_e8);
  rows.put("lop3.b32 0xc0", lop_c0);
  rows.put("lop3.b32 0xfc", lop_fc);
  rows.put("lop3.b32 0x3c", lop_3c);
  rows.put("lop3.b32 0x00", lop_00);
  rows.put("lop3.b32 0xff", lop_ff);
  rows.put("lop3.b32 0x1b", lop_1b);
  rows.put("lop3.b32 0x2d", lop_2d);
  rows.put("lop3.b32 0xd8", lop_d8);
  rows.put("lop3.b32 0x01", lop_01);
  rows.put("lop3.b32 0x7f", lop_7f);
  rows.put("prmt.b32 0x3210", prmt_3210);
  rows.put("prmt.b32 0x0123", prmt_0123);
  rows.put("prmt.b32 0x7654", prmt_7654);
  rows.put("prmt.b32 0x7250", prmt_7250);
  rows.put("prmt.b32 0x5410", prmt_5410);
  rows.put("prmt.b32 0x7632", prmt_7632);
  rows.put("prmt.b32 0x0000", prmt_0000);
}

__global__ void numbers(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const float x = cut<float>(in[i]), y = cut<float>(in[n + i]), z = cut<float>(in[2 * n + i]);
  const double p = cut<double>(in[i]), q = cut<double>(in[n + i]), r = cut<double>(in[2 * n + i]);
  const unsigned a = cut<unsigned>(in[i]);
  const unsigned short h = cut<unsigned short>(in[i]);
  float fma_rn_f32, from_u32, from_s32, from_half, real;
  double fma_rn_f64;
  unsigned short to_half;
  unsigned bits;
  Word long_bits;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  fma_rn_f32 = fmaf(x, y, z);
  fma_rn_f64 = fma(p, q, r);
  from_u32 = (float)(unsigned int)a;
  from_s32 = (float)(int)a;
  from_half = (float)__builtin_bit_cast(_Float16, (unsigned short)h);
  to_half = __builtin_bit_cast(unsigned short, (_Float16)x);
  bits = __builtin_bit_cast(unsigned int, x);
  real = __builtin_bit_cast(float, (unsigned int)a);
  long_bits = __builtin_bit_cast(unsigned long long, p);
#else
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(fma_rn_f32) : "f"(x), "f"(y), "f"(z));
  asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(fma_rn_f64) : "d"(p), "d"(q), "d"(r));
  asm("cvt.rn.f32.u32 %0, %1;" : "=f"(from_u32) : "r"(a));
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(from_s32) : "r"(a));
  asm("cvt.f32.f16 %0, %1;" : "=f"(from_half) : "h"(h));
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(to_half) : "f"(x));
  asm("mov.b32 %0, %1;" : "=r"(bits) : "f"(x));
  asm("mov.b32 %0, %1;" : "=f"(real) : "r"(a));
  asm("mov.b64 %0, %1;" : "=l"(long_bits) : "d"(p));
#endif
  rows.put("fma.rn.f32", fma_rn_f32);
  rows.put("fma.rn.f64", fma_rn_f64);
  rows.put("cvt.rn.f32.u32", from_u32);
  rows.put("cvt.rn.f32.s32", from_s32);
  rows.put("cvt.f32.f16", from_half);
  rows.put("cvt.rn.f16.f32", to_half);
  rows.put("mov.b32 of a float", bits);
  rows.put("mov.b32 to a float", real);
  rows.put("mov.b64 of a double", long_bits);
}

__global__ void registers(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  unsigned laneid, lanemask_eq, lanemask_lt, lanemask_le, lanemask_gt, lanemask_ge, tid_x,
      tid_y, tid_z, ntid_x, ntid_y, ntid_z, ctaid_x, ctaid_y, ctaid_z, nctaid_x, nctaid_y,
      nctaid_z;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  laneid = (__lane_id() & 31);
  lanemask_eq = (1u << (__lane_id() & 31));
  lanemask_lt = ((1u << (__lane_id() & 31)) - 1u);
  lanemask_le = ((2u << (__lane_id() & 31)) - 1u);
  lanemask_gt = (~((2u << (__lane_id() & 31)) - 1u));
  lanemask_ge = (~((1u << (__lane_id() & 31)) - 1u));
  tid_x = threadIdx.x;
  tid_y = threadIdx.y;
  tid_z = threadIdx.z;
  ntid_x = blockDim.x;
  ntid_y = blockDim.y;
  ntid_z = blockDim.z;
  ctaid_x = blockIdx.x;
  ctaid_y = blockIdx.y;
  ctaid_z = blockIdx.z;
  nctaid_x = gridDim.x;
  nctaid_y = gridDim.y;
  nctaid_z = gridDim.z;
#else
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(laneid));
  asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(lanemask_eq));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lanemask_lt));
  asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(lanemask_le));
  asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(lanemask_gt));
  asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(lanemask_ge));
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(tid_x));
  asm volatile("mov.u32 %0, %%tid.y;" : "=r"(tid_y));
  asm volatile("mov.u32 %0, %%tid.z;" : "=r"(tid_z));
  asm volatile("mov.u32 %0, %%ntid.x;" : "=r"(ntid_x));
  asm volatile("mov.u32 %0, %%ntid.y;" : "=r"(ntid_y));
  asm volatile("mov.u32 %0, %%ntid.z;" : "=r"(ntid_z));
  asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(ctaid_x));
  asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(ctaid_y));
  asm volatile("mov.u32 %0, %%ctaid.z;" : "=r"(ctaid_z));
  asm volatile("mov.u32 %0, %%nctaid.x;" : "=r"(nctaid_x));
  asm volatile("mov.u32 %0, %%nctaid.y;" : "=r"(nctaid_y));
  asm volatile("mov.u32 %0, %%nctaid.z;" : "=r"(nctaid_z));
#endif
  rows.put("laneid", laneid);
  rows.put("lanemask_eq", lanemask_eq);
  rows.put("lanemask_lt", lanemask_lt);
  rows.put("lanemask_le", lanemask_le);
  rows.put("lanemask_gt", lanemask_gt);
  rows.put("lanemask_ge", lanemask_ge);
  rows.put("tid.x", tid_x);
  rows.put("tid.y", tid_y);
  rows.put("tid.z", tid_z);
  rows.put("ntid.x", ntid_x);
  rows.put("ntid.y", ntid_y);
  rows.put("ntid.z", ntid_z);
  rows.put("ctaid.x", ctaid_x);
  rows.put("ctaid.y", ctaid_y);
  rows.put("ctaid.z", ctaid_z);
  rows.put("nctaid.x", nctaid_x);
  rows.put("nctaid.y", nctaid_y);
  rows.put("nctaid.z", nctaid_z);
}

__global__ void order(const Word *in, Word *out, int n) {
  __shared__ Word kept[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int other = kThreads - 1 - static_cast<int>(threadIdx.x);
  Rows rows{out, n, i, 0};
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  if (n < 0) __builtin_trap();
#else
  if (n < 0) asm volatile("trap;");
#endif
  kept[threadIdx.x] = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  __syncthreads();
#else
  asm volatile("membar.cta;" ::: "memory");
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("membar.sys;" ::: "memory");
  asm volatile("bar.sync 0;" ::: "memory");
#endif
  rows.put("bar.sync after membar", kept[other]);
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  __syncthreads();
#else
  asm volatile("barrier.sync 0;" ::: "memory");
#endif
  kept[threadIdx.x] = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  __syncthreads();
#else
  asm volatile("fence.acq_rel.cta;" ::: "memory");
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("fence.acq_rel.sys;" ::: "memory");
  asm volatile("fence.sc.cta;" ::: "memory");
  asm volatile("fence.sc.gpu;" ::: "memory");
  asm volatile("fence.sc.sys;" ::: "memory");
  asm volatile("barrier.sync 0;" ::: "memory");
#endif
  rows.put("barrier.sync after fences", kept[other]);
}

__global__ void loads(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const Word *at = in + i;
  unsigned ld_global_u32, ld_global_b32, ld_global_u8, ld_global_u16, ld_u32, ld_global_nc_u32,
      ld_global_ca_u32, ld_global_cg_u32, ld_global_cs_u32, ld_global_lu_u32, ld_global_cv_u32,
      ld_volatile_global_u32, ld_global_nc_L1_no_allocate_u32, ldu_global_u32, offset;
  int ld_global_s32, ld_global_s8, ld_global_s16;
  unsigned short ld_global_u16_to_16_bits;
  Word ld_global_u64, ld_global_b64;
  float ld_global_f32, ld_global_b32_to_a_float, ld_global_nc_f32;
  double ld_global_f64;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  ld_global_u32 = *((volatile const unsigned int*)(at));
  ld_global_s32 = *((volatile const int*)(at));
  ld_global_b32 = *((volatile const unsigned int*)(at));
  ld_global_u8 = *((volatile const unsigned char*)(at));
  ld_global_s8 = *((volatile const signed char*)(at));
  ld_global_u16 = *((volatile const unsigned short*)(at));
  ld_global_s16 = *((volatile const short*)(at));
  ld_global_u16_to_16_bits = *((volatile const unsigned short*)(at));
  ld_global_u64 = *((volatile const unsigned long long*)(at));
  ld_global_b64 = *((volatile const unsigned long long*)(at));
  ld_global_f32 = *((volatile const float*)(at));
  ld_global_f64 = *((volatile const double*)(at));
  ld_global_b32_to_a_float = *((volatile const float*)(at));
  ld_u32 = *((volatile const unsigned int*)(at));
  ld_global_nc_u32 = *((const unsigned int*)(at));
  ld_global_nc_f32 = *((const float*)(at));
  ld_global_ca_u32 = *((volatile const unsigned int*)(at));
  ld_global_cg_u32 = *((volatile const unsigned int*)(at));
  ld_global_cs_u32 = *((volatile const unsigned int*)(at));
  ld_global_lu_u32 = *((volatile const unsigned int*)(at));
  ld_global_cv_u32 = *((volatile const unsigned int*)(at));
  ld_volatile_global_u32 = *((volatile const unsigned int*)(at));
  ld_global_nc_L1_no_allocate_u32 = *((const unsigned int*)(at));
  ldu_global_u32 = *((volatile const unsigned int*)(at));
  offset = *((volatile const unsigned int*)((const char*)(at) + 4));
#else
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(ld_global_u32) : "l"(at));
  asm volatile("ld.global.s32 %0, [%1];" : "=r"(ld_global_s32) : "l"(at));
  asm volatile("ld.global.b32 %0, [%1];" : "=r"(ld_global_b32) : "l"(at));
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(ld_global_u8) : "l"(at));
  asm volatile("ld.global.s8 %0, [%1];" : "=r"(ld_global_s8) : "l"(at));
  asm volatile("ld.global.u16 %0, [%1];" : "=r"(ld_global_u16) : "l"(at));
  asm volatile("ld.global.s16 %0, [%1];" : "=r"(ld_global_s16) : "l"(at));
  asm volatile("ld.global.u16 %0, [%1];" : "=h"(ld_global_u16_to_16_bits) : "l"(at));
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(ld_global_u64) : "l"(at));
  asm volatile("ld.global.b64 %0, [%1];" : "=l"(ld_global_b64) : "l"(at));
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(ld_global_f32) : "l"(at));
  asm volatile("ld.global.f64 %0, [%1];" : "=d"(ld_global_f64) : "l"(at));
  asm volatile("ld.global.b32 %0, [%1];" : "=f"(ld_global_b32_to_a_float) : "l"(at));
  asm volatile("ld.u32 %0, [%1];" : "=r"(ld_u32) : "l"(at));
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(ld_global_nc_u32) : "l"(at));
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(ld_global_nc_f32) : "l"(at));
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(ld_global_ca_u32) : "l"(at));
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(ld_global_cg_u32) : "l"(at));
  asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(ld_global_cs_u32) : "l"(at));
  asm volatile("ld.global.lu.u32 %0, [%1];" : "=r"(ld_global_lu_u32) : "l"(at));
  asm volatile("ld.global.cv.u32 %0, [%1];" : "=r"(ld_global_cv_u32) : "l"(at));
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(ld_volatile_global_u32) : "l"(at));
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];"
      : "=r"(ld_global_nc_L1_no_allocate_u32)
      : "l"(at));
  asm volatile("ldu.global.u32 %0, [%1];" : "=r"(ldu_global_u32) : "l"(at));
  asm volatile("ld.global.u32 %0, [%1+4];" : "=r"(offset) : "l"(at));
#endif
  rows.put("ld.global.u32", ld_global_u32);
  rows.put("ld.global.s32", ld_global_s32);
  rows.put("ld.global.b32", ld_global_b32);
  rows.put("ld.global.u8", ld_global_u8);
  rows.put("ld.global.s8", ld_global_s8);
  rows.put("ld.global.u16", ld_global_u16);
  rows.put("ld.global.s16", ld_global_s16);
  rows.put("ld.global.u16 to 16 bits", ld_global_u16_to_16_bits);
  rows.put("ld.global.u64", ld_global_u64);
  rows.put("ld.global.b64", ld_global_b64);
  rows.put("ld.global.f32", ld_global_f32);
  rows.put("ld.global.f64", ld_global_f64);
  rows.put("ld.global.b32 to a float", ld_global_b32_to_a_float);
  rows.put("ld.u32", ld_u32);
  rows.put("ld.global.nc.u32", ld_global_nc_u32);
  rows.put("ld.global.nc.f32", ld_global_nc_f32);
  rows.put("ld.global.ca.u32", ld_global_ca_u32);
  rows.put("ld.global.cg.u32", ld_global_cg_u32);
  rows.put("ld.global.cs.u32", ld_global_cs_u32);
  rows.put("ld.global.lu.u32", ld_global_lu_u32);
  rows.put("ld.global.cv.u32", ld_global_cv_u32);
  rows.put("ld.volatile.global.u32", ld_volatile_global_u32);
  rows.put("ld.global.nc.L1::no_allocate.u32", ld_global_nc_L1_no_allocate_u32);
  rows.put("ldu.global.u32", ldu_global_u32);
  rows.put("ld.global.u32 with an offset", offset);
}

__global__ void vectors(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const Word *at = in + 2 * i;
  unsigned a, b, c, d, e, f;
  float x, y, z, w;
  Word p, q;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  do { const auto in2 = at; a = ((volatile const unsigned int*)(in2))[0]; b = ((volatile const unsigned int*)(in2))[1]; } while (0);
  do { const auto in4 = at; x = ((const float*)(in4))[0]; y = ((const float*)(in4))[1]; z = ((const float*)(in4))[2]; w = ((const float*)(in4))[3]; } while (0);
  do { const auto in4 = at; c = ((volatile const unsigned int*)(in4))[0]; d = ((volatile const unsigned int*)(in4))[1]; e = ((volatile const unsigned int*)(in4))[2]; f = ((volatile const unsigned int*)(in4))[3]; } while (0);
  do { const auto in2 = at; p = ((volatile const unsigned long long*)(in2))[0]; q = ((volatile const unsigned long long*)(in2))[1]; } while (0);
#else
  asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(at));
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
               : "l"(at));
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(c), "=r"(d), "=r"(e), "=r"(f)
               : "l"(at));
  asm volatile("ld.global.v2.u64 {%0, %1}, [%2];" : "=l"(p), "=l"(q) : "l"(at));
#endif
  rows.put("ld.v2.u32, first", a);
  rows.put("ld.v2.u32, second", b);
  rows.put("ld.v4.f32, first", x);
  rows.put("ld.v4.f32, second", y);
  rows.put("ld.v4.f32, third", z);
  rows.put("ld.v4.f32, fourth", w);
  rows.put("ld.v4.u32, first", c);
  rows.put("ld.v4.u32, second", d);
  rows.put("ld.v4.u32, third", e);
  rows.put("ld.v4.u32, fourth", f);
  rows.put("ld.v2.u64, first", p);
  rows.put("ld.v2.u64, second", q);
}

__global__ void stores(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const Word w = in[i];
  const unsigned a = cut<unsigned>(w);
  const unsigned short h = cut<unsigned short>(w);
  const float x = cut<float>(w);
  const double p = cut<double>(w);
  // Each store changes a part of a word that is known before.
  Word *to;
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile unsigned int*)(to)) = a;
#else
  asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("st.global.u32", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile unsigned char*)(to)) = a;
#else
  asm volatile("st.global.u8 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("st.global.u8", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile unsigned short*)(to)) = h;
#else
  asm volatile("st.global.u16 [%0], %1;" ::"l"(to), "h"(h) : "memory");
#endif
  rows.put("st.global.u16", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile unsigned long long*)(to)) = w;
#else
  asm volatile("st.global.u64 [%0], %1;" ::"l"(to), "l"(w) : "memory");
#endif
  rows.put("st.global.u64", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile float*)(to)) = x;
#else
  asm volatile("st.global.f32 [%0], %1;" ::"l"(to), "f"(x) : "memory");
#endif
  rows.put("st.global.f32", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile double*)(to)) = p;
#else
  asm volatile("st.global.f64 [%0], %1;" ::"l"(to), "d"(p) : "memory");
#endif
  rows.put("st.global.f64", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile unsigned int*)(to)) = a;
#else
  asm volatile("st.global.wb.u32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("st.global.wb.u32", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile unsigned int*)(to)) = a;
#else
  asm volatile("st.global.cg.u32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("st.global.cg.u32", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile unsigned int*)(to)) = a;
#else
  asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("st.global.cs.u32", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile unsigned int*)(to)) = a;
#else
  asm volatile("st.global.wt.u32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("st.global.wt.u32", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile unsigned int*)(to)) = a;
#else
  asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("st.volatile.global.u32", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  *((volatile unsigned int*)(to)) = a;
#else
  asm volatile("st.u32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("st.u32", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  do { const auto in0 = to; const auto in1 = a; const auto in2 = ~a; ((unsigned int*)(in0))[0] = in1; ((unsigned int*)(in0))[1] = in2; } while (0);
#else
  asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(a), "r"(~a) : "memory");
#endif
  rows.put("st.global.v2.u32", *to);
  to = rows.cell();
  *to = in[n + i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  do { const auto in0 = to; const auto in1 = x; const auto in2 = -x; ((float*)(in0))[0] = in1; ((float*)(in0))[1] = in2; } while (0);
#else
  asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(x), "f"(-x) : "memory");
#endif
  rows.put("st.global.v2.f32", *to);
}

__global__ void sums(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const Word w = in[n + i];
  const unsigned a = cut<unsigned>(w);
  const float x = cut<float>(w);
  const double p = cut<double>(w);
  unsigned before;
  Word wide_before;
  float real_before;
  double double_before;
  Word *to;
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  atomicAdd(((unsigned int*)(to)), a);
#else
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("red.global.add.u32", *to);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  atomicAdd(((int*)(to)), a);
#else
  asm volatile("red.global.add.s32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("red.global.add.s32", *to);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  atomicAdd(((float*)(to)), x);
#else
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(to), "f"(x) : "memory");
#endif
  rows.put("red.global.add.f32", *to);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  atomicAdd(((unsigned long long*)(to)), w);
#else
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(to), "l"(w) : "memory");
#endif
  rows.put("red.global.add.u64", *to);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  atomicAdd(((double*)(to)), p);
#else
  asm volatile("red.global.add.f64 [%0], %1;" ::"l"(to), "d"(p) : "memory");
#endif
  rows.put("red.global.add.f64", *to);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  atomicAdd(((unsigned int*)(to)), a);
#else
  asm volatile("red.add.u32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
#endif
  rows.put("red.add.u32", *to);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  before = atomicAdd(((unsigned int*)(to)), a);
#else
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(to), "r"(a) : "memory");
#endif
  rows.put("atom.global.add.u32, after", *to);
  rows.put("atom.global.add.u32, before", before);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  before = atomicAdd(((int*)(to)), a);
#else
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(before) : "l"(to), "r"(a) : "memory");
#endif
  rows.put("atom.global.add.s32, after", *to);
  rows.put("atom.global.add.s32, before", before);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  real_before = atomicAdd(((float*)(to)), x);
#else
  asm volatile("atom.global.add.f32 %0, [%1], %2;"
               : "=f"(real_before)
               : "l"(to), "f"(x)
               : "memory");
#endif
  rows.put("atom.global.add.f32, after", *to);
  rows.put("atom.global.add.f32, before", real_before);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  wide_before = atomicAdd(((unsigned long long*)(to)), w);
#else
  asm volatile("atom.global.add.u64 %0, [%1], %2;"
               : "=l"(wide_before)
               : "l"(to), "l"(w)
               : "memory");
#endif
  rows.put("atom.global.add.u64, after", *to);
  rows.put("atom.global.add.u64, before", wide_before);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  double_before = atomicAdd(((double*)(to)), p);
#else
  asm volatile("atom.global.add.f64 %0, [%1], %2;"
               : "=d"(double_before)
               : "l"(to), "d"(p)
               : "memory");
#endif
  rows.put("atom.global.add.f64, after", *to);
  rows.put("atom.global.add.f64, before", double_before);
  to = rows.cell();
  *to = in[i];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  before = atomicAdd(((unsigned int*)(to)), a);
#else
  asm volatile("atom.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(to), "r"(a) : "memory");
#endif
  rows.put("atom.add.u32, after", *to);
  rows.put("atom.add.u32, before", before);
}

template <typename Kernel>
int launch(Kernel kernel, const Word *in, Word *out, int n) {
  kernel<<<n / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}

}  // namespace

// in: 3 rows of n words, out: a row of n words for each put, on the device; n is whole blocks.
extern "C" int run_words32(const Word *in, Word *out, int n) {
  return launch(words32, in, out, n);
}
extern "C" int run_words64(const Word *in, Word *out, int n) {
  return launch(words64, in, out, n);
}
extern "C" int run_fields(const Word *in, Word *out, int n) {
  return launch(fields, in, out, n);
}
extern "C" int run_numbers(const Word *in, Word *out, int n) {
  return launch(numbers, in, out, n);
}
extern "C" int run_registers(const Word *in, Word *out, int n) {
  return launch(registers, in, out, n);
}
extern "C" int run_order(const Word *in, Word *out, int n) { return launch(order, in, out, n); }
extern "C" int run_loads(const Word *in, Word *out, int n) { return launch(loads, in, out, n); }
extern "C" int run_vectors(const Word *in, Word *out, int n) {
  return launch(vectors, in, out, n);
}
extern "C" int run_stores(const Word *in, Word *out, int n) {
  return launch(stores, in, out, n);
}
extern "C" int run_sums(const Word *in, Word *out, int n) { return launch(sums, in, out, n); }
