// SPDX-License-Identifier: Apache-2.0
/* particles.c - particles in cells: fields gathered at particles, which move, and charge scattered back. usage: particles [PARTICLES] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 64, STEPS = 10 };

struct particle {
    double x, y, vx, vy;
};

static double field[CELLS + 1][CELLS + 1][2], charge[CELLS + 1][CELLS + 1];

static void push(struct particle *p, long n, double dt)
{
    for (long k = 0; k < n; k++) {
        int i = (int)p[k].x, j = (int)p[k].y;
        double fx = p[k].x - i, fy = p[k].y - j, e[2];
        for (int d = 0; d < 2; d++)
            e[d] = (1 - fx) * (1 - fy) * field[i][j][d] + fx * (1 - fy) * field[i + 1][j][d] + (1 - fx) * fy * field[i][j + 1][d] + fx * fy * field[i + 1][j + 1][d];
        p[k].vx += dt * e[0];
        p[k].vy += dt * e[1];
        p[k].x += dt * p[k].vx;
        p[k].y += dt * p[k].vy;
        if (p[k].x < 0 || p[k].x >= CELLS)
            p[k].x -= CELLS * floor(p[k].x / CELLS);
        if (p[k].y < 0 || p[k].y >= CELLS)
            p[k].y -= CELLS * floor(p[k].y / CELLS);
    }
}

static void deposit(const struct particle *p, long n)
{
    for (long k = 0; k < n; k++) {
        int i = (int)p[k].x, j = (int)p[k].y;
        double fx = p[k].x - i, fy = p[k].y - j;
        charge[i][j] += (1 - fx) * (1 - fy);
        charge[i + 1][j] += fx * (1 - fy);
        charge[i][j + 1] += (1 - fx) * fy;
        charge[i + 1][j + 1] += fx * fy;
    }
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 100000;
    struct particle *p = malloc(n * sizeof *p);
    unsigned seed = 7;
    for (long k = 0; k < n; k++) {
        double r[4];
        for (int d = 0; d < 4; d++)
            r[d] = (seed = seed * 1664525 + 1013904223) / 4294967296.0;
        p[k] = (struct particle){r[0] * CELLS, r[1] * CELLS, r[2] - 0.5, r[3] - 0.5};
    }
    for (int i = 0; i <= CELLS; i++)
        for (int j = 0; j <= CELLS; j++)
            field[i][j][0] = sin(i * 0.3), field[i][j][1] = cos(j * 0.2);
    for (int t = 0; t < STEPS; t++) {
        push(p, n, 0.1);
        deposit(p, n);
    }
    double most = 0;
    for (int i = 0; i <= CELLS; i++)
        for (int j = 0; j <= CELLS; j++)
            most = fmax(most, charge[i][j]);
    printf("%.6f\n", most);
    free(p);
    return 0;
}
