#ifndef FORESEE_FTW_H
#define FORESEE_FTW_H
#include <sys/stat.h>
#define FTW_F 0
#define FTW_D 1
struct FTW {
  int base, level;
};
int ftw(const char *, int (*)(const char *, const struct stat *, int), int);
int nftw(const char *, int (*)(const char *, const struct stat *, int, struct FTW *), int, int);
#endif
