char s[60], t[60];
void f(void) { for (int k = 0; k < 5; k++) { char *p = s, *q = t; while (p < s + 40 && *p == *q) { p++; q++; } } }
// warns: may end before its bound
