// One generator for the tests of this package and of others.

@_exported public import SeededRandom
