// One import for everything: Core Data, the typed layer, and Foundation.

@_exported public import DataModel
@_exported public import Foundation
@_exported public import FoundationGaps
@_exported public import LiveQueries
@_exported public import ObjectGraph
@_exported public import Predicates
@_exported public import TypedObjects
