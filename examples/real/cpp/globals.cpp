// Global arrays, a namespace, and a class whose members are arrays.
namespace field {
constexpr int n = 40;
double u[n][n], v[n][n];

void update() {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
}
}

class Filter {
public:
    void apply(const float *in, float *out, int length) const {
        for (int i = 0; i + taps <= length; i++) {
            float s = 0;
            for (int k = 0; k < taps; k++) s += weights[k] * in[i + k];
            out[i] = s;
        }
    }
    static constexpr int taps = 9;
    float weights[taps];
};

float in[300], out[300];
Filter filter;

int main() {
    field::update();
    filter.apply(in, out, 300);
    return field::v[3][3] == 0 && out[4] == 0 ? 0 : 1;
}
