#include <stdio.h>
enum { N = 997 };
static double x[N];
static float xf[N];
static int ix[N], xi[N], yi[N];
static long lx[N], xl[N];
static double y[N];
static float yf[N];

/* Each element is gathered where it stands alone between the array's accesses: what is read of x, xf, xi and xl, and written to xl at last, is one
 * access for each index that is used. */
#define ALONE __attribute__((noinline)) static void
ALONE narrow(int n) { for (int i = 0; i < n; i++) y[i] += x[ix[i]]; }
ALONE wide(int n) { for (int i = 0; i < n; i++) y[i] += x[lx[i]]; }
ALONE floats(int n) { for (int i = 0; i < n; i++) yf[i] += xf[ix[i]]; }
ALONE few(int n) { for (int i = 0; i < n; i++) yf[i] += xf[lx[i]]; }
ALONE some(int n) { for (int i = 0; i < n; i++) if (ix[i] & 1) y[i] += x[ix[i]]; }
ALONE integers(int n) { for (int i = 0; i < n; i++) if (ix[i] % 3) yi[i] += xi[ix[i]]; }
ALONE spread(int n) { for (int i = 0; i < n; i++) if (lx[i] & 2) xl[lx[i]] = i; }
__attribute__((noinline)) static double stack(int n)
{
    double t[64], s = 0;
    for (int i = 0; i < 64; i++) t[i] = i;
    __asm__ volatile("" : : "r"(t) : "memory");
    for (int i = 0; i < n; i++) s += t[ix[i] & 63];
    return s;
}

int main(void)
{
    unsigned s = 1;
    for (int i = 0; i < N; i++) {
        s = s * 1664525u + 1013904223u;
        ix[i] = (s >> 8) % N, lx[i] = (s >> 12) % N;
        y[i] = yf[i] = yi[i] = i;
    }
    narrow(N); wide(N - 3); floats(N - 1); few(N); some(N - 2); integers(N); spread(N);
    double sum = stack(N - 5);
    for (int i = 0; i < N; i++) sum += y[i] * i + yf[i] + yi[i];
    printf("%p %p %p %p %.15g\n", (void *)x, (void *)xf, (void *)xi, (void *)xl, sum);
    return 0;
}
