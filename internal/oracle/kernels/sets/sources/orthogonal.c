// SPDX-License-Identifier: Apache-2.0
//
// Columns made orthogonal to one another, one after the other, as Gram and Schmidt do.
static double a[N][LD], q[N][LD], r[M][LD];

void orthogonal(void)
{
    for (int k = 0; k < M; k++) {
        double norm = 0.0;
        for (int i = 0; i < N; i++)
            norm += a[i][k] * a[i][k];
        r[k][k] = norm;
        for (int i = 0; i < N; i++)
            q[i][k] = a[i][k] / r[k][k];
        for (int j = k + 1; j < M; j++) {
            for (int i = 0; i < N; i++)
                r[k][j] += q[i][k] * a[i][j];
            for (int i = 0; i < N; i++)
                a[i][j] -= q[i][k] * r[k][j];
        }
    }
}
