// The generator has a module of its own, because the tests of what stands below use it, too.

@_exported import SeededRandom
