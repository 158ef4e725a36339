// SPDX-License-Identifier: Apache-2.0
/* escape.c - how soon points of the plane escape when they are squared and moved again and again. usage: escape [POINTS] */
#include <stdio.h>
#include <stdlib.h>

static int steps(double x, double y, int most)
{
    double u = 0, v = 0;
    int n = 0;
    while (n < most && u * u + v * v < 4) {
        double next = u * u - v * v + x;
        v = 2 * u * v + y;
        u = next;
        n++;
    }
    return n;
}

int main(int argc, char **argv)
{
    int points = argc > 1 ? atoi(argv[1]) : 160;
    long sum = 0, inside = 0;
    for (int i = 0; i < points; i++)
        for (int j = 0; j < points; j++) {
            int n = steps(-2.0 + 3.0 * i / points, -1.5 + 3.0 * j / points, 200);
            sum += n;
            inside += n == 200;
        }
    printf("%ld steps, %ld inside\n", sum, inside);
    return 0;
}
