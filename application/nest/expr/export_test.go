package expr

// GuidedStart is where a chunk of a guided loop begins, for tests of expressions.
var GuidedStart = Algebra{}.GuidedStart
