// Apple's name for this package, for code that says `import CoreData`. On Apple's systems that is the framework.

#if !canImport(Darwin)
    @_exported import OpenCoreData
#endif
