#error x86intrin.h is not read from source (vector intrinsics); write plain loops, or run and trace it instead
