// One import for everything: Core Data, the typed layer, and Foundation.

@_exported import DataModel
@_exported import Foundation
@_exported import FoundationGaps
@_exported import LiveQueries
@_exported import ObjectGraph
@_exported import Predicates
@_exported import TypedObjects
