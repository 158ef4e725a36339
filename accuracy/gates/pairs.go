package gates

// Pair is two versions of a function, as two commits have them.
type Pair struct {
	Name  string
	Worse bool // the second moves more lines, by design
	A, B  string
}

// Pairs are changes as they are made in programs: fifteen that move 5 to 50 % more lines through some level, and fifteen that do not, or fewer. All are written
// for this comparison.
var Pairs = []Pair{
	{
		"one more operand", true,
		`double a[90000], b[90000], c[90000], d[90000];
void f(void) { for (int i = 0; i < 90000; i++) a[i] = b[i] + 2 * c[i]; }`,
		`double a[90000], b[90000], c[90000], d[90000];
void f(void) { for (int i = 0; i < 90000; i++) a[i] = b[i] + 2 * c[i] + d[i]; }`,
	},
	{
		"a member more in a structure", true,
		`struct p { double x, y, z; } p[40000];
void f(void) { for (int i = 0; i < 40000; i++) p[i].x += p[i].y * p[i].z; }`,
		`struct p { double x, y, z, w; } p[40000];
void f(void) { for (int i = 0; i < 40000; i++) p[i].x += p[i].y * p[i].z; }`,
	},
	{
		"float to double of one array", true,
		`float a[120000]; double b[120000], c[120000];
void f(void) { for (int i = 0; i < 120000; i++) b[i] = a[i] * c[i]; }`,
		`double a[120000]; double b[120000], c[120000];
void f(void) { for (int i = 0; i < 120000; i++) b[i] = a[i] * c[i]; }`,
	},
	{
		"a loop split in two", true,
		`double a[80000], b[80000], c[80000], d[80000];
void f(void) { for (int i = 0; i < 80000; i++) { b[i] = 2 * a[i]; c[i] = d[i] + a[i]; } }`,
		`double a[80000], b[80000], c[80000], d[80000];
void f(void) { for (int i = 0; i < 80000; i++) b[i] = 2 * a[i]; for (int i = 0; i < 80000; i++) c[i] = d[i] + a[i]; }`,
	},
	{
		"cleared before it is written", true,
		`double a[300][300], b[300][300], c[300][300], d[300][300];
void f(void) { for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) a[i][j] = b[i][j] * c[i][j] + d[i][j]; }`,
		`double a[300][300], b[300][300], c[300][300], d[300][300];
void f(void) { for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) a[i][j] = 0;
for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) a[i][j] += b[i][j] * c[i][j] + d[i][j]; }`,
	},
	{
		"32-bit indices become 64-bit", true,
		`int index[100000]; double a[100000], b[100000];
void f(void) { for (int i = 0; i < 100000; i++) a[i] = b[i] + index[i]; }`,
		`long index[100000]; double a[100000], b[100000];
void f(void) { for (int i = 0; i < 100000; i++) a[i] = b[i] + index[i]; }`,
	},
	{
		"a temporary array between two sweeps", true,
		`double a[90000], b[90000], c[90000], t[90000];
void f(void) { for (int i = 0; i < 90000; i++) { double t1 = a[i] * a[i]; b[i] = t1 + c[i]; } }`,
		`double a[90000], b[90000], c[90000], t[90000];
void f(void) { for (int i = 0; i < 90000; i++) { t[i] = a[i] * a[i]; b[i] = t[i] + c[i]; } }`,
	},
	{
		"rows with a halo of 8", true,
		`double a[600][52], b[600][52];
void f(void) { for (int t = 0; t < 3; t++) for (int i = 0; i < 600; i++) for (int j = 0; j < 52; j += 4) a[i][j] += b[i][j]; }`,
		`double a[600][64], b[600][64];
void f(void) { for (int t = 0; t < 3; t++) for (int i = 0; i < 600; i++) for (int j = 0; j < 64; j += 4) a[i][j] += b[i][j]; }`,
	},
	{
		"a norm by itself behind the sweeps", true,
		`double a[70000], b[70000], s;
void f(void) { for (int t = 0; t < 4; t++) for (int i = 0; i < 70000; i++) a[i] = a[i] * 0.5 + b[i]; }`,
		`double a[70000], b[70000], s;
void f(void) { for (int t = 0; t < 4; t++) for (int i = 0; i < 70000; i++) a[i] = a[i] * 0.5 + b[i];
for (int i = 0; i < 70000; i++) s += a[i] * a[i]; }`,
	},
	{
		"one array walked down its columns", true,
		`double a[160][160], b[160][160], c[160][160];
void f(void) { for (int t = 0; t < 8; t++) { for (int i = 0; i < 160; i++) for (int j = 0; j < 160; j++) a[i][j] += b[i][j]; }
for (int i = 0; i < 160; i++) for (int j = 0; j < 160; j++) c[i][j] += a[i][j]; }`,
		`double a[160][160], b[160][160], c[160][160];
void f(void) { for (int t = 0; t < 8; t++) { for (int i = 0; i < 160; i++) for (int j = 0; j < 160; j++) a[i][j] += b[i][j]; }
for (int j = 0; j < 20; j++) for (int i = 0; i < 160; i++) c[i][j] += a[i][j];
for (int i = 0; i < 160; i++) for (int j = 20; j < 160; j++) c[i][j] += a[i][j]; }`,
	},
	{
		"tiles that are too small", true,
		`double a[192][192], b[192][192], c[192][192];
void f(void) { for (int kk = 0; kk < 192; kk += 16) for (int jj = 0; jj < 192; jj += 16) for (int i = 0; i < 192; i++) for (int k = kk; k < kk + 16; k++) for (int j = jj; j < jj + 16; j++) c[i][j] += a[i][k] * b[k][j]; }`,
		`double a[192][192], b[192][192], c[192][192];
void f(void) { for (int kk = 0; kk < 192; kk += 12) for (int jj = 0; jj < 192; jj += 16) for (int i = 0; i < 192; i++) for (int k = kk; k < kk + 12; k++) for (int j = jj; j < jj + 16; j++) c[i][j] += a[i][k] * b[k][j]; }`,
	},
	{
		"one sweep more", true,
		`double a[100000];
void f(void) { for (int t = 0; t < 9; t++) for (int i = 0; i < 100000; i++) a[i] = a[i] + 1; }`,
		`double a[100000];
void f(void) { for (int t = 0; t < 10; t++) for (int i = 0; i < 100000; i++) a[i] = a[i] + 1; }`,
	},
	{
		"a wider stencil in the third dimension", true,
		`double a[40][60][60], b[40][60][60];
void f(void) { for (int i = 2; i < 38; i++) for (int j = 2; j < 58; j++) for (int k = 2; k < 58; k++) b[i][j][k] = a[i][j][k] + a[i-1][j][k] + a[i+1][j][k]; }`,
		`double a[40][60][60], b[40][60][60];
void f(void) { for (int i = 2; i < 38; i++) for (int j = 2; j < 58; j++) for (int k = 2; k < 58; k++) b[i][j][k] = a[i][j][k] + a[i-1][j][k] + a[i+1][j][k] + a[i-2][j][k] + a[i+2][j][k]; }`,
	},
	{
		"every third of 20 sweeps also copies", true,
		`double a[60000], b[60000];
void f(void) { for (int t = 0; t < 20; t++) for (int i = 0; i < 60000; i++) a[i] = a[i] * 0.9; for (int i = 0; i < 60000; i++) b[i] = a[i]; }`,
		`double a[60000], b[60000];
void f(void) { for (int t = 0; t < 20; t++) { for (int i = 0; i < 60000; i++) a[i] = a[i] * 0.9; if (t % 7 == 0) for (int i = 0; i < 60000; i++) b[i] = a[i]; } for (int i = 0; i < 60000; i++) b[i] = a[i]; }`,
	},
	{
		"a table of coefficients that is larger", true,
		`double a[90000], table[3000];
void f(void) { for (int t = 0; t < 30; t++) for (int i = 0; i < 3000; i++) a[3000 * t + i] += table[i]; }`,
		`double a[90000], table[90000];
void f(void) { for (int t = 0; t < 30; t++) for (int i = 0; i < 3000; i++) a[3000 * t + i] += table[1000 * t + i]; }`,
	},

	{
		"renamed", false,
		`double a[90000], b[90000];
void f(void) { for (int i = 0; i < 90000; i++) a[i] = b[i] + a[i]; }`,
		`double state[90000], input[90000];
void advance(void) { for (int cell = 0; cell < 90000; cell++) state[cell] = input[cell] + state[cell]; }`,
	},
	{
		"operands in another order", false,
		`double a[90000], b[90000], c[90000];
void f(void) { for (int i = 0; i < 90000; i++) a[i] = b[i] + c[i] * 3; }`,
		`double a[90000], b[90000], c[90000];
void f(void) { for (int i = 0; i < 90000; i++) a[i] = 3 * c[i] + b[i]; }`,
	},
	{
		"unrolled twice", false,
		`double a[80001], b[80001];
void f(void) { for (int i = 0; i < 80001; i++) a[i] += b[i]; }`,
		`double a[80001], b[80001];
void f(void) { for (int i = 0; i < 80000; i += 2) { a[i] += b[i]; a[i + 1] += b[i + 1]; } a[80000] += b[80000]; }`,
	},
	{
		"two loops fused", false,
		`double a[80000], b[80000], c[80000];
void f(void) { for (int i = 0; i < 80000; i++) b[i] = 2 * a[i]; for (int i = 0; i < 80000; i++) c[i] = b[i] + a[i]; }`,
		`double a[80000], b[80000], c[80000];
void f(void) { for (int i = 0; i < 80000; i++) { b[i] = 2 * a[i]; c[i] = b[i] + a[i]; } }`,
	},
	{
		"loops interchanged for the better", false,
		`double a[200][200], b[200][200];
void f(void) { for (int j = 0; j < 200; j++) for (int i = 0; i < 200; i++) a[i][j] += b[i][j]; }`,
		`double a[200][200], b[200][200];
void f(void) { for (int i = 0; i < 200; i++) for (int j = 0; j < 200; j++) a[i][j] += b[i][j]; }`,
	},
	{
		"a product's loops interchanged", false,
		`double a[160][160], b[160][160], c[160][160];
void f(void) { for (int i = 0; i < 160; i++) for (int j = 0; j < 160; j++) for (int k = 0; k < 160; k++) c[i][j] += a[i][k] * b[k][j]; }`,
		`double a[160][160], b[160][160], c[160][160];
void f(void) { for (int i = 0; i < 160; i++) for (int k = 0; k < 160; k++) for (int j = 0; j < 160; j++) c[i][j] += a[i][k] * b[k][j]; }`,
	},
	{
		"a function taken out", false,
		`double a[300][300], b[300][300];
void f(void) { for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) a[i][j] = b[i][j] * b[i][j]; }`,
		`double a[300][300], b[300][300];
static void row(int i) { for (int j = 0; j < 300; j++) a[i][j] = b[i][j] * b[i][j]; }
void f(void) { for (int i = 0; i < 300; i++) row(i); }`,
	},
	{
		"flat subscripts", false,
		`double a[300][300], b[300][300];
void f(void) { for (int i = 1; i < 299; i++) for (int j = 1; j < 299; j++) a[i][j] = b[i][j - 1] + b[i][j + 1] + b[i - 1][j] + b[i + 1][j]; }`,
		`double a[90000], b[90000];
void f(void) { for (int i = 1; i < 299; i++) for (int j = 1; j < 299; j++) a[300 * i + j] = b[300 * i + j - 1] + b[300 * i + j + 1] + b[300 * (i - 1) + j] + b[300 * (i + 1) + j]; }`,
	},
	{
		"more work on the same data", false,
		`double a[90000], b[90000];
void f(void) { for (int i = 0; i < 90000; i++) a[i] = b[i] * 2; }`,
		`double a[90000], b[90000];
void f(void) { for (int i = 0; i < 90000; i++) { double x = b[i]; a[i] = x * 2; } }`,
	},
	{
		"an array dropped", false,
		`double a[90000], b[90000], c[90000];
void f(void) { for (int i = 0; i < 90000; i++) { c[i] = b[i]; a[i] = c[i] * 2; } }`,
		`double a[90000], b[90000];
void f(void) { for (int i = 0; i < 90000; i++) a[i] = b[i] * 2; }`,
	},
	{
		"backwards", false,
		`double a[90001], b[90001];
void f(void) { for (int i = 0; i < 90001; i++) a[i] = a[i] + b[i]; }`,
		`double a[90001], b[90001];
void f(void) { for (int i = 90000; i >= 0; i--) a[i] = a[i] + b[i]; }`,
	},
	{
		"bounds written in another way", false,
		`double a[100][100][20], b[100][100][20];
void f(void) { for (int i = 0; i < 100; i++) for (int j = 0; j < 100; j++) for (int k = 0; k < 20; k++) a[i][j][k] -= b[i][j][k]; }`,
		`double a[100][100][20], b[100][100][20];
void f(void) { int n = 100; for (int i = n - 1 - 99; i <= n - 1; ++i) for (int j = 0; j != n; j++) { int k = 0; while (k < 20) { a[i][j][k] -= b[i][j][k]; k++; } } }`,
	},
	{
		"an unused array between", false,
		`double a[90000], b[90000];
void f(void) { for (int i = 0; i < 90000; i++) a[i] = a[i] + b[i] * b[i]; }`,
		`double a[90000], unused[12345], b[90000];
void f(void) { for (int i = 0; i < 90000; i++) a[i] = a[i] + b[i] * b[i]; }`,
	},
	{
		"a sum kept in a register", false,
		`double a[250][250], x[250], y[250];
void f(void) { for (int i = 0; i < 250; i++) for (int j = 0; j < 250; j++) y[i] += a[i][j] * x[j]; }`,
		`double a[250][250], x[250], y[250];
void f(void) { for (int i = 0; i < 250; i++) { double s = y[i]; for (int j = 0; j < 250; j++) s += a[i][j] * x[j]; y[i] = s; } }`,
	},
	{
		"symmetric half by pairs", false,
		`double a[200][200], s;
void f(void) { for (int i = 0; i < 200; i++) for (int j = 0; j <= i; j++) s += a[i][j]; }`,
		`double a[200][200], s;
void f(void) { for (int i = 0; i < 200; i++) { for (int j = 0; j < i; j++) s += a[i][j]; s += a[i][i]; } }`,
	},
}
