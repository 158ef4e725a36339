// Conditions that step what they compare, up and down, before and behind, and what is left in the variable after the loop.
static double a[300], b[300];

static void steps(int n, int none)
{
    int i = 0;
    while (i++ < n)
        a[i] = b[i];
    a[i] = a[i] + 1; /* n + 1 */
    i = 0;
    while (i++ <= n)
        a[i] = a[i] + b[i + 1];
    b[i] = 1; /* n + 2 */
    i = -1;
    while (++i < n)
        a[i + 150] = b[i + 150];
    a[i + 150] = 2;
    i = n;
    while (--i >= 3)
        b[i] = b[i] + 2;
    b[i + 200] = 3; /* 2 */
    i = n;
    while (i-- > 5)
        a[i] = a[i] + 3;
    a[i + 200] = 4; /* 4 */
    i = n;
    while (n / 2 < i--)
        b[i] = b[i] + a[i];
    for (int k = n; k--;)
        a[k + 100] = k;
    i = 7;
    while (i++ < none) /* runs not */
        a[0] = 9;
    a[i] = 5; /* 8 */
    int m = none;
    while (m-- > 0)
        b[0] = 9;
    b[m + 2] = 6;
}

int main(void)
{
    steps(90, 0); /* region */
    return a[8] != 5;
}
