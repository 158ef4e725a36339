// Package scaling predicts a metric (seconds, instructions, bytes, misses, …) at more processes or on bigger problems than
// were measured, from a few small runs.
//
// foresee's model. A series is y at points of the parameters: the number of processes p first, then sizes. In logarithms,
//
//	log y = a + Σ sⱼ·log qⱼ + b(u) + ε,   b(u) = ± log((1−o) + o·e^{Δu}),
//
// a power law in each parameter q, bent by an overhead: a part o of y, at the largest measured p, that falls more slowly
// (grows faster) than the rest by the power Δ of u, or with log p. u is log p, or log of p over the size per process
// where the sizes scale the work. s = −1, Δ = 1 is Amdahl's law, Δ = 1/3 the surface of a cube against its volume, s = 0 what
// does not change. Neither o and Δ nor the noise ε can be told from three or four points, so none is chosen: all on a grid
// are kept, each with the probability that the measurements leave it ([Prior] gives that before). Slopes and levels are
// integrated in closed form. The prediction is the median over what remains, the interval its quantiles. Series of
// one application share what they find: the second pass takes the first one's shares of slopes, bends and noise, of all series
// together, as its prior.
//
// An overhead that is still inside the noise of the small runs is so part of the interval, not of a guess; largest R², the
// usual judge of such fits, prefers the function that bends most.
//
// The published model. [APMT] is that of Ding, Lee, Xue and Zheng, "APMT: an automatic hardware counter-based performance
// modeling tool for HPC applications", CCF Trans. HPC 2, 2020: each counter a polynomial, exponential or logarithm, whichever
// has the largest R²; equations 2 to 4 put them together. [PowerLaw] and [TimesP] are the usual baselines.
//
// Messages. Their volume follows the decomposition of the domain ([Halo]), the time of one collective call follows
// a·log P + b·s + c, for each class of sizes ([FitCollective]).
//
// Models are values: what one was fitted to is in it, and At(point) is a pure function.
package scaling
