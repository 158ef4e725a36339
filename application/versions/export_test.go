package versions

// Unpack is unpack, for its fuzz target.
var Unpack = unpack
