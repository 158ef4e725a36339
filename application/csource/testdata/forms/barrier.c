static double a[200];

void f(void)
{
    for (int i = 0; i < 200; i++) {
        a[i] *= 2;
        __asm__ volatile("" ::: "memory");
        double x = a[i];
        asm volatile("" : "+r"(x) : : "memory");
    }
}
// warns: assembler without instructions
