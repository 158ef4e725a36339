double in[1000], out[1000];

static void take(int n, int cap, int from)
{
    for (int i = from, o = 0; i + 1 < n && o < cap; i += 2, o++)
        out[o] = in[i] + in[i + 1];
    for (int i = n - 1, o = cap; i > from && o >= 0; i -= 3, o--)
        out[o] = in[i];
    for (int i = from, o = 0; i < n && o != cap; i += 2, o++)
        out[o] = in[i];
    int i = from, o = 3;
    while (1) {
        if (o >= cap || i + 1 >= n)
            break;
        out[o] = in[i];
        i += 2;
        o += 3;
    }
    i = 0, o = from;
    do {
        out[o] = in[i];
        i += 2;
        o += 5;
    } while (o < cap && i < n);
    for (int a = from, b = n - 1; a < b && a < cap; a += 3, b -= 2)
        out[a] = in[b];
    double *p = in + from, *q = out;
    for (; p < in + n && q < out + cap; p += 2, q++)
        *q = *p;
    for (unsigned k = 0, w = 0; k + 1 < (unsigned)n && w < (unsigned)cap; k += 2, w++)
        out[w] = in[k];
}

void f(void)
{
    take(1000, 90, 0);
    take(100, 900, 1);
    for (int k = 0; k < 7; k++)
        take(50, 20, k);
}
