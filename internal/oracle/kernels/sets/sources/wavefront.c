// SPDX-License-Identifier: Apache-2.0
//
// Scores of an alignment, diagonal by diagonal: each cell from three neighbours.
static int h[M + 1][LD];
static char s[M], t[LD];

void wavefront(void)
{
    for (int d = 2; d <= M + LD - 1; d++) {
        int lo = d > LD - 1 ? d - LD + 1 : 1, hi = d - 1 < M ? d - 1 : M;
        for (int i = lo; i <= hi; i++)
            h[i][d - i] = h[i - 1][d - i - 1] + (s[i - 1] == t[d - i - 1]) + h[i - 1][d - i] + h[i][d - i - 1];
    }
}
