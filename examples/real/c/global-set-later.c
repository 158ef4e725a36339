// What main sets only after the call that leads to a loop is not what the loop sees: a flag, and a number of steps that begins as nothing. What is set
// before is.
#include <stdio.h>

static double a[100], b[100], c[100];
static int verbose, extra, count;

static void step(void)
{
    for (int i = 0; i < count; i++)
        a[i] = a[i] + 1;
    if (verbose)
        for (int i = 0; i < 100; i++)
            b[i] = b[i] + a[i];
    for (int i = 0; i < extra; i++)
        c[i] = 1;
}

static void work(void)
{
    step();
}

int main(void)
{
    count = 64;
    work(); /* region */
    verbose = 1;
    extra = 50;
    printf("%g %d %d\n", a[3], verbose, extra);
    return 0;
}
