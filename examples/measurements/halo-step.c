// SPDX-License-Identifier: Apache-2.0
//
// One rank of a 7-point stencil with halo exchange: before each sweep six faces are packed, copied and unpacked. LX, LY and LZ are the
// cells of the rank.
#ifndef LX
#define LX 64
#define LY 64
#define LZ 64
#endif
#define FACE ((LX + 2) * (LY + 2) + (LY + 2) * (LZ + 2) + (LX + 2) * (LZ + 2))

static double u[LX + 2][LY + 2][LZ + 2], v[LX + 2][LY + 2][LZ + 2], out[FACE], in[FACE];

#define EACH(i, n) for (int i = 0; i < n; i++)
#define INNER(i, n) for (int i = 1; i <= n; i++)

#define EXCHANGE(u)                                                                     \
    EACH(s, 2) {                                                                        \
        INNER(y, LY) INNER(z, LZ) out[(y - 1) * LZ + z - 1] = u[1 + s * (LX - 1)][y][z]; \
        EACH(i, LY * LZ) in[i] = out[i];                                                \
        INNER(y, LY) INNER(z, LZ) u[(1 - s) * (LX + 1)][y][z] = in[(y - 1) * LZ + z - 1]; \
    }                                                                                   \
    EACH(s, 2) {                                                                        \
        INNER(x, LX) INNER(z, LZ) out[(x - 1) * LZ + z - 1] = u[x][1 + s * (LY - 1)][z]; \
        EACH(i, LX * LZ) in[i] = out[i];                                                \
        INNER(x, LX) INNER(z, LZ) u[x][(1 - s) * (LY + 1)][z] = in[(x - 1) * LZ + z - 1]; \
    }                                                                                   \
    EACH(s, 2) {                                                                        \
        INNER(x, LX) INNER(y, LY) out[(x - 1) * LY + y - 1] = u[x][y][1 + s * (LZ - 1)]; \
        EACH(i, LX * LY) in[i] = out[i];                                                \
        INNER(x, LX) INNER(y, LY) u[x][y][(1 - s) * (LZ + 1)] = in[(x - 1) * LY + y - 1]; \
    }

#define SWEEP(u, v)                                                                                          \
    INNER(x, LX) INNER(y, LY) INNER(z, LZ) {                                                                 \
        double c = u[x][y][z];                                                                               \
        double w = (u[x - 1][y][z] + u[x + 1][y][z] + u[x][y - 1][z] + u[x][y + 1][z] + u[x][y][z - 1] + u[x][y][z + 1]) / 6; \
        v[x][y][z] = w;                                                                                      \
        r += (w - c) * (w - c);                                                                                \
    }

double step(void)
{
    double r = 0;
    for (int t = 0; t < 10; t++) {
        EXCHANGE(u)
        SWEEP(u, v)
        EXCHANGE(v)
        SWEEP(v, u)
    }
    return r;
}
