// run: ./members 500
// Structures of which some members are subscripts and others are written in the same loop.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Particle {
    double x, v;
    int cell;
};

struct Element {
    int node[3];
    float area;
};

__attribute__((noinline)) void push(Particle *p, int n, const double *field, double dt)
{
    for (int i = 0; i < n; i++) {
        p[i].v += field[p[i].cell] * dt;
        p[i].x += p[i].v * dt;
    }
}

__attribute__((noinline)) void deposit(std::vector<Particle> &all, double *charge)
{
    for (Particle *p = all.data(); p < all.data() + all.size(); p++) {
        charge[p->cell] += p->x;
        p->x = 0;
    }
}

__attribute__((noinline)) void areas(Element *e, int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += x[e[i].node[k]];
        e[i].area = sum;
    }
}

struct Brick {
    int node[8];
    double volume;
};

__attribute__((noinline)) void volumes(Brick *b, int n, int corners, const double *x)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < corners; k++)
            sum += x[b[i].node[k]];
        b[i].volume = sum;
    }
}

struct Wide {
    double first, rest[6], last;
};

// Each of its elements lies in two lines, as the first begins in the midst of one.
__attribute__((noinline)) double across(const Wide *w, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i += 2)
        sum += w[i].first + w[i].last;
    return sum;
}

// Its subscripts change while it runs.
__attribute__((noinline)) void reverse(Particle *p, int n, int cells, double *charge)
{
    for (int i = 0; i < n; i++) {
        charge[p[i].cell] += 1;
        p[n - 1 - i].cell = cells - 1 - p[i].cell;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 500, cells = n / 4 + 1;
    std::vector<Particle> all(n);
    std::vector<Element> mesh(n);
    std::vector<Brick> bricks(n);
    std::vector<double> field(cells, 0.5), charge(cells), x(n, 1.0);
    for (int i = 0; i < n; i++) {
        all[i] = {0.1 * i, 1.0, (i * 17 + i % 3) % cells};
        for (int k = 0; k < 3; k++)
            mesh[i].node[k] = (i * 7 + k * k) % n;
        for (int k = 0; k < 8; k++)
            bricks[i].node[k] = (i * 5 + k * k * k) % n;
    }
    push(all.data(), n, field.data(), 0.1);
    deposit(all, charge.data());
    areas(mesh.data(), n, x.data());
    volumes(bricks.data(), n, 8, x.data());
    reverse(all.data(), n, cells, charge.data());
    double sum = 0;
    for (double c : charge)
        sum += c;
    char *room = (char *)aligned_alloc(64, 64 * (n + 1));
    Wide *wide = (Wide *)(room + 16);
    for (int i = 0; i < n; i++)
        wide[i] = {i * 0.5};
    double ends = across(wide, n);
    if (ends < 0)
        return 1;
    free(room);
    printf("%g %g\n", sum + bricks[n / 3].volume, mesh[n / 2].area);
}
