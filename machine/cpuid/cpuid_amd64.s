#include "textflag.h"

// func ask(number, sub uint32) (eax, ebx, ecx, edx uint32)
TEXT ·ask(SB), NOSPLIT, $0-24
	MOVL number+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET
