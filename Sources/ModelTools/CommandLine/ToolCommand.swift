/// A command of the tool.
@MainActor package protocol ToolCommand {
    static var syntax: CommandSyntax { get }
    static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus
}
