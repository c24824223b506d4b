import Foundation
import Predicates

// Foundation has classes of these names too. `import OpenCoreData` settles that for users; a test of the target alone says which it means.
typealias NSExpression = Predicates.NSExpression
typealias NSComparisonPredicate = Predicates.NSComparisonPredicate
