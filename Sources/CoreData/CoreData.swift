// Apple's name for this package, for code that says `import CoreData`. The module is empty on Apple's systems. An app that
// is built there, too, gives the product a condition, so that `import CoreData` means the framework.

#if !canImport(Darwin)
    @_exported public import OpenCoreData
#endif
