/* Vectors as structures of their lanes: what an intrinsic reads, writes and computes, lane by lane. Lane 0 stands for the instruction (parse.VectorLane).
   Integers come in words of 8 bytes whatever an intrinsic calls them; none is taken out of a vector, so that nothing rests on their values. */
#ifndef _IMMINTRIN_H
#define _IMMINTRIN_H 1
#include <mm_malloc.h>

#define L2(f) f(0) f(1)
#define L4(f) L2(f) f(2) f(3)
#define L8(f) L4(f) f(4) f(5) f(6) f(7)
#define L16(f) L8(f) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define FOR_D(i) double x##i;
#define FOR_S(i) float x##i;
#define FOR_I(i) long long x##i;
typedef struct { L2(FOR_D) } __m128d;
typedef struct { L4(FOR_D) } __m256d;
typedef struct { L8(FOR_D) } __m512d;
typedef struct { L4(FOR_S) } __m128;
typedef struct { L8(FOR_S) } __m256;
typedef struct { L16(FOR_S) } __m512;
typedef struct { L2(FOR_I) } __m128i;
typedef struct { L4(FOR_I) } __m256i;
typedef struct { L8(FOR_I) } __m512i;

#define FOR_LOAD(i) r.x##i = p[i];
#define FOR_STORE(i) p[i] = a.x##i;
#define FOR_WORD(i) r.x##i = p->x##i;
#define FOR_KEEP(i) p->x##i = a.x##i;
#define FOR_SPREAD(i) r.x##i = v;
#define FOR_ZERO(i) r.x##i = 0;
#define FOR_COPY(i) r.x##i = a.x##i;
#define FOR_MOVE(i) r.x##i = __builtin_copysign(a.x##i, b.x##i);
#define FOR_SHIFT(i) r.x##i = a.x##i << 1;
#define FOR_ADD(i) r.x##i = a.x##i + b.x##i;
#define FOR_SUB(i) r.x##i = a.x##i - b.x##i;
#define FOR_MUL(i) r.x##i = a.x##i * b.x##i;
#define FOR_DIV(i) r.x##i = a.x##i / b.x##i;
#define FOR_XOR(i) r.x##i = a.x##i ^ b.x##i;
#define FOR_MIN(i) r.x##i = a.x##i < b.x##i ? a.x##i : b.x##i;
#define FOR_MAX(i) r.x##i = a.x##i > b.x##i ? a.x##i : b.x##i;
#define FOR_SQRT(i) r.x##i = __builtin_sqrt(a.x##i);
#define FOR_ROUND(i) r.x##i = __builtin_rint(a.x##i);
#define FOR_MADD(i) r.x##i = a.x##i * b.x##i + c.x##i;
#define FOR_MSUB(i) r.x##i = a.x##i * b.x##i - c.x##i;
#define FOR_NMADD(i) r.x##i = c.x##i - a.x##i * b.x##i;
#define FOR_CHOOSE(i) r.x##i = __builtin_copysign(c.x##i < 0 ? b.x##i : a.x##i, c.x##i);

#define ONE(P, S, V, L, name, f) static inline V P##_##name##_##S(V a) { V r; L(f) return r; }
#define TWO(P, S, V, L, name, f) static inline V P##_##name##_##S(V a, V b) { V r; L(f) return r; }
#define THREE(P, S, V, L, name, f) static inline V P##_##name##_##S(V a, V b, V c) { V r; L(f) return r; }
#define NUMBERED(P, S, V, L, name, f) static inline V P##_##name##_##S(V a, V b, int n) { V r; L(f) return r; }
#define LOADS(P, S, V, E, L, name, f) static inline V P##_##name##_##S(const E *p) { V r; L(f) return r; }
#define STORES(P, S, V, E, L, name, f) static inline void P##_##name##_##S(E *p, V a) { L(f) }

#define VECTORS(P, S, V, E, L) \
  LOADS(P, S, V, E, L, load, FOR_LOAD) LOADS(P, S, V, E, L, loadu, FOR_LOAD) \
  STORES(P, S, V, E, L, store, FOR_STORE) STORES(P, S, V, E, L, storeu, FOR_STORE) STORES(P, S, V, E, L, stream, FOR_STORE) \
  static inline V P##_set1_##S(E v) { V r; L(FOR_SPREAD) return r; } \
  static inline V P##_setzero_##S(void) { V r; L(FOR_ZERO) return r; } \
  static inline V P##_undefined_##S(void) { V r; L(FOR_ZERO) return r; } \
  TWO(P, S, V, L, add, FOR_ADD) TWO(P, S, V, L, sub, FOR_SUB) TWO(P, S, V, L, mul, FOR_MUL) TWO(P, S, V, L, div, FOR_DIV) \
  TWO(P, S, V, L, min, FOR_MIN) TWO(P, S, V, L, max, FOR_MAX) ONE(P, S, V, L, sqrt, FOR_SQRT) \
  TWO(P, S, V, L, and, FOR_MOVE) TWO(P, S, V, L, or, FOR_MOVE) TWO(P, S, V, L, xor, FOR_MOVE) TWO(P, S, V, L, andnot, FOR_MOVE) \
  TWO(P, S, V, L, unpacklo, FOR_MOVE) TWO(P, S, V, L, unpackhi, FOR_MOVE) NUMBERED(P, S, V, L, shuffle, FOR_MOVE) \
  ONE(P, S, V, L, floor, FOR_ROUND) ONE(P, S, V, L, ceil, FOR_ROUND) \
  static inline V P##_permute_##S(V a, int n) { V b = a, r; L(FOR_MOVE) return r; } \
  THREE(P, S, V, L, fmadd, FOR_MADD) THREE(P, S, V, L, fmsub, FOR_MSUB) THREE(P, S, V, L, fnmadd, FOR_NMADD)
VECTORS(_mm, pd, __m128d, double, L2)
VECTORS(_mm256, pd, __m256d, double, L4)
VECTORS(_mm512, pd, __m512d, double, L8)
VECTORS(_mm, ps, __m128, float, L4)
VECTORS(_mm256, ps, __m256, float, L8)
VECTORS(_mm512, ps, __m512, float, L16)
/* what AVX-512 does by masks */
#define CHOICES(P, S, V, L) \
  static inline V P##_round_##S(V a, int n) { V r; L(FOR_ROUND) return r; } \
  THREE(P, S, V, L, blendv, FOR_CHOOSE) NUMBERED(P, S, V, L, blend, FOR_MOVE) NUMBERED(P, S, V, L, cmp, FOR_MOVE)
CHOICES(_mm, pd, __m128d, L2)
CHOICES(_mm256, pd, __m256d, L4)
CHOICES(_mm, ps, __m128, L4)
CHOICES(_mm256, ps, __m256, L8)
#define COMPARISONS(S, V, L) \
  TWO(_mm, S, V, L, cmplt, FOR_MOVE) TWO(_mm, S, V, L, cmple, FOR_MOVE) TWO(_mm, S, V, L, cmpgt, FOR_MOVE) TWO(_mm, S, V, L, cmpge, FOR_MOVE) TWO(_mm, S, V, L, cmpeq, FOR_MOVE)
COMPARISONS(pd, __m128d, L2)
COMPARISONS(ps, __m128, L4)

static inline __m128d _mm_set_pd(double e1, double e0) { __m128d r; r.x0 = e0; r.x1 = e1; return r; }
static inline __m128d _mm_setr_pd(double e0, double e1) { return _mm_set_pd(e1, e0); }
static inline __m256d _mm256_set_pd(double e3, double e2, double e1, double e0) { __m256d r; r.x0 = e0; r.x1 = e1; r.x2 = e2; r.x3 = e3; return r; }
static inline __m256d _mm256_setr_pd(double e0, double e1, double e2, double e3) { return _mm256_set_pd(e3, e2, e1, e0); }
static inline __m512d _mm512_set_pd(double e7, double e6, double e5, double e4, double e3, double e2, double e1, double e0) {
  __m512d r; r.x0 = e0; r.x1 = e1; r.x2 = e2; r.x3 = e3; r.x4 = e4; r.x5 = e5; r.x6 = e6; r.x7 = e7; return r; }
static inline __m128 _mm_set_ps(float e3, float e2, float e1, float e0) { __m128 r; r.x0 = e0; r.x1 = e1; r.x2 = e2; r.x3 = e3; return r; }
static inline __m128 _mm_setr_ps(float e0, float e1, float e2, float e3) { return _mm_set_ps(e3, e2, e1, e0); }
static inline __m256 _mm256_set_ps(float e7, float e6, float e5, float e4, float e3, float e2, float e1, float e0) {
  __m256 r; r.x0 = e0; r.x1 = e1; r.x2 = e2; r.x3 = e3; r.x4 = e4; r.x5 = e5; r.x6 = e6; r.x7 = e7; return r; }
static inline __m256 _mm256_setr_ps(float e0, float e1, float e2, float e3, float e4, float e5, float e6, float e7) { return _mm256_set_ps(e7, e6, e5, e4, e3, e2, e1, e0); }

#define SPREADS(P, name, V, E, L) static inline V P##_##name(const E *p) { V r; E v = *p; L(FOR_SPREAD) return r; }
SPREADS(_mm, load1_pd, __m128d, double, L2) SPREADS(_mm, load_pd1, __m128d, double, L2) SPREADS(_mm, loaddup_pd, __m128d, double, L2)
SPREADS(_mm256, broadcast_sd, __m256d, double, L4)
SPREADS(_mm, load1_ps, __m128, float, L4) SPREADS(_mm, load_ps1, __m128, float, L4) SPREADS(_mm, broadcast_ss, __m128, float, L4)
SPREADS(_mm256, broadcast_ss, __m256, float, L8)

static inline __m128d _mm_hadd_pd(__m128d a, __m128d b) { __m128d r; r.x0 = a.x0 + a.x1; r.x1 = b.x0 + b.x1; return r; }
static inline __m256d _mm256_hadd_pd(__m256d a, __m256d b) { __m256d r; r.x0 = a.x0 + a.x1; r.x1 = b.x0 + b.x1; r.x2 = a.x2 + a.x3; r.x3 = b.x2 + b.x3; return r; }
static inline __m128 _mm_hadd_ps(__m128 a, __m128 b) { __m128 r; r.x0 = a.x0 + a.x1; r.x1 = a.x2 + a.x3; r.x2 = b.x0 + b.x1; r.x3 = b.x2 + b.x3; return r; }
static inline __m256 _mm256_hadd_ps(__m256 a, __m256 b) {
  __m256 r; r.x0 = a.x0 + a.x1; r.x1 = a.x2 + a.x3; r.x2 = b.x0 + b.x1; r.x3 = b.x2 + b.x3; r.x4 = a.x4 + a.x5; r.x5 = a.x6 + a.x7; r.x6 = b.x4 + b.x5; r.x7 = b.x6 + b.x7; return r; }
static inline __m128 _mm_movehdup_ps(__m128 a) { __m128 b = a, r; L4(FOR_MOVE) return r; }
static inline __m128 _mm_movehl_ps(__m128 a, __m128 b) { __m128 r; L4(FOR_MOVE) return r; }
static inline __m256d _mm256_permute4x64_pd(__m256d a, int n) { __m256d b = a, r; L4(FOR_MOVE) return r; }
static inline __m256d _mm256_permute2f128_pd(__m256d a, __m256d b, int n) { __m256d r; L4(FOR_MOVE) return r; }
static inline __m256 _mm256_permute2f128_ps(__m256 a, __m256 b, int n) { __m256 r; L8(FOR_MOVE) return r; }
static inline __m256d _mm256_movedup_pd(__m256d a) { __m256d b = a, r; L4(FOR_MOVE) return r; }
static inline __m128d _mm_movedup_pd(__m128d a) { __m128d b = a, r; L2(FOR_MOVE) return r; }
static inline __m256d _mm256_addsub_pd(__m256d a, __m256d b) { __m256d r; L4(FOR_ADD) return r; }
static inline __m128d _mm_addsub_pd(__m128d a, __m128d b) { __m128d r; L2(FOR_ADD) return r; }
static inline __m256d _mm256_fmaddsub_pd(__m256d a, __m256d b, __m256d c) { __m256d r; L4(FOR_MADD) return r; }

static inline double _mm_cvtsd_f64(__m128d a) { return a.x0; }
static inline double _mm256_cvtsd_f64(__m256d a) { return a.x0; }
static inline double _mm512_cvtsd_f64(__m512d a) { return a.x0; }
static inline float _mm_cvtss_f32(__m128 a) { return a.x0; }
static inline float _mm256_cvtss_f32(__m256 a) { return a.x0; }
static inline float _mm512_cvtss_f32(__m512 a) { return a.x0; }
static inline __m128d _mm256_castpd256_pd128(__m256d a) { __m128d r; L2(FOR_COPY) return r; }
static inline __m128 _mm256_castps256_ps128(__m256 a) { __m128 r; L4(FOR_COPY) return r; }
static inline __m256d _mm512_castpd512_pd256(__m512d a) { __m256d r; L4(FOR_COPY) return r; }
static inline __m128d _mm256_extractf128_pd(__m256d a, int n) { __m128d r; r.x0 = __builtin_copysign(a.x2, a.x0); r.x1 = a.x3; return r; }
static inline __m128 _mm256_extractf128_ps(__m256 a, int n) { __m128 r; r.x0 = __builtin_copysign(a.x4, a.x0); r.x1 = a.x5; r.x2 = a.x6; r.x3 = a.x7; return r; }
static inline __m256d _mm512_extractf64x4_pd(__m512d a, int n) { __m256d r; r.x0 = __builtin_copysign(a.x4, a.x0); r.x1 = a.x5; r.x2 = a.x6; r.x3 = a.x7; return r; }
static inline __m256d _mm256_cvtps_pd(__m128 a) { __m256d r; L4(FOR_COPY) return r; }
static inline __m128 _mm256_cvtpd_ps(__m256d a) { __m128 r; L4(FOR_COPY) return r; }
static inline double _mm512_reduce_add_pd(__m512d a) { return ((a.x0 + a.x1) + (a.x2 + a.x3)) + ((a.x4 + a.x5) + (a.x6 + a.x7)); }
static inline float _mm512_reduce_add_ps(__m512 a) {
  return (((a.x0 + a.x1) + (a.x2 + a.x3)) + ((a.x4 + a.x5) + (a.x6 + a.x7))) + (((a.x8 + a.x9) + (a.x10 + a.x11)) + ((a.x12 + a.x13) + (a.x14 + a.x15))); }
static inline double _mm512_reduce_max_pd(__m512d a) { return __builtin_fmax(__builtin_fmax(__builtin_fmax(a.x0, a.x1), __builtin_fmax(a.x2, a.x3)), __builtin_fmax(__builtin_fmax(a.x4, a.x5), __builtin_fmax(a.x6, a.x7))); }

#define FIRST(S, V, E, T) \
  static inline V _mm_load_##T(const E *p) { V r = _mm_setzero_##S(); r.x0 = p[0]; return r; } \
  static inline void _mm_store_##T(E *p, V a) { p[0] = a.x0; } \
  static inline V _mm_set_##T(E v) { V r = _mm_setzero_##S(); r.x0 = v; return r; } \
  static inline V _mm_add_##T(V a, V b) { V r = a; r.x0 = a.x0 + b.x0; return r; } \
  static inline V _mm_sub_##T(V a, V b) { V r = a; r.x0 = a.x0 - b.x0; return r; } \
  static inline V _mm_mul_##T(V a, V b) { V r = a; r.x0 = a.x0 * b.x0; return r; } \
  static inline V _mm_div_##T(V a, V b) { V r = a; r.x0 = a.x0 / b.x0; return r; } \
  static inline V _mm_min_##T(V a, V b) { V r = a; r.x0 = a.x0 < b.x0 ? a.x0 : b.x0; return r; } \
  static inline V _mm_max_##T(V a, V b) { V r = a; r.x0 = a.x0 > b.x0 ? a.x0 : b.x0; return r; } \
  static inline V _mm_fmadd_##T(V a, V b, V c) { V r = a; r.x0 = a.x0 * b.x0 + c.x0; return r; }
FIRST(pd, __m128d, double, sd)
FIRST(ps, __m128, float, ss)

#define WORDS(P, V, S, L) \
  LOADS(P, S, V, V, L, load, FOR_WORD) LOADS(P, S, V, V, L, loadu, FOR_WORD) LOADS(P, S, V, V, L, stream_load, FOR_WORD) \
  STORES(P, S, V, V, L, store, FOR_KEEP) STORES(P, S, V, V, L, storeu, FOR_KEEP) STORES(P, S, V, V, L, stream, FOR_KEEP) \
  static inline V P##_setzero_##S(void) { V r; L(FOR_ZERO) return r; } \
  TWO(P, S, V, L, and, FOR_XOR) TWO(P, S, V, L, or, FOR_XOR) TWO(P, S, V, L, xor, FOR_XOR) TWO(P, S, V, L, andnot, FOR_XOR) \
  INTEGERS(P, V, L, 8) INTEGERS(P, V, L, 16) INTEGERS(P, V, L, 32) INTEGERS(P, V, L, 64) \
  SATURATED(P, V, L, 8) SATURATED(P, V, L, 16) \
  SHIFTED(P, V, L, 16) SHIFTED(P, V, L, 32) SHIFTED(P, V, L, 64) \
  SPREAD(P, V, L, epi8) SPREAD(P, V, L, epi16) SPREAD(P, V, L, epi32)
#define INTEGERS(P, V, L, B) \
  TWO(P, epi##B, V, L, add, FOR_ADD) TWO(P, epi##B, V, L, sub, FOR_SUB) \
  TWO(P, epi##B, V, L, min, FOR_MIN) TWO(P, epi##B, V, L, max, FOR_MAX) TWO(P, epu##B, V, L, min, FOR_MIN) TWO(P, epu##B, V, L, max, FOR_MAX) \
  TWO(P, epi##B, V, L, unpacklo, FOR_XOR) TWO(P, epi##B, V, L, unpackhi, FOR_XOR)
#define SATURATED(P, V, L, B) \
  TWO(P, epu##B, V, L, adds, FOR_ADD) TWO(P, epu##B, V, L, subs, FOR_SUB) TWO(P, epi##B, V, L, adds, FOR_ADD) TWO(P, epi##B, V, L, subs, FOR_SUB) TWO(P, epu##B, V, L, avg, FOR_ADD)
#define SHIFTED(P, V, L, B) \
  TWO(P, epi##B, V, L, mullo, FOR_MUL) \
  static inline V P##_slli_epi##B(V a, int n) { V r; L(FOR_SHIFT) return r; } \
  static inline V P##_srli_epi##B(V a, int n) { V r; L(FOR_SHIFT) return r; } \
  static inline V P##_srai_epi##B(V a, int n) { V r; L(FOR_SHIFT) return r; }
#define SPREAD(P, V, L, S) static inline V P##_set1_##S(long long v) { V r; L(FOR_SPREAD) return r; }
WORDS(_mm, __m128i, si128, L2)
WORDS(_mm256, __m256i, si256, L4)
WORDS(_mm512, __m512i, si512, L8)
#define EQUALS(P, V, L, B) TWO(P, epi##B, V, L, cmpeq, FOR_XOR) TWO(P, epi##B, V, L, cmpgt, FOR_XOR)
EQUALS(_mm, __m128i, L2, 8) EQUALS(_mm, __m128i, L2, 16) EQUALS(_mm, __m128i, L2, 32) EQUALS(_mm, __m128i, L2, 64)
EQUALS(_mm256, __m256i, L4, 8) EQUALS(_mm256, __m256i, L4, 16) EQUALS(_mm256, __m256i, L4, 32) EQUALS(_mm256, __m256i, L4, 64)
LOADS(_mm, si128, __m128i, __m128i, L2, lddqu, FOR_WORD)
LOADS(_mm256, si256, __m256i, __m256i, L4, lddqu, FOR_WORD)
SPREAD(_mm, __m128i, L2, epi64x)
SPREAD(_mm256, __m256i, L4, epi64x)
SPREAD(_mm512, __m512i, L8, epi64)

#define _mm_prefetch(p, hint) ((void)0)
#define _mm_pause() ((void)0)
#define _mm_sfence() ((void)0)
#define _mm_mfence() ((void)0)
#define _mm_lfence() ((void)0)
#define _mm256_zeroupper() ((void)0)
#define _mm256_zeroall() ((void)0)
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _MM_SHUFFLE(z, y, x, w) (((z) << 6) | ((y) << 4) | ((x) << 2) | (w))
#define _CMP_EQ_OQ 0
#define _CMP_LT_OS 1
#define _CMP_LT_OQ 17
#define _CMP_LE_OS 2
#define _CMP_LE_OQ 18
#define _CMP_GT_OS 14
#define _CMP_GT_OQ 30
#define _CMP_GE_OQ 29
#define _CMP_NEQ_UQ 4
#endif
