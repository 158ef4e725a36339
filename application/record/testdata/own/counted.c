/* counted.c - functions of different kinds, none of which calls a library. */
#include <stdio.h>

static int keys[3000];
static double a[60][60], b[60][60], c[60][60];
static struct node {
    struct node *next;
    long value;
} nodes[997];

__attribute__((noinline, noclone)) static void sorted(int *x, int n)
{
    for (int i = 1; i < n; i++) {
        int key = x[i], j = i - 1;
        for (; j >= 0 && x[j] > key; j--)
            x[j + 1] = x[j];
        x[j + 1] = key;
    }
}

__attribute__((noinline, noclone)) static long chased(const struct node *p, long n)
{
    long s = 0;
    for (long i = 0; i < n; i++, p = p->next)
        s += p->value;
    return s;
}

__attribute__((noinline, noclone)) static void product(void)
{
    for (int i = 0; i < 60; i++)
        for (int k = 0; k < 60; k++)
            for (int j = 0; j < 60; j++)
                c[i][j] += a[i][k] * b[k][j];
}

__attribute__((noinline, noclone)) static long fibonacci(long n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void)
{
    for (int i = 0; i < 3000; i++)
        keys[i] = i * 7919 % 3001;
    for (int i = 0; i < 997; i++)
        nodes[i] = (struct node){&nodes[(i + 331) % 997], i};
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 60; j++)
            a[i][j] = i + j, b[i][j] = i - j;
    sorted(keys, 3000);
    long s = chased(nodes, 20000);
    product();
    printf("%d %ld %f %ld\n", keys[1500], s, c[7][9], fibonacci(18));
    return 0;
}
