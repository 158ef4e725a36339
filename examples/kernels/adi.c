// SPDX-License-Identifier: Apache-2.0
//
// Alternating direction implicit method for the heat equation u_t = u_xx + u_yy with u = 1 on the border: every
// time step solves tridiagonal systems along the columns, then along the rows, by elimination (p, q) and back
// substitution. All threads run the time loop in one parallel region; the lines of each sweep are parallel.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(8, 40, 100, 500, 1000)
#endif
#ifndef N
#define N SIZE(20, 60, 200, 1000, 2000)
#endif

static double u[N][N];
static double v[N][N];
static double p[N][N];
static double q[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            u[i][j] = (double)((i + N - j) % 17 + 1) / 17;
}

static void kernel_adi(void)
{
    int t, i, j;
    double dx = 1.0 / N;
    double dt = 1.0 / TSTEPS;
    double mu = dt / (dx * dx);
    double a = -mu;
    double b = 1.0 + 2.0 * mu;
    double d = -mu / 2.0;
    double e = 1.0 + mu;
#pragma scop
#pragma omp parallel private(t, i, j)
    for (t = 1; t <= TSTEPS; t++) {
#pragma omp for
        for (i = 1; i < N - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (j = 1; j < N - 1; j++) {
                p[i][j] = -d / (d * p[i][j - 1] + e);
                q[i][j] = (-a / 2.0 * u[j][i - 1] + (1.0 + a) * u[j][i] - a / 2.0 * u[j][i + 1] - d * q[i][j - 1]) /
                          (d * p[i][j - 1] + e);
            }
            v[N - 1][i] = 1.0;
            for (j = N - 2; j >= 1; j--)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
#pragma omp for
        for (i = 1; i < N - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (j = 1; j < N - 1; j++) {
                p[i][j] = -a / (a * p[i][j - 1] + b);
                q[i][j] = (-d * v[i - 1][j] + (1.0 + 2.0 * d) * v[i][j] - d * v[i + 1][j] - a * q[i][j - 1]) /
                          (a * p[i][j - 1] + b);
            }
            u[i][N - 1] = 1.0;
            for (j = N - 2; j >= 1; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_adi();
        harness_stop();
    }
    harness_report(checksum(&u[0][0], N * N));
    return 0;
}
