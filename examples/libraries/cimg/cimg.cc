// SPDX-License-Identifier: Apache-2.0

// Filters of CImg, which are parallel loops over pixels, lines or columns.
#define cimg_use_openmp 1
#define cimg_display 0
#define cimg_verbosity 1
#include <CImg.h>
#include <cstdio>
#include <cstdlib>

static void checksum(const char *name, const cimg_library::CImg<float> &image) {
    long sum = 0;
    cimg_for(image, value, float) sum = (sum * 31 + static_cast<long>(*value * 1024)) % 1000000007;
    std::printf("%s %ld\n", name, sum);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 96;
    cimg_library::cimg::openmp_mode(1); // parallel at any size
    cimg_library::CImg<float> image(n, n, 1, 3); // some filters deal out the channels
    cimg_forXYC(image, x, y, c) image(x, y, c) = (x * 37 + y * 101 + x * y + c * 50) % 256;
    checksum("median", image.get_blur_median(3));
    checksum("erode", image.get_erode(5, 5));
    checksum("blur", image.get_blur(2.0f));
    checksum("convolve", image.get_convolve(cimg_library::CImg<float>(3, 3, 1, 3, 1)));
    checksum("resize", image.get_resize(n * 3 / 2, n * 3 / 2, 1, 1, 3));
    checksum("rotate", image.get_rotate(30));
}
