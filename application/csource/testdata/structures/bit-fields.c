// Setting a bit-field reads the bytes that it shares with others.
#ifdef MEMBERS
struct { unsigned char abc; } q[40];
unsigned char b[40];
void f(void) {
	for (int i = 0; i < 40; i++) {
		q[i].abc++;
		unsigned char old = q[i].abc;
		q[i].abc = q[i].abc | old;
		q[i].abc = q[i].abc & i;
		b[i] = q[i].abc;
	}
}
#else
struct { unsigned char a : 2, b : 3, c : 3; } q[40];
unsigned char b[40];
void f(void) {
	for (int i = 0; i < 40; i++) {
		q[i].a++;
		q[i].b = q[i].a;
		q[i].c = i;
		b[i] = q[i].c;
	}
}
#endif
