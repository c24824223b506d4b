import Foundation
import Predicates

/// An object whose values are given by name.
final class Person: NSObject, KeyValueCoding {
    let values: [String: Any]

    init(values: [String: Any]) {
        self.values = values
    }

    func value(forKey key: String) -> Any? { values[key] }

    var name: String? { values["name"] as? String }
    var age: Int { values["age"] as? Int ?? 0 }
}
