// SPDX-License-Identifier: Apache-2.0
//
// One number of eight in an array of structures: an eighth of each line is used.
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
        cells[i].density = (double)(i % 11 + 1) / 11;
        cells[i].mass = 1.0;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += cells[i].density * (i % 7 + 1);
    return sum;
}

static void kernel_cells_one_member(void)
{
    for (int i = 0; i < N; i++)
        cells[i].density = cells[i].density * 0.5;
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_cells_one_member();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
