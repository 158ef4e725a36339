#define ALIGNED(n) __attribute__((aligned(n)))
#define UNUSED __attribute__((unused))

struct counter {
    long n;
} __attribute__((aligned(64)));

typedef struct {
    double v;
} ALIGNED(32) cell;

struct __attribute__((aligned(16), may_alias)) three {
    float x, y, z;
};

struct inner {
    char tag;
    double v __attribute__((__aligned__(32)));
    short k;
};

typedef double wide __attribute__((aligned(16)));

struct padded {
    char c;
    wide w;
};

struct __attribute__((packed)) naturally {
    int a, b;
};

typedef int loose __attribute__((aligned(1)));

struct tight {
    char c;
    loose x;
};

struct most {
    char c;
    int d;
} __attribute__((aligned));

struct also {
    char c;
    int d;
} __attribute__ ((__aligned__ (__BIGGEST_ALIGNMENT__) , unused));

static struct tight w[20];
static struct most m[20];
static struct also z[20];
static struct counter c[20];
static cell cells[20] __attribute__((aligned(64)));
static struct three t[20];
static struct inner in[20];
static __attribute__((aligned(128))) struct padded p[20];
static struct naturally n[20];

__attribute__((noinline)) static void add(struct counter *at, int k UNUSED) { at->n += 1; }
[[gnu::noinline]] static void twice([[maybe_unused]] int k, cell *c) { c->v *= 2; }

void f(void)
{
    for (int i = 0; i < 20; i++) {
        add(c + i, i);
        cells[i].v += 1;
        t[i].z += t[i].x;
        in[i].v += in[i].k;
        p[i].w += 1;
        n[i].b += 1;
        w[i].x = 1;
        m[i].d = 1;
        z[i].d = 1;
        twice(i, cells + i);
    }
}
