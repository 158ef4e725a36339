double A[1000], B[1000]; int I[1000];
void f(void) { for (int i = 0; i < 1000; i++) switch (i % 5) { case 0: A[i]++; break; case 4: if (i > 500) { B[i] = 1; break; } I[i]++; if (i > 300) break; A[i]++; break; case 2: case 3: if (i & 1) break; default: B[i]++; } }
