import Foundation

/// Turns the bytes of a model file into a tree.
final class ModelXMLParser: XMLEventReader {
    private var root: ModelXMLNode?
    private var open: [ModelXMLNode] = []
    private let keepsText: Bool
    /// Models need five levels. Each one is a level of the stack for code that walks through the tree or releases it.
    private static let greatestDepth = 100

    private init(keepsText: Bool) { self.keepsText = keepsText }

    /// The root element, or what is wrong with the file and where.
    ///
    /// - Parameter keepsText: Whether texts between tags matter. In models they don't.
    static func parse(_ data: Data, keepsText: Bool = false) -> Result<ModelXMLNode, ModelProblem> {
        let tree = ModelXMLParser(keepsText: keepsText)
        do { try XMLEvents.read(data, into: tree, greatestDepth: greatestDepth) } catch let problem as XMLProblem {
            return .failure(ModelProblem(problem.text, line: problem.line, column: problem.column))
        } catch { return .failure(ModelProblem(error.localizedDescription)) }
        guard let root = tree.root else { return .failure(ModelProblem("the file is empty")) }
        return .success(root)
    }

    func begin(_ element: String, _ attributes: [String: String], line: Int) {
        let node = ModelXMLNode(name: element, attributes: attributes, line: line)
        if let parent = open.last { parent.add(node) } else if root == nil { root = node }
        open.append(node)
    }

    func end(_ element: String) { _ = open.popLast() }

    func text(_ part: String) {
        if keepsText { open.last?.add(part) }
    }
}
