#error immintrin.h is not read from source (vector intrinsics); write plain loops, or trace the program: foresee trace
