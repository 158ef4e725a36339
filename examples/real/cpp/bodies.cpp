// Bodies in a vector, placed by a generator of random numbers that cannot be followed; the length is loaded again in each iteration.
#include <cmath>
#include <random>
#include <vector>

struct body {
    double x, y, vx, vy, mass;
};

void forces(std::vector<body> &all, double dt)
{
    for (std::size_t i = 0; i < all.size(); i++) {
        double ax = 0, ay = 0;
        for (std::size_t j = 0; j < all.size(); j++) {
            const double dx = all[j].x - all[i].x, dy = all[j].y - all[i].y, r2 = dx * dx + dy * dy + 1e-6;
            const double s = all[j].mass / (r2 * std::sqrt(r2));
            ax += s * dx;
            ay += s * dy;
        }
        all[i].vx += dt * ax;
        all[i].vy += dt * ay;
    }
    for (auto &b : all) {
        b.x += dt * b.vx;
        b.y += dt * b.vy;
    }
}

int main()
{
    std::vector<body> all(60);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> place(-1, 1);
    for (auto &b : all)
        b = {place(random), place(random), 0, 0, 1.0 / 60};
    for (int step = 0; step < 3; step++)
        forces(all, 1e-3);
    double sum = 0;
    for (const auto &b : all)
        sum += b.mass;
    return std::fabs(sum - 1) < 1e-12 ? 0 : 1;
}
