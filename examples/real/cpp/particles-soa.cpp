// Particles as a structure of arrays.
#include <vector>

struct Particles {
    std::vector<float> x, y, z, vx, vy, vz;
    explicit Particles(int n) : x(n), y(n), z(n), vx(n, 1), vy(n, 2), vz(n, 3) {}
};

void move(Particles &p, float dt) {
    for (std::size_t i = 0; i < p.x.size(); i++) {
        p.x[i] += p.vx[i] * dt;
        p.y[i] += p.vy[i] * dt;
        p.z[i] += p.vz[i] * dt;
    }
}

int main() {
    Particles p(800);
    move(p, 0.5f);
    return p.z[7] == 1.5f ? 0 : 1;
}
