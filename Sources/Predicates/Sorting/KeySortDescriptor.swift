import Foundation
import FoundationGaps

/// A sort descriptor that reads its values by key: what `NSSortDescriptor(key:ascending:)` makes.
///
/// Foundation's own class offers no such initializer off Apple's systems, but lets a subclass compare in its own way.
final class KeySortDescriptor: NSSortDescriptor {
    let sortKey: String?
    let customComparator: Comparator?
    let textSelector: Selector?

    init(sortKey: String?, ascending: Bool, comparator: Comparator?, selector: Selector? = nil) {
        self.sortKey = sortKey
        textSelector = selector
        customComparator = comparator
        // The base class wants a key path; this class never follows it.
        super.init(keyPath: \NSObject.hash, ascending: ascending)
    }

    override var comparator: Comparator {
        let comparison = textComparison
        return customComparator ?? { SortKey($0).compare(SortKey($1), comparison) }
    }

    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        let result: ComparisonResult
        if let customComparator {
            result = customComparator(value(of: object1) as Any, value(of: object2) as Any)
        } else {
            result = SortKey(value(of: object1)).compare(SortKey(value(of: object2)), textComparison)
        }
        return ascending ? result : result.reversed
    }

    override var reversedSortDescriptor: Any {
        KeySortDescriptor(sortKey: sortKey, ascending: !ascending, comparator: customComparator, selector: textSelector)
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? KeySortDescriptor, customComparator == nil, other.customComparator == nil else {
            return self === object as AnyObject
        }
        return sortKey == other.sortKey && ascending == other.ascending && textSelector == other.textSelector
    }

    override var hash: Int { sortKey.hashValue }

    override var description: String {
        "(\(sortKey ?? "self"), \(ascending ? "ascending" : "descending"))"
    }

    var textComparison: TextComparison {
        guard let selector = textSelector else { return .codePoints }
        guard let comparison = TextComparison(rawValue: selector.description) else {
            fatalError(
                "The sort descriptor \(self) has the unknown selector \"\(selector)\". There are: "
                    + TextComparison.allCases.map(\.rawValue).joined(separator: " "))
        }
        return comparison
    }

    func value(of object: Any) -> Any? {
        guard let sortKey else { return object }
        return KeyedValue.value(of: object, forKeyPath: sortKey)
    }
}
