#define N 200
typedef struct { double x, y, z; } vec3;
vec3 p[N], v[N], f3[N];
static vec3 add(vec3 a, vec3 b) { vec3 r = { a.x + b.x, a.y + b.y, a.z + b.z }; return r; }
static vec3 scale(double s, vec3 a) { a.x *= s; a.y *= s; a.z *= s; return a; }
static vec3 sub(vec3 a, vec3 b) { return (vec3){ a.x - b.x, a.y - b.y, .z = a.z - b.z }; }
#ifndef MEMBERS
void f(void) {
	for (int i = 0; i < N; i++) {
		v[i] = add(v[i], scale(0.5, f3[i]));
		p[i] = add(p[i], add(scale(0.1, v[i]), add(v[i], v[i])));
	}
	for (int i = 1; i < N; i++) f3[i] = sub(p[i - 1], p[i]);
}
#else
void f(void) {
	for (int i = 0; i < N; i++) {
		double fx = 0.5 * f3[i].x, fy = 0.5 * f3[i].y, fz = 0.5 * f3[i].z;
		double x = v[i].x + fx, y = v[i].y + fy, z = v[i].z + fz;
		v[i].x = x, v[i].y = y, v[i].z = z;
		x = v[i].x, y = v[i].y, z = v[i].z;
		x += v[i].x, y += v[i].y, z += v[i].z;
		x += 0.1 * v[i].x, y += 0.1 * v[i].y, z += 0.1 * v[i].z;
		x += p[i].x, y += p[i].y, z += p[i].z;
		p[i].x = x, p[i].y = y, p[i].z = z;
	}
	for (int i = 1; i < N; i++) {
		double x = p[i - 1].x - p[i].x, y = p[i - 1].y - p[i].y, z = p[i - 1].z - p[i].z;
		f3[i].x = x, f3[i].y = y, f3[i].z = z;
	}
}
#endif
