// SPDX-License-Identifier: Apache-2.0
//
// Gravity among N bodies, all pairs, with softening: velocities from the sum of the forces, then positions from
// velocities. The bodies are a structure of arrays: each coordinate has an array of its own. The bodies are
// parallel in both loops of every step.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(3, 6, 8, 10, 10)
#endif
#ifndef N
#define N SIZE(60, 250, 1000, 4000, 16000)
#endif

static double x[N];
static double y[N];
static double z[N];
static double vx[N];
static double vy[N];
static double vz[N];
static double mass[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = (double)(i * 7 % 101) / 10;
        y[i] = (double)(i * 13 % 103) / 10;
        z[i] = (double)(i * 29 % 107) / 10;
        vx[i] = (double)(i % 5) / 50;
        vy[i] = (double)(i % 3) / 30;
        vz[i] = 0.0;
        mass[i] = (double)(i % 4 + 1) / 4;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += (x[i] + y[i] * 2 + z[i] * 3) * (i % 7 + 1);
    return sum;
}

static void kernel_particles_soa(double dt, double soft)
{
    int t, i, j;
#pragma scop
#pragma omp parallel private(t, i, j)
    for (t = 0; t < TSTEPS; t++) {
#pragma omp for
        for (i = 0; i < N; i++) {
            double ax = 0.0;
            double ay = 0.0;
            double az = 0.0;
            for (j = 0; j < N; j++) {
                double dx = x[j] - x[i];
                double dy = y[j] - y[i];
                double dz = z[j] - z[i];
                double r2 = dx * dx + dy * dy + dz * dz + soft;
                double f = mass[j] / (r2 * sqrt(r2));
                ax += f * dx;
                ay += f * dy;
                az += f * dz;
            }
            vx[i] += dt * ax;
            vy[i] += dt * ay;
            vz[i] += dt * az;
        }
#pragma omp for
        for (i = 0; i < N; i++) {
            x[i] += dt * vx[i];
            y[i] += dt * vy[i];
            z[i] += dt * vz[i];
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_particles_soa(0.01, 0.1);
        harness_stop();
    }
    harness_report(total());
    return 0;
}
