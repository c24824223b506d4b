import SwiftSyntax

/// Visits the nodes of a tree in the order of the text. It uses no recursion, because a source may nest, or chain
/// members, to any depth.
enum SyntaxWalk {
    private enum Step {
        case enter(Syntax)
        case leave(Syntax)
    }

    /// - Parameters:
    ///   - root: The node to begin with.
    ///   - enter: Called for a node before its children; false leaves them out.
    ///   - leave: Called after the children, if they were visited.
    static func visit(_ root: Syntax, enter: (Syntax) -> Bool, leave: (Syntax) -> Void) {
        var steps: [Step] = [.enter(root)]
        while let step = steps.popLast() {
            switch step {
            case .leave(let node): leave(node)
            case .enter(let node):
                guard enter(node) else { continue }
                steps.append(.leave(node))
                for child in node.children(viewMode: .sourceAccurate).reversed() where child.kind != .token {
                    steps.append(.enter(child))
                }
            }
        }
    }
}
