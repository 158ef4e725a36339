#ifndef FORESEE_UCHAR_H
#define FORESEE_UCHAR_H
typedef unsigned short char16_t;
typedef unsigned int char32_t;
#endif
