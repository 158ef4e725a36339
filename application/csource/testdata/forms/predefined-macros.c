double A[99];
#if defined(__STDC__) && __STDC_HOSTED__ && __STDC_VERSION__ >= 201112L && defined(__GNUC__) && defined(__unix__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __INT64_MAX__ > 0
#define STEP 3
#else
#define STEP 1
#endif
void f(void) { for (int i = 0; i < 99; i += STEP) A[i] += 1; }
