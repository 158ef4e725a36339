/* loops.c - loops that are logged as a whole, over an array that nothing else accesses. */
#include <stdio.h>

static double a[4096];

#define ALONE __attribute__((noinline))

ALONE static double up(long n)
{
    double s = 0;
    for (long i = 0; i < n; i++)
        s += a[i];
    return s;
}

ALONE static void down(long n)
{
    for (double *p = a + n; p-- > a;)
        *p = 1;
}

ALONE static void apart(long n, double by)
{
    for (long i = 0; i < n; i++)
        a[3 * i] += by;
}

ALONE static void both(long n)
{
    for (long i = 0; i < n; i++)
        a[i] = a[2 * n - i];
}

ALONE static unsigned counted(unsigned n)
{
    unsigned x = 1;
    for (unsigned k = 0; k < n; k++)
        x = x * 1664525 + (x >> 7);
    return x;
}

int main(void)
{
    static const long times[] = {1, 2, 3, 7, 1000};
    double s = 0;
    for (int t = 0; t < 5; t++) {
        down(times[t]);
        s += up(times[t]);
        apart(times[t], s);
        both(times[t]);
        s += counted((unsigned)times[t]) % 8;
    }
    printf("%p\n", (void *)a);
    return s < 0;
}
