#error xmmintrin.h is not read from source (vector intrinsics); write plain loops; foresee cannot trace a program yet
