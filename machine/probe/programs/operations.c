#include "probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* OPAQUE hides a value from the compiler, in the kind of register that its type lives in. */
#if defined __x86_64__
#define IN_FLOAT "+x"
#elif defined __aarch64__
#define IN_FLOAT "+w"
#else
#define IN_FLOAT "+f"
#endif
#define OPAQUE_F(x) __asm__ volatile("" : IN_FLOAT(x))
#define OPAQUE_I(x) __asm__ volatile("" : "+r"(x))

#if defined __x86_64__ && !defined __FMA__
#define WITH_FMA __attribute__((target("fma")))
static int can_fma(void) { return __builtin_cpu_supports("fma"); }
#else
#define WITH_FMA
static int can_fma(void) {
#if defined __FMA__ || defined __aarch64__ || defined __FP_FAST_FMA
    return 1;
#else
    return 0;
#endif
}
#endif
static int always(void) { return 1; }

typedef double vector64 __attribute__((vector_size(16)));
typedef float vector32 __attribute__((vector_size(16)));

/* Each makes chains of one operation: latency_… a single one of n, throughput_… twelve side by side, 12 n in all. */
#define OPERATION(NAME, TYPE, OPAQUE, START, WITH, EXPRESSION, ATTRIBUTE)                                    \
    ATTRIBUTE static void latency_##NAME(uint64_t n) {                                                       \
        TYPE y = WITH, x = START;                                                                            \
        OPAQUE(y);                                                                                           \
        OPAQUE(x);                                                                                           \
        for (; n >= 4; n -= 4) {                                                                             \
            EXPRESSION(x);                                                                                   \
            OPAQUE(x);                                                                                       \
            EXPRESSION(x);                                                                                   \
            OPAQUE(x);                                                                                       \
            EXPRESSION(x);                                                                                   \
            OPAQUE(x);                                                                                       \
            EXPRESSION(x);                                                                                   \
            OPAQUE(x);                                                                                       \
        }                                                                                                    \
    }                                                                                                        \
    ATTRIBUTE static void throughput_##NAME(uint64_t n) {                                                    \
        TYPE y = WITH, a = START, b = START, c = START, d = START, e = START, f = START, g = START, h = START, \
             i = START, j = START, k = START, l = START;                                                     \
        OPAQUE(y);                                                                                           \
        OPAQUE(a); OPAQUE(b); OPAQUE(c); OPAQUE(d); OPAQUE(e); OPAQUE(f);                                    \
        OPAQUE(g); OPAQUE(h); OPAQUE(i); OPAQUE(j); OPAQUE(k); OPAQUE(l);                                    \
        while (n--) {                                                                                        \
            EXPRESSION(a), EXPRESSION(b), EXPRESSION(c), EXPRESSION(d), EXPRESSION(e), EXPRESSION(f);        \
            EXPRESSION(g), EXPRESSION(h), EXPRESSION(i), EXPRESSION(j), EXPRESSION(k), EXPRESSION(l);        \
            OPAQUE(a); OPAQUE(b); OPAQUE(c); OPAQUE(d); OPAQUE(e); OPAQUE(f);                                \
            OPAQUE(g); OPAQUE(h); OPAQUE(i); OPAQUE(j); OPAQUE(k); OPAQUE(l);                                \
        }                                                                                                    \
    }

#define ADD(x) (x) = (x) + y
#define MUL(x) (x) = (x) * y
#define DIV(x) (x) = (x) / y
#define DIV_INTO(x) (x) = y / (x)
#define SQRT(x) (x) = __builtin_sqrt(x)
#define SQRTF(x) (x) = __builtin_sqrtf(x)
#define FMA(x) (x) = __builtin_fma(x, y, y)
#define FMAF(x) (x) = __builtin_fmaf(x, y, y)

OPERATION(add_int, int, OPAQUE_I, 1, 3, ADD, )
OPERATION(mul_int, int, OPAQUE_I, 3, 5, MUL, )
OPERATION(div_int, int, OPAQUE_I, 3, 2000000000, DIV_INTO, ) /* of about 30 bits, by 3 and by 666666666 in turn */
OPERATION(add_f64, double, OPAQUE_F, 1, 1e-9, ADD, )
OPERATION(mul_f64, double, OPAQUE_F, 1, 1.0000001, MUL, )
OPERATION(div_f64, double, OPAQUE_F, 1.1, 1.0000001, DIV, )
OPERATION(sqrt_f64, double, OPAQUE_F, 1.7, 1, SQRT, )
OPERATION(fma_f64, double, OPAQUE_F, 1, 0.5, FMA, WITH_FMA)
OPERATION(add_f32, float, OPAQUE_F, 1, 1e-9f, ADD, )
OPERATION(mul_f32, float, OPAQUE_F, 1, 1.0001f, MUL, )
OPERATION(div_f32, float, OPAQUE_F, 1.1f, 1.0001f, DIV, )
OPERATION(sqrt_f32, float, OPAQUE_F, 1.7f, 1, SQRTF, )
OPERATION(fma_f32, float, OPAQUE_F, 1, 0.5f, FMAF, WITH_FMA)

/* Functions of the C library, whose values go to a fixed point away from 0, 1 and infinity. */
#define EXP(x) (x) = exp(-(x))
#define LOG(x) (x) = log((x) + y)
#define POW(x) (x) = pow((x), y) + y
#define SIN(x) (x) = sin(x) + y
#define COS(x) (x) = cos(x)
#define EXPF(x) (x) = expf(-(x))
#define LOGF(x) (x) = logf((x) + y)
#define POWF(x) (x) = powf((x), y) + y
#define SINF(x) (x) = sinf(x) + y
#define COSF(x) (x) = cosf(x)
OPERATION(exp_f64, double, OPAQUE_F, 0.6, 0, EXP, )
OPERATION(log_f64, double, OPAQUE_F, 1.1, 2, LOG, )
OPERATION(pow_f64, double, OPAQUE_F, 1.9, 0.7, POW, )
OPERATION(sin_f64, double, OPAQUE_F, 1.9, 1, SIN, )
OPERATION(cos_f64, double, OPAQUE_F, 0.7, 0, COS, )
OPERATION(exp_f32, float, OPAQUE_F, 0.6f, 0, EXPF, )
OPERATION(log_f32, float, OPAQUE_F, 1.1f, 2, LOGF, )
OPERATION(pow_f32, float, OPAQUE_F, 1.9f, 0.7f, POWF, )
OPERATION(sin_f32, float, OPAQUE_F, 1.9f, 1, SINF, )
OPERATION(cos_f32, float, OPAQUE_F, 0.7f, 0, COSF, )

#define TWO(x) ((vector64){x, x})
#define FOUR(x) ((vector32){x, x, x, x})
OPERATION(add_f64x2, vector64, OPAQUE_F, TWO(1), TWO(1e-9), ADD, )
OPERATION(mul_f64x2, vector64, OPAQUE_F, TWO(1), TWO(1.0000001), MUL, )
OPERATION(div_f64x2, vector64, OPAQUE_F, TWO(1.1), TWO(1.0000001), DIV, )
OPERATION(add_f32x4, vector32, OPAQUE_F, FOUR(1), FOUR(1e-9f), ADD, )
OPERATION(mul_f32x4, vector32, OPAQUE_F, FOUR(1), FOUR(1.0001f), MUL, )
OPERATION(div_f32x4, vector32, OPAQUE_F, FOUR(1.1f), FOUR(1.0001f), DIV, )

#define STORES 12
#define PLACES (STORES * 32) /* L1 holds them */
static double place[PLACES] __attribute__((aligned(64)));

/* Twelve loads, or stores, a time. */
static void throughput_load(uint64_t n) {
    const double *at = place;
    __asm__ volatile("" : "+r"(at));
    while (n--) {
        double a = at[0], b = at[1], c = at[2], d = at[3], e = at[4], f = at[5];
        OPAQUE_F(a); OPAQUE_F(b); OPAQUE_F(c); OPAQUE_F(d); OPAQUE_F(e); OPAQUE_F(f);
        __asm__ volatile("" ::: "memory");
        a = at[6], b = at[7], c = at[8], d = at[9], e = at[10], f = at[11];
        OPAQUE_F(a); OPAQUE_F(b); OPAQUE_F(c); OPAQUE_F(d); OPAQUE_F(e); OPAQUE_F(f);
        __asm__ volatile("" ::: "memory");
    }
}

static void throughput_store(uint64_t n) {
    double *at = place, x = 1;
    OPAQUE_F(x);
    while (n--) {
        __asm__ volatile("" : "+r"(at));
        for (int i = 0; i < STORES; i++) {
            at[i] = x;
            OPAQUE_F(x); /* no vector holds two of them */
        }
        __asm__ volatile("" ::: "memory");
        at = at == place + PLACES - STORES ? place : at + STORES; /* none waits for an earlier one to the same place */
    }
}

#define BOTH(NAME, CAN) {#NAME, latency_##NAME, throughput_##NAME, CAN}
static const struct {
    const char *name;
    void (*latency)(uint64_t);
    void (*throughput)(uint64_t);
    int (*can)(void);
} operations[] = {
    BOTH(add_int, always),   BOTH(mul_int, always),   BOTH(div_int, always),   BOTH(add_f64, always),   BOTH(mul_f64, always),
    BOTH(div_f64, always),   BOTH(sqrt_f64, always),  BOTH(fma_f64, can_fma),  BOTH(add_f32, always),   BOTH(mul_f32, always),
    BOTH(div_f32, always),   BOTH(sqrt_f32, always),  BOTH(fma_f32, can_fma),  BOTH(add_f64x2, always), BOTH(mul_f64x2, always),
    BOTH(div_f64x2, always), BOTH(add_f32x4, always), BOTH(mul_f32x4, always), BOTH(div_f32x4, always), {"load", NULL, throughput_load, always},
    {"store", NULL, throughput_store, always},
    BOTH(exp_f64, always),   BOTH(log_f64, always),   BOTH(pow_f64, always),   BOTH(sin_f64, always),   BOTH(cos_f64, always),
    BOTH(exp_f32, always),   BOTH(log_f32, always),   BOTH(pow_f32, always),   BOTH(sin_f32, always),   BOTH(cos_f32, always),
};

/* Bursts of about so many ns, of so many operations a time. */
static void sample(void (*f)(uint64_t), int samples, double ns, int each_time) {
    f(4096);
    double begin = now_ns();
    f(4096);
    double each = (now_ns() - begin) / 4096;
    uint64_t n = each > 0 ? ns / each : 4096;
    n = (n < 4096 ? 4096 : n) / 4 * 4;
    for (int i = 0; i < samples; i++) {
        burst_begin();
        f(n);
        burst_end();
        burst_keep(i, (double)n * each_time);
    }
    burst_answer(samples);
}

/* operation NAME latency|throughput SAMPLES NS: ns an operation */
void operation_command(char *arguments) {
    char name[32], what[16];
    int samples;
    double ns;
    if (sscanf(arguments, "%31s %15s %d %lf", name, what, &samples, &ns) != 4 || samples < 1 || samples > MOST_SAMPLES) {
        refuse("operation NAME latency|throughput SAMPLES NS");
        return;
    }
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(operations[i].name, name))
            continue;
        void (*f)(uint64_t) = strcmp(what, "latency") ? operations[i].throughput : operations[i].latency;
        if (!f || !operations[i].can()) {
            refuse("no %s of %s here", what, name);
            return;
        }
        sample(f, samples, ns, f == operations[i].throughput ? 12 : 1);
        return;
    }
    refuse("no operation %s", name);
}

/* spin SAMPLES NS: ns of an integer addition that waits for the one before, which is a cycle */
void spin_command(char *arguments) {
    int samples;
    double ns;
    if (sscanf(arguments, "%d %lf", &samples, &ns) != 2 || samples < 1 || samples > MOST_SAMPLES) {
        refuse("spin SAMPLES NS");
        return;
    }
    sample(latency_add_int, samples, ns, 1);
}

/* noise NS: of the same work over and over for so long, the median, 90th and 99th percentile and the longest over the shortest */
void noise_command(char *arguments) {
    enum { MOST = 20000 };
    static double times[MOST];
    double ns;
    if (sscanf(arguments, "%lf", &ns) != 1) {
        refuse("noise NS");
        return;
    }
    int n = 0;
    for (double begin = now_ns(); n < MOST && (n < 100 || now_ns() - begin < ns); n++) {
        double t = now_ns();
        latency_add_int(60000);
        times[n] = now_ns() - t;
    }
    for (int gap = n / 2; gap > 0; gap /= 2) /* sorted after Shell */
        for (int i = gap; i < n; i++) {
            double t = times[i];
            int j = i;
            for (; j >= gap && times[j - gap] > t; j -= gap)
                times[j] = times[j - gap];
            times[j] = t;
        }
    double out[] = {times[n / 2] / times[0], times[n * 9 / 10] / times[0], times[(int)(n * 0.99)] / times[0], times[n - 1] / times[0]};
    answer(out, 4);
}
