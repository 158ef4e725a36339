#ifndef FORESEE_CTYPE_H
#define FORESEE_CTYPE_H
int isalpha(int);
int isdigit(int);
int isalnum(int);
int isspace(int);
int isupper(int);
int islower(int);
int ispunct(int);
int isprint(int);
int toupper(int);
int tolower(int);
#endif
