// Particles as an array of structures.
#include <vector>

struct Particle {
    double x, y, z;
    float mass;
    int cell;
};

double momentum(const std::vector<Particle> &all) {
    double s = 0;
    for (const Particle &p : all) s += p.x * p.mass;
    return s;
}

void assign(std::vector<Particle> &all, int cells) {
    for (auto &p : all) p.cell = static_cast<int>(p.y) % cells;
}

int main() {
    std::vector<Particle> all(300, Particle{1, 2, 3, 4, 5});
    assign(all, 7);
    return momentum(all) == 1200 && all[3].cell == 2 ? 0 : 1;
}
