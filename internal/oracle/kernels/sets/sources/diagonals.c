// SPDX-License-Identifier: Apache-2.0
//
// A transposition, diagonal by diagonal, to and fro.
static float a[LD][LD], b[LD][LD];

void diagonals(void)
{
    for (int s = 0; s < 2 * LD - 1; s++) {
        int lo = s < LD ? 0 : s - LD + 1, hi = s < LD ? s : LD - 1;
        if (s & 1)
            for (int i = lo; i <= hi; i++)
                b[i][s - i] = a[s - i][i];
        else
            for (int i = hi; i >= lo; i--)
                b[i][s - i] = a[s - i][i];
    }
}
