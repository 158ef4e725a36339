#ifndef FORESEE_PATHS_H
#define FORESEE_PATHS_H
#define _PATH_TMP "/tmp/"
#define _PATH_DEVNULL "/dev/null"
#endif
