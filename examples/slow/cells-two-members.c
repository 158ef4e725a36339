// SPDX-License-Identifier: Apache-2.0
//
// Two numbers of eight in an array of structures, by all threads.
// Expert: structure of arrays
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(1000, 10000, 100000, 2000000, 4000000)
#endif

struct cell {
    double density, pressure, vx, vy, vz, energy, mass, flux;
};

static struct cell cells[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        cells[i].energy = (double)(i % 11 + 1) / 11;
        cells[i].mass = (double)(i % 7 + 1) / 7;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += cells[i].energy * (i % 7 + 1);
    return sum;
}

static void kernel_cells_two_members(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        cells[i].energy = cells[i].energy + 0.5 * cells[i].mass;
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_cells_two_members();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
