#ifndef FORESEE_NL_TYPES_H
#define FORESEE_NL_TYPES_H
typedef void *nl_catd;
typedef int nl_item;
nl_catd catopen(const char *, int);
char *catgets(nl_catd, int, int, const char *);
int catclose(nl_catd);
#endif
