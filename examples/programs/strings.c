// SPDX-License-Identifier: Apache-2.0
/* strings.c - searches of a text: Boyer-Moore-Horspool, and all pairs of letters counted by a small automaton. usage: strings [BYTES] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long find(const char *text, long n, const char *word)
{
    long m = strlen(word), found = 0, skip[256];
    for (int c = 0; c < 256; c++)
        skip[c] = m;
    for (long i = 0; i < m - 1; i++)
        skip[(unsigned char)word[i]] = m - 1 - i;
    for (long at = 0; at + m <= n; at += skip[(unsigned char)text[at + m - 1]]) {
        long k = m - 1;
        while (k >= 0 && text[at + k] == word[k])
            k--;
        found += k < 0;
    }
    return found;
}

static long words(const char *text, long n)
{
    long count = 0;
    int state = 0;
    for (long i = 0; i < n; i++)
        switch (state) {
        case 0:
            if (text[i] >= 'a' && text[i] <= 'm') state = 1, count++;
            else if (text[i] != ' ') state = 2;
            break;
        case 1:
            if (text[i] == ' ') state = 0;
            else if (text[i] == 'z') state = 2;
            break;
        default:
            if (text[i] == ' ') state = 0;
        }
    return count;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1000000;
    char *text = malloc(n + 1);
    unsigned seed = 3;
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = "etaoin shrdlu etaoin cmfwypvbgkjqxz "[(seed >> 16) % 36];
    }
    text[n] = 0;
    long sum = 0;
    for (int r = 0; r < 4; r++)
        sum += find(text, n, "that") + find(text, n, "one") + find(text, n, "tation") + words(text, n);
    printf("%ld\n", sum);
    free(text);
    return 0;
}
