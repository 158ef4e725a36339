// run: ./computed 3000
// Subscripts that are computed from data while the loop runs: cells of particles, random numbers, places that change.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Particle {
    double x, y;
};

__attribute__((noinline)) void deposit(const std::vector<Particle> &all, std::vector<double> &grid, int n)
{
    for (const Particle &p : all) {
        int i = int(p.x), j = int(p.y);
        double a = p.x - i, b = p.y - j;
        grid[j * n + i] += (1 - a) * (1 - b);
        grid[j * n + i + 1] += a * (1 - b);
        grid[(j + 1) * n + i] += (1 - a) * b;
        grid[(j + 1) * n + i + 1] += a * b;
    }
}

__attribute__((noinline)) double sample(const double *x, int n, int tries)
{
    double sum = 0;
    for (int t = 0; t < tries; t++)
        sum += x[rand() % n];
    return sum;
}

// Each walker goes on from where it is, so that the places that are read are written too.
__attribute__((noinline)) void climb(int *at, int walkers, int steps, const int *next, double *visits)
{
    for (int s = 0; s < steps; s++)
        for (int w = 0; w < walkers; w++) {
            at[w] = next[at[w]];
            visits[at[w]] += 1;
        }
}

// Rows of different lengths.
__attribute__((noinline)) void spread(const std::vector<int> &first, const std::vector<float> &place, std::vector<double> &y)
{
    for (size_t i = 0; i + 1 < first.size(); i++)
        for (int k = first[i]; k < first[i + 1]; k++)
            y[(int)place[k]] += 1;
}

__attribute__((noinline)) void insert(unsigned *slot, unsigned mask, const unsigned *key, int n)
{
    for (int i = 0; i < n; i++) {
        slot[key[i] * 2654435761u & mask] = key[i];
        slot[slot[i & mask] & mask] += 1;
    }
}

// Lists whose elements lead to one another by their numbers.
__attribute__((noinline)) double chase(const int *next, const double *x, int n)
{
    double sum = 0;
    int at = 0;
    for (int i = 0; i < n; i++) {
        sum += x[at];
        at = next[at];
    }
    return sum;
}

__attribute__((noinline)) void shuffle(int *a, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int k = rand() % (i + 1), kept = a[i];
        a[i] = a[k];
        a[k] = kept;
    }
}

__attribute__((noinline)) void scatter(double *y, unsigned n, unsigned m)
{
    unsigned state = 7;
    for (unsigned i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        y[(state >> 8) % m] += 1;
    }
}

// What it keeps, and where, data decide.
__attribute__((noinline)) int compact(const float *x, int n, float least, int *kept)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > least)
            kept[k++] = i;
    return k;
}

__attribute__((noinline)) void pack(const float *x, int n, double *y)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        y[k] += 1;
        k += 1 + (int)x[i] % 3;
    }
}

int differences(const double *u, const double *x, int n, double *y)
{
    int forward = 0;
    for (int i = 1; i < n - 1; i++)
        if (u[i] > 0) {
            y[i] = x[i] - x[i - 1];
        } else {
            y[i] = x[i + 1] - x[i];
            forward++;
        }
    return forward;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3000, edge = 64;
    std::vector<Particle> all(n);
    std::vector<double> grid(edge * edge), y(n), x(n, 0.5);
    std::vector<int> at(n / 4), next(n), first{0};
    std::vector<float> place;
    std::vector<unsigned> key(n), slot(1024);
    for (int i = 0; i < n; i++) {
        all[i] = {i * 37 % 620 / 10.0, i * 91 % 610 / 10.0};
        next[i] = (i * 13 + 5) % n;
        key[i] = i * 40503u;
        for (int k = 0; k < i % 5; k++)
            place.push_back((i * 7 + k) % n);
        first.push_back(place.size());
    }
    for (int w = 0; w < n / 4; w++)
        at[w] = w * 3;
    deposit(all, grid, edge);
    double sum = sample(x.data(), n, n);
    climb(at.data(), n / 4, 6, next.data(), y.data());
    spread(first, place, y);
    insert(slot.data(), 1023, key.data(), n);
    sum += chase(next.data(), x.data(), n);
    shuffle(next.data(), n);
    scatter(y.data(), n, n);
    y.resize(3 * n);
    sum += compact(place.data(), n, n / 3, next.data());
    pack(place.data(), n / 2, y.data());
    std::vector<double> u(n), d(n);
    for (int i = 0; i < n; i++)
        u[i] = i * 31 % 17 - 8;
    sum += differences(u.data(), x.data(), n, d.data());
    printf("%g %g %u\n", grid[edge + 1] + sum + next[5], y[n / 2], slot[7]);
}
