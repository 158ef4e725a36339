package parse

import (
	"regexp"
	"strings"
)

// predefined are the macros that a file may expect of a compiler: those of gcc 12 for 64-bit x86 and Linux with OpenMP 4.5 and optimisation, but for vector
// instructions, of which the plain code beside is read; what makes words of GNU C that mean nothing here standard ones or none, and those of gcc's atomic functions whose value is made of
// what they write; the others stay functions that are not known. __FORESEE__ tells
// a file that it is read by foresee.
const predefined = `
#define __FORESEE__ 1
#define __GNUC__ 12
#define __GNUC_MINOR__ 2
#define __GNUC_PATCHLEVEL__ 0
#define __GNUC_STDC_INLINE__ 1
#define __VERSION__ "12.2.0"
#define __OPTIMIZE__ 1
#define __ELF__ 1
#define __x86_64__ 1
#define __x86_64 1
#define __amd64__ 1
#define __amd64 1
#define __linux__ 1
#define __linux 1
#define __gnu_linux__ 1
#define __unix__ 1
#define __unix 1
#define __LP64__ 1
#define _LP64 1
#define _OPENMP 201511
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __BYTE_ORDER__ 1234
#define __FLOAT_WORD_ORDER__ 1234
#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
#define __CHAR_BIT__ 8
#define __SIZE_TYPE__ unsigned long
#define __PTRDIFF_TYPE__ long
#define __WCHAR_TYPE__ int
#define __INT8_TYPE__ signed char
#define __INT16_TYPE__ short
#define __INT32_TYPE__ int
#define __INT64_TYPE__ long
#define __UINT8_TYPE__ unsigned char
#define __UINT16_TYPE__ unsigned short
#define __UINT32_TYPE__ unsigned int
#define __UINT64_TYPE__ unsigned long
#define __INTPTR_TYPE__ long
#define __UINTPTR_TYPE__ unsigned long
#define __INTMAX_TYPE__ long
#define __UINTMAX_TYPE__ unsigned long
#define __SCHAR_MAX__ 0x7f
#define __SHRT_MAX__ 0x7fff
#define __INT_MAX__ 0x7fffffff
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __LONG_LONG_MAX__ 0x7fffffffffffffffLL
#define __INT32_MAX__ 0x7fffffff
#define __UINT32_MAX__ 0xffffffffU
#define __INT64_MAX__ 0x7fffffffffffffffL
#define __UINT64_MAX__ 0xffffffffffffffffUL
#define __SIZE_MAX__ 0xffffffffffffffffUL
#define __PTRDIFF_MAX__ 0x7fffffffffffffffL
#define __INTPTR_MAX__ 0x7fffffffffffffffL
#define __FLT_MAX__ 3.40282346638528859812e+38F
#define __FLT_MIN__ 1.17549435082228750797e-38F
#define __FLT_EPSILON__ 1.19209289550781250000e-7F
#define __DBL_MAX__ 1.79769313486231570815e+308
#define __DBL_MIN__ 2.22507385850720138309e-308
#define __DBL_EPSILON__ 2.22044604925031308085e-16
#define __FLT_EVAL_METHOD__ 0
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_PTRDIFF_T__ 8
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SIZEOF_LONG_DOUBLE__ 16
#define __STD9__ 1
#define __STD9_HOSTED__ 1
#define __STD9_VERSION__ 201710L
#define __atomic_fetch_add(p, x, order) ((*(p) += (x)) - (x))
#define __sync_fetch_and_add(p, x, ...) ((*(p) += (x)) - (x))
#define __atomic_fetch_sub(p, x, order) ((*(p) -= (x)) + (x))
#define __sync_fetch_and_sub(p, x, ...) ((*(p) -= (x)) + (x))
#define __atomic_fetch_xor(p, x, order) ((*(p) ^= (x)) ^ (x))
#define __sync_fetch_and_xor(p, x, ...) ((*(p) ^= (x)) ^ (x))
#define __atomic_add_fetch(p, x, order) (*(p) += (x))
#define __sync_add_and_fetch(p, x, ...) (*(p) += (x))
#define __atomic_sub_fetch(p, x, order) (*(p) -= (x))
#define __sync_sub_and_fetch(p, x, ...) (*(p) -= (x))
#define __atomic_or_fetch(p, x, order) (*(p) |= (x))
#define __sync_or_and_fetch(p, x, ...) (*(p) |= (x))
#define __atomic_and_fetch(p, x, order) (*(p) &= (x))
#define __sync_and_and_fetch(p, x, ...) (*(p) &= (x))
#define __atomic_xor_fetch(p, x, order) (*(p) ^= (x))
#define __sync_xor_and_fetch(p, x, ...) (*(p) ^= (x))
#define __atomic_load_n(p, order) (*(p))
#define __atomic_store_n(p, x, order) (*(p) = (x))
#define __sync_lock_release(p) (*(p) = 0)
#define __sync_synchronize() ((void)0)
#define __atomic_thread_fence(order) ((void)0)
#define __BIGGEST_ALIGNMENT__ 16
#define __builtin_offsetof(type, ...) ((unsigned long)&((type *)0)->__VA_ARGS__)
#define __builtin_va_arg(ap, type) (*(__typeof__(type) *)(ap))
#define __builtin_va_start(ap, last) ((ap) = (void *)0)
#define __builtin_va_end(ap) ((void)0)
#define __builtin_va_copy(a, b) ((a) = (b))
#define __restrict restrict
#define __restrict__ restrict
#define __inline inline
#define __inline__ inline
#define __volatile__ volatile
#define __const const
#define __extension__
`

// standardMacro matches macros of the standard, which the parser's library lets nobody define. Files use ours, of the same length.
var standardMacro = regexp.MustCompile(`\b__STDC(_HOSTED|_VERSION)?__\b`)

// withStandardMacros gives the macros of the standard in a text names that can be defined.
func withStandardMacros(text string) string {
	if !strings.Contains(text, "__STDC") {
		return text
	}
	return standardMacro.ReplaceAllString(text, "__STD9${1}__")
}
