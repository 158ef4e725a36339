static float in[32][32], col[32][32], a[400];
static int at[40];

void f(void)
{
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++)
            if ((unsigned)(x - 1) < 32 && (unsigned)(y + 1) < 32)
                col[y][x] = in[y + 1][x - 1];
    for (unsigned i = 0; i < 50; i++) {
        if (i - 5 < 10)
            a[i] = 1;
        if (i - 5 >= 20)
            a[i + 100] = 1;
        if (i - 7 == 4294967293u)
            a[i] = 3;
    }
    for (int i = 0; i < 400; i++) {
        a[(unsigned char)i] = 1;
        a[(signed char)i + 128] = 2;
        unsigned char u = i * 10;
        a[u] = 3;
        a[(unsigned char)(i - 20) + 1] = 1;
        at[(unsigned)(i - 200) % 40] = 1;
    }
}
