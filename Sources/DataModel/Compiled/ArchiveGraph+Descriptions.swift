import Foundation
import FoundationGaps

/// What the objects of descriptions have in common.
extension ArchiveGraph {
    /// Archives always have one; the own name means none.
    func renamingIdentifier(of object: Object, name: String) throws -> String? {
        guard let text = try text("NSRenamingIdentifier", of: object), !text.isEmpty, text != name else { return nil }
        return text
    }

    func userInfo(of object: Object, path: String) throws -> (values: [AnyHashable: Any], issues: [ModelProblem]) {
        var values: [AnyHashable: Any] = [:]
        var issues: [ModelProblem] = []
        for entry in try member("NSUserInfo", of: object).flatMap(entries) ?? [] {
            guard let key = try text(entry.key), let value = try foundationValue(entry.value) else {
                issues.append(ModelProblem("\(path): a value of its user info is of a class that is not read"))
                continue
            }
            values[key] = value
        }
        return (values, issues)
    }

    /// - Returns: Harmless faults.
    func readCommonValues(
        of object: Object, into property: NSPropertyDescription, name: String, path: String
    ) throws -> [ModelProblem] {
        property.name = name
        property.isOptional = try flag("NSIsOptional", of: object)
        property.isTransient = try flag("NSIsTransient", of: object)
        property.isIndexed = try flag("NSIsIndexed", of: object)
        property.isIndexedBySpotlight = try flag(ModelArchiveKeys.isIndexedBySpotlight, of: object)
        property.versionHashModifier = try text("NSVersionHashModifier", of: object)
        property.renamingIdentifier = try renamingIdentifier(of: object, name: name)
        let (values, issues) = try userInfo(of: object, path: path)
        property.userInfo = values
        return issues
    }
}
