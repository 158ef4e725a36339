/* teams.c - teams on the host: who they are, and what distribute gives each. What it prints depends on no number of threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>

enum { N = 1000 };
static int a[N], of[N];

static long sum(const int *x, int n) {
    long h = 0;
    for (int i = 0; i < n; i++)
        h = h * 31 % 1000003 + x[i];
    return h;
}

static void who(void) {
    int teams = 0, seen[4] = {0};
#pragma omp teams num_teams(4) thread_limit(2)
    {
        int me = omp_get_team_num();
        seen[me]++;
        if (me == 3)
            teams = omp_get_num_teams();
    }
    printf("who %d %d%d%d%d, outside %d of %d\n", teams, seen[0], seen[1], seen[2], seen[3], omp_get_team_num(), omp_get_num_teams());
}

static void distributed(void) {
#pragma omp teams num_teams(3)
#pragma omp distribute
    for (int i = 0; i < N; i++) {
        a[i] = i * 3;
        of[i] = omp_get_team_num();
    }
    printf("distribute %ld %ld\n", sum(a, N), sum(of, N));
#pragma omp teams num_teams(3)
#pragma omp distribute dist_schedule(static, 7)
    for (int i = N - 1; i >= 0; i -= 2) {
        a[i] += i;
        of[i] = omp_get_team_num();
    }
    printf("chunks %ld %ld\n", sum(a, N), sum(of, N));
}

static void both(void) {
    long s = 0;
    int last = -1;
#pragma omp teams distribute parallel for num_teams(3) reduction(+ : s)
    for (int i = 0; i < N; i++)
        s += a[i] += i % 5;
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for dist_schedule(static, 40) schedule(static, 3)
    for (int i = 0; i < N; i++)
        a[i] ^= i;
#pragma omp teams num_teams(5)
#pragma omp distribute lastprivate(last)
    for (int i = 0; i < N; i++)
        last = i;
    printf("both %ld %ld %d\n", s, sum(a, N), last);
}

static void within(void) {
    long s = 0;
#pragma omp teams num_teams(2) reduction(+ : s)
    {
#pragma omp parallel for reduction(+ : s)
        for (int i = 0; i < N; i++)
            s += a[i];
#pragma omp parallel
#pragma omp single
#pragma omp task shared(s)
        s++;
    }
#pragma omp target teams distribute parallel for map(tofrom : a) num_teams(2)
    for (int i = 0; i < N; i++)
        a[i] += 2;
    printf("within %ld %ld\n", s, sum(a, N));
}

int main(void) {
    who();
    distributed();
    both();
    within();
    return 0;
}
