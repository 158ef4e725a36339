#ifndef FORESEE_LIBGEN_H
#define FORESEE_LIBGEN_H
char *basename(char *);
char *dirname(char *);
#endif
