#include <stdarg.h>
#include <stddef.h>

struct list {
    int key;
    struct {
        double d[3];
        int k;
    } in;
};

enum { at = offsetof(struct list, in.k) };
static char pad[offsetof(struct list, in)];
static struct list all[20];
static double a[40];

static int third(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int k = 0;
    while (n-- > 0)
        k = va_arg(ap, int) + (int)(long)va_arg(ap, void (*)(void));
    va_end(ap);
    return k;
}

int other(void) { return third(1, 2, other); }

void f(void)
{
    for (int i = 0; i < at; i++)
        a[i] = 1;
    for (int i = 0; i < 20; i++) {
        int *k = &all[i].in.k;
        struct list *l = (struct list *)((char *)k - offsetof(struct list, in.k));
        l->key += *k;
        pad[i & 7] = 1;
    }
}
