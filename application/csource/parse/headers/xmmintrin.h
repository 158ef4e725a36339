#error xmmintrin.h is not read from source (vector intrinsics); write plain loops, or run and trace it instead
