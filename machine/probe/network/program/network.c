/* Measures messages between the ranks that it is started on, and prints a line for each sample:
 *
 *   mpi TEXT                        the library's own version
 *   host RANK NAME
 *   pingpong KIND BYTES SECONDS     one way, a batch's mean; KIND is node or link
 *   eager KIND BYTES                the largest message whose sender does not wait for the receive
 *   call BYTES SECONDS              of a sender, for a message that goes at once
 *   pairs KIND PAIRS BYTES SECONDS  all pairs at once, for each message of a stream
 *   allreduce RANKS BYTES SECONDS
 *   reduce BYTES SECONDS            of combining, without messages
 *   end
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 4 << 20, ROUNDS = 12, WINDOW = 8, STREAM = 1 << 20 };

static int rank, size;
static char *buffer, *other;

/* batch is the time of one message one way between two ranks, over so many round trips that the clock's steps do not count. */
static double batch(int a, int b, int bytes, int trips)
{
	if (rank != a && rank != b)
		return 0;
	int peer = rank == a ? b : a;
	char ready = 0;
	MPI_Sendrecv(&ready, 1, MPI_CHAR, peer, 1, &ready, 1, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	double begin = MPI_Wtime();
	for (int i = 0; i < trips; i++) {
		if (rank == a)
			MPI_Send(buffer, bytes, MPI_CHAR, b, 2, MPI_COMM_WORLD);
		MPI_Recv(buffer, bytes, MPI_CHAR, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == b)
			MPI_Send(buffer, bytes, MPI_CHAR, a, 2, MPI_COMM_WORLD);
	}
	return (MPI_Wtime() - begin) / trips / 2;
}

/* tripsOf are as many round trips as take some 300 us. */
static int tripsOf(double one)
{
	double n = 150e-6 / (one > 1e-8 ? one : 1e-8);
	return n < 2 ? 2 : n > 400 ? 400 : (int)n;
}

/* pingpong goes through all sizes in turn, over and over, so that what disturbs a moment disturbs one sample of each. */
static void pingpong(const char *kind, int a, int b)
{
	int sizes[64], trips[64], n = 0;
	sizes[n++] = 0;
	for (int s = 1; s <= LARGEST; s *= 2) {
		sizes[n++] = s;
		if (s > 8 && s < LARGEST)
			sizes[n++] = s + s / 2;
	}
	for (int i = 0; i < n; i++) {
		batch(a, b, sizes[i], 2);
		trips[i] = tripsOf(batch(a, b, sizes[i], 4));
		MPI_Bcast(&trips[i], 1, MPI_INT, a, MPI_COMM_WORLD);
	}
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < n; i++) {
			double t = batch(a, b, sizes[i], trips[i]);
			if (rank == a)
				printf("pingpong %s %d %.9g\n", kind, sizes[i], t);
		}
}

/* goes says whether a message's sender goes on before its receive is posted. The receiver says so some ms later, before it posts: where a sender is back and
 * that word is not there, it did not wait. Ranks that lose their processor make a try say nothing, so that one of some tries counts. */
static int goes(int a, int b, int bytes)
{
	const double late = 10e-3;
	int does = 0;
	for (int i = 0; i < 8; i++) {
		char word = 0;
		if (rank == a) {
			int there = 0;
			MPI_Recv(&word, 1, MPI_CHAR, b, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Send(buffer, bytes, MPI_CHAR, b, 4, MPI_COMM_WORLD);
			for (int k = 0; k < 64 && !there; k++)
				MPI_Iprobe(b, 8, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
			does = does || !there;
			MPI_Recv(&word, 1, MPI_CHAR, b, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else if (rank == b) {
			MPI_Send(&word, 1, MPI_CHAR, a, 3, MPI_COMM_WORLD);
			for (double begin = MPI_Wtime(); MPI_Wtime() - begin < late;)
				;
			MPI_Send(&word, 1, MPI_CHAR, a, 8, MPI_COMM_WORLD);
			MPI_Recv(buffer, bytes, MPI_CHAR, a, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
		MPI_Bcast(&does, 1, MPI_INT, a, MPI_COMM_WORLD);
		if (does)
			break;
	}
	return does;
}

/* eager prints the largest message that goes at once, where asking again gives the same answer. A byte goes under every library: where none does, the
 * ranks have no processors. */
static void eager(const char *kind, int a, int b)
{
	int low = 0, high = LARGEST; /* low goes, high does not */
	if (!goes(a, b, 1))
		high = 1;
	else if (goes(a, b, LARGEST))
		low = high;
	while (high - low > 1) {
		int middle = low + (high - low) / 2;
		if (goes(a, b, middle))
			low = middle;
		else
			high = middle;
	}
	int sure = low > 0 && goes(a, b, low) && (low == high || !goes(a, b, high));
	if (rank == a && sure)
		printf("eager %s %d\n", kind, low);
}

/* call is how long a sender is in the call for a small message. */
static void call(int a, int b)
{
	enum { MANY = 32, BYTES = 8 };
	for (int round = 0; round < ROUNDS; round++) {
		MPI_Request request[MANY];
		if (rank == a) {
			MPI_Recv(buffer, 1, MPI_CHAR, b, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			double begin = MPI_Wtime();
			for (int i = 0; i < MANY; i++)
				MPI_Isend(buffer, BYTES, MPI_CHAR, b, 6, MPI_COMM_WORLD, &request[i]);
			double t = (MPI_Wtime() - begin) / MANY;
			MPI_Waitall(MANY, request, MPI_STATUSES_IGNORE);
			printf("call %d %.9g\n", BYTES, t);
		} else if (rank == b) {
			for (int i = 0; i < MANY; i++)
				MPI_Irecv(other + 8 * i, BYTES, MPI_CHAR, a, 6, MPI_COMM_WORLD, &request[i]);
			MPI_Send(buffer, 1, MPI_CHAR, a, 5, MPI_COMM_WORLD);
			MPI_Waitall(MANY, request, MPI_STATUSES_IGNORE);
		}
	}
}

/* pairs streams from senders to receivers, all pairs at once; each keeps some messages under way. */
static void pairs(const char *kind, const int *from, const int *to, int n)
{
	int peer = -1, sends = 0;
	for (int i = 0; i < n; i++) {
		if (rank == from[i])
			peer = to[i], sends = 1;
		if (rank == to[i])
			peer = from[i];
	}
	for (int round = 0; round < ROUNDS; round++) {
		MPI_Request request[WINDOW];
		MPI_Barrier(MPI_COMM_WORLD);
		double begin = MPI_Wtime(), t = 0, longest;
		if (peer >= 0) {
			for (int i = 0; i < WINDOW; i++)
				if (sends)
					MPI_Isend(buffer, STREAM, MPI_CHAR, peer, 7, MPI_COMM_WORLD, &request[i]);
				else
					MPI_Irecv(other, STREAM, MPI_CHAR, peer, 7, MPI_COMM_WORLD, &request[i]);
			MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
			t = (MPI_Wtime() - begin) / WINDOW;
		}
		MPI_Reduce(&t, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
		if (rank == 0)
			printf("pairs %s %d %d %.9g\n", kind, n, STREAM, longest);
	}
}

static void allreduce(int bytes)
{
	int n = bytes / 8;
	for (int round = 0; round < ROUNDS; round++) {
		MPI_Barrier(MPI_COMM_WORLD);
		int times = bytes < 65536 ? 20 : 3;
		double begin = MPI_Wtime();
		for (int i = 0; i < times; i++)
			MPI_Allreduce(buffer, other, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		double t = (MPI_Wtime() - begin) / times, longest;
		MPI_Reduce(&t, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
		if (rank == 0)
			printf("allreduce %d %d %.9g\n", size, bytes, longest);
	}
}

static void reduce(void)
{
	for (int round = 0; round < ROUNDS && rank == 0; round++) {
		double begin = MPI_Wtime();
		MPI_Reduce_local(buffer, other, STREAM / 8, MPI_DOUBLE, MPI_SUM);
		printf("reduce %d %.9g\n", STREAM, MPI_Wtime() - begin);
	}
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	buffer = calloc(1, LARGEST);
	other = calloc(1, LARGEST);
	char name[MPI_MAX_PROCESSOR_NAME] = "", version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length;
	MPI_Get_processor_name(name, &length);
	MPI_Get_library_version(version, &length);
	char *names = malloc((size_t)size * sizeof name);
	int *from = malloc(size * sizeof *from), *to = malloc(size * sizeof *to), *taken = calloc(size, sizeof *taken);
	if (!buffer || !other || !names || !from || !to || !taken) {
		fprintf(stderr, "no memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	setvbuf(stdout, NULL, _IOFBF, 1 << 20); /* lines of one rank stay together */
	MPI_Allgather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, MPI_COMM_WORLD);
	if (rank == 0) {
		version[strcspn(version, "\r\n")] = 0;
		printf("mpi %s\n", version);
		for (int i = 0; i < size; i++)
			printf("host %d %s\n", i, names + (size_t)i * sizeof name);
	}
	if (size < 2) {
		if (rank == 0)
			printf("end\n");
		MPI_Finalize();
		return 0;
	}
	/* the first pair on one node, and the first between two: both begin with rank 0, which prints */
	int within = -1, between = -1;
	for (int i = size - 1; i > 0; i--)
		if (strcmp(names, names + (size_t)i * sizeof name) == 0)
			within = i;
		else
			between = i;
	for (int far = 0; far < 2; far++) {
		const char *kind = far ? "link" : "node";
		int b = far ? between : within, n = 0;
		if (b < 0)
			continue;
		pingpong(kind, 0, b);
		eager(kind, 0, b);
		if (far == (between >= 0))
			call(0, b);
		/* pairs from the first node to the second, or of neighbours on the first */
		memset(taken, 0, size * sizeof *taken);
		for (int i = 0; i < size; i++) {
			if (taken[i] || strcmp(names, names + (size_t)i * sizeof name))
				continue;
			for (int j = 0; j < size; j++)
				if (!taken[j] && j != i && strcmp(names + (size_t)b * sizeof name, names + (size_t)j * sizeof name) == 0) {
					from[n] = i, to[n++] = j, taken[i] = taken[j] = 1;
					break;
				}
		}
		for (int k = 1; k <= n; k = k < n && 2 * k > n ? n : 2 * k)
			pairs(kind, from, to, k);
	}
	for (int bytes = 8; bytes <= 1 << 20; bytes *= 32)
		allreduce(bytes);
	reduce();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("end\n");
	MPI_Finalize();
	return 0;
}
