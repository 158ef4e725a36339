#ifndef FORESEE_STRING_H
#define FORESEE_STRING_H
#include <stddef.h>
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strchr(const char *, int);
char *strstr(const char *, const char *);
char *strdup(const char *);
char *strerror(int);
void *memchr(const void *, int, size_t);
void *mempcpy(void *, const void *, size_t);
size_t strnlen(const char *, size_t);
char *strncat(char *, const char *, size_t);
char *strrchr(const char *, int);
char *strtok(char *, const char *);
char *strtok_r(char *, const char *, char **);
char *strpbrk(const char *, const char *);
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
char *strndup(const char *, size_t);
char *strsep(char **, const char *);
int strcoll(const char *, const char *);
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
char *strcasestr(const char *, const char *);
#endif
