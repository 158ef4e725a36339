/* everything.c - what compilers make of C that could go wrong when its assembly is rewritten: jump tables, jumps out of functions, thread-local and position
 * independent data, long double, flags that live across blocks, string instructions, atomics, assembly that people wrote, signals. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread long own = 3;
__thread long shared_own = 5;
static jmp_buf there;
static atomic_long counter;
static volatile sig_atomic_t seen;

static void handler(int n) { seen += n; }

__attribute__((noinline)) static int table(int n)
{
    switch (n) {
    case 0: return 7;
    case 1: return 19;
    case 2: return n * 3 + 1;
    case 3: return -4;
    case 4: return 77;
    case 5: return n << 4;
    case 6: return 1000;
    case 7: return n ^ 5;
    default: return 0;
    }
}

__attribute__((noinline)) static long recursive(long n, long more) { return n == 0 ? more : recursive(n - 1, more * 3 + n); }

__attribute__((noinline)) static void deep(int n)
{
    if (n == 0)
        longjmp(there, 42);
    deep(n - 1);
    own++;
}

__attribute__((noinline)) static long double exact(long double x, int n)
{
    long double s = 0;
    for (int i = 1; i <= n; i++)
        s += x / i;
    return s;
}

__attribute__((noinline)) static unsigned __int128 wide(unsigned __int128 a, unsigned __int128 b) { return a * b + (a >> 3) - (b << 7); }

__attribute__((noinline)) static int add(int n, ...)
{
    va_list all;
    va_start(all, n);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(all, int);
    va_end(all);
    return s;
}

struct large {
    char bytes[1000];
};

__attribute__((noinline)) static struct large copy(struct large x, int c)
{
    struct large y = x;
    memset(y.bytes + 10, c, 300);
    memmove(y.bytes + 5, y.bytes, 900);
    return y;
}

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

__attribute__((noinline)) static unsigned rotated(unsigned x, int n)
{
    unsigned out;
    __asm__("roll %%cl, %0" : "=r"(out) : "0"(x), "c"(n) : "cc");
    __asm__ volatile("" ::: "memory");
    return out;
}

__attribute__((noinline)) static double vectors(double *restrict a, const double *restrict b, const int *restrict at, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        a[i] = b[at[i]] * 2 + a[i];
    for (int i = 0; i < n; i++)
        if (a[i] > 3)
            s += a[i];
    return s;
}

__attribute__((noinline)) static long ifs(const long *x, long n)
{
    long s = 0;
    for (long i = 0; i + 1 < n; i++) {
        s += x[i] < x[i + 1] ? x[i] : -x[i + 1];
        s ^= (x[i] > 100) + (uint64_t)x[i + 1] / (uint64_t)(x[i] | 1);
        if (__builtin_add_overflow(s, x[i], &s))
            s = 1;
    }
    return s;
}

int main(int argc, char **argv)
{
    (void)argv;
    long total = 0;
    for (int i = -1; i < 10; i++)
        total += table(i * argc);
    printf("tables %ld\n", total);
    printf("tail calls %ld\n", recursive(40, argc));
    int back = setjmp(there);
    if (back == 0)
        deep(10);
    printf("longjmp %d %ld %ld\n", back, own, ++shared_own);
    printf("long double %.15Lf\n", exact(1.5L, 100));
    unsigned __int128 w = wide((unsigned __int128)argc << 70 | 12345, 987654321987654321u);
    printf("128 bits %llx %llx\n", (unsigned long long)(w >> 64), (unsigned long long)w);
    printf("arguments %d\n", add(9, 1, 2, 3, 4, 5, 6, 7, 8, argc));
    struct large l;
    memset(&l, argc, sizeof l);
    l = copy(l, 9);
    for (size_t i = 0; i < sizeof l.bytes; i++)
        total = total * 31 + l.bytes[i];
    printf("copies %ld\n", total);
    int keys[500];
    for (int i = 0; i < 500; i++)
        keys[i] = i * 7919 % 503;
    qsort(keys, 500, sizeof *keys, order);
    printf("called back %d %d\n", keys[0], keys[499]);
    printf("assembly %u\n", rotated(0x12345678u, argc + 4));
    double a[300], b[300];
    int at[300];
    long x[300];
    for (int i = 0; i < 300; i++)
        a[i] = i * 0.01, b[i] = 300 - i, at[i] = i * 7 % 300, x[i] = i * 7919 % 301 - 150;
    printf("vectors %.6f\n", vectors(a, b, at, 299));
    printf("conditions %ld\n", ifs(x, 300));
    signal(SIGUSR1, handler);
    for (int i = 0; i < 3; i++)
        raise(SIGUSR1);
    for (int i = 0; i < 1000; i++)
        atomic_fetch_add(&counter, i);
    long expected = 499500;
    atomic_compare_exchange_strong(&counter, &expected, 1);
    printf("signals %d, atomics %ld\n", seen / SIGUSR1, (long)counter);
    char text[200];
    snprintf(text, sizeof text, "%s %zu", "strings", strlen("strings"));
    printf("%s %d\n", text, strcmp(text, "strings 7"));
    return total & 3;
}
