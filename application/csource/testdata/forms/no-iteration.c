double A[100];

void f(void)
{
    double *p = A;
    int b = 0;
    for (int k = 1; k <= 24; k += 3) {
        for (int i = 0, o = 12; i < 3 && o >= k; i += 3, o -= 2) {
            *p = 1;
            if (++p == A + 6)
                p = A;
        }
        for (int i = 0, o = 12; i < 3 && o >= k; i++, o -= 2)
            A[i] = 1;
        for (int i = k; i < 12; i += 3) {
            *p = 1;
            if (++p == A + 6)
                p = A;
        }
    }
    for (int k = 1; k < 6; k++) {
        for (int i = k; i < 5; i += 2) {
            A[i] = 1;
            if (i % 10 == 0)
                b++;
        }
        A[50] = 1;
    }
}
