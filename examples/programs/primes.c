// SPDX-License-Identifier: Apache-2.0
/* primes.c - primes by a sieve, and numbers in their factors by trying. usage: primes [LIMIT] */
#include <stdio.h>
#include <stdlib.h>

static long sieve(unsigned char *composite, long limit, unsigned *primes)
{
    long n = 0;
    for (long i = 2; i < limit; i++) {
        if (composite[i])
            continue;
        primes[n++] = (unsigned)i;
        for (long j = i * i; j < limit; j += i)
            composite[j] = 1;
    }
    return n;
}

static int factors(unsigned x, const unsigned *primes, long n)
{
    int count = 0;
    for (long k = 0; k < n && primes[k] * primes[k] <= x; k++)
        while (x % primes[k] == 0) {
            x /= primes[k];
            count++;
        }
    return count + (x > 1);
}

int main(int argc, char **argv)
{
    long limit = argc > 1 ? atol(argv[1]) : 1500000, most = 0;
    unsigned char *composite = calloc(limit, 1);
    unsigned *primes = malloc(limit / 4 * sizeof *primes);
    long n = sieve(composite, limit, primes), sum = 0;
    for (unsigned x = 4000000; x < 4012000; x++) {
        int f = factors(x, primes, n);
        sum += f;
        most = f > most ? f : most;
    }
    printf("%ld primes; %ld factors, %ld at most\n", n, sum, most);
    free(composite);
    free(primes);
    return 0;
}
