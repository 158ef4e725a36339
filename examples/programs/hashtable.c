// SPDX-License-Identifier: Apache-2.0
/* hashtable.c - counts words of text in a table with open addressing. usage: hashtable [WORDS] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 1 << 18 };

struct slot {
    uint64_t key;
    uint32_t count;
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    x ^= x >> 33;
    return x;
}

static void count(struct slot *table, uint64_t key)
{
    for (uint64_t i = mix(key) % SLOTS;; i = (i + 1) % SLOTS) {
        if (table[i].key == key) {
            table[i].count++;
            return;
        }
        if (table[i].key == 0) {
            table[i].key = key;
            table[i].count = 1;
            return;
        }
    }
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 2000000;
    struct slot *table = calloc(SLOTS, sizeof *table);
    uint64_t state = 88172645463325252ull;
    for (long i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        count(table, state % 150000 + 1);
    }
    uint32_t most = 0;
    long used = 0;
    for (long i = 0; i < SLOTS; i++) {
        used += table[i].key != 0;
        if (table[i].count > most)
            most = table[i].count;
    }
    printf("%ld words, the most frequent %u times\n", used, most);
    free(table);
    return 0;
}
