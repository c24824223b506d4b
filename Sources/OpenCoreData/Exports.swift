// One import for everything: the system's Core Data where there is one, this package's runtime elsewhere, and the typed layer.

@_exported import Foundation
@_exported import TypedObjects

// A module that is called CoreData may be this package's own: it says nothing about the system.
#if canImport(Darwin)
    @_exported import CoreData
#else
    @_exported import DataModel
    @_exported import FoundationGaps
    @_exported import LiveQueries
    @_exported import ObjectGraph
    @_exported import Predicates
#endif
