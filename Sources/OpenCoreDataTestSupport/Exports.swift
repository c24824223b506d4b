// The generator has a module of its own, because tests of lower targets use it, too.

@_exported public import SeededRandom
