/// One element of a model file, with the line where its start tag ends.
final class ModelXMLNode {
    let name: String
    let attributes: [String: String]
    let line: Int
    private(set) var children: [ModelXMLNode] = []
    /// The text in the element, if the parser was told to keep it.
    private(set) var text = ""

    init(name: String, attributes: [String: String], line: Int) {
        self.name = name
        self.attributes = attributes
        self.line = line
    }

    func add(_ child: ModelXMLNode) {
        children.append(child)
    }

    func add(_ part: String) {
        text += part
    }

    func children(named name: String) -> [ModelXMLNode] {
        children.filter { $0.name == name }
    }

    subscript(key: String) -> String? {
        attributes[key]
    }

    /// The attribute, or nil if it is absent or empty.
    func nonEmpty(_ key: String) -> String? {
        attributes[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Editors of different years write YES, true or 1.
    func flag(_ key: String) -> Bool {
        switch attributes[key] {
        case "YES", "true", "1": true
        default: false
        }
    }

    /// The flag, or a default where the attribute is absent.
    func flag(_ key: String, default value: Bool) -> Bool { attributes[key] == nil ? value : flag(key) }

    /// The key for an element `userInfo` that is empty.
    static let emptyUserInfo = "userInfo"

    /// The values of some attributes, as far as they are there; also that there is an empty `userInfo`.
    func values(of keys: Set<String>) -> [String: String]? {
        var found = attributes.filter { keys.contains($0.key) }
        // The editor writes the element when its pane was open, also with nothing in it.
        if userInfo.isEmpty, !children(named: "userInfo").isEmpty { found[Self.emptyUserInfo] = "" }
        return found.isEmpty ? nil : found
    }

    /// The entries of the `userInfo` children. A key that stands twice keeps its last value.
    var userInfo: [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        for entry in children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
            if let key = entry["key"] { result[key] = entry["value"] ?? "" }
        }
        return result
    }
}
