// SPDX-License-Identifier: Apache-2.0
//
// Gravity among N bodies, all pairs, with softening: velocities from the sum of the forces, then positions from
// velocities. The bodies are an array of structures of seven numbers, so a line holds little more than one
// body. The bodies are parallel in both loops of every step.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(3, 6, 8, 10, 10)
#endif
#ifndef N
#define N SIZE(60, 250, 1000, 4000, 16000)
#endif

struct particle {
    double x, y, z;
    double vx, vy, vz;
    double mass;
};

static struct particle body[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        body[i].x = (double)(i * 7 % 101) / 10;
        body[i].y = (double)(i * 13 % 103) / 10;
        body[i].z = (double)(i * 29 % 107) / 10;
        body[i].vx = (double)(i % 5) / 50;
        body[i].vy = (double)(i % 3) / 30;
        body[i].vz = 0.0;
        body[i].mass = (double)(i % 4 + 1) / 4;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += (body[i].x + body[i].y * 2 + body[i].z * 3) * (i % 7 + 1);
    return sum;
}

static void kernel_particles_aos(double dt, double soft)
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
                double dx = body[j].x - body[i].x;
                double dy = body[j].y - body[i].y;
                double dz = body[j].z - body[i].z;
                double r2 = dx * dx + dy * dy + dz * dz + soft;
                double f = body[j].mass / (r2 * sqrt(r2));
                ax += f * dx;
                ay += f * dy;
                az += f * dz;
            }
            body[i].vx += dt * ax;
            body[i].vy += dt * ay;
            body[i].vz += dt * az;
        }
#pragma omp for
        for (i = 0; i < N; i++) {
            body[i].x += dt * body[i].vx;
            body[i].y += dt * body[i].vy;
            body[i].z += dt * body[i].vz;
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_particles_aos(0.01, 0.1);
        harness_stop();
    }
    harness_report(total());
    return 0;
}
