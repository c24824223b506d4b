/// `coredata doctor STORE`
package enum DoctorCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "doctor", "Check a store: its file, all values, required ones, relationships from both sides.",
        [.argument("STORE", "the store's file"), .option("model", "MODEL", "a model, if the store carries none")],
        example: "coredata doctor Cinema.sqlite")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let opened = try OpenedStore(arguments.required("STORE"), modelPath: arguments.text("model"))
        let checkup = try StoreCheckup(opened) { output.progress($0) }
        if arguments.has("json") {
            output.write(
                .object([
                    "objects": JSONValue(checkup.objectCount),
                    "findings": .array(
                        checkup.findings.map {
                            .object([
                                "object": JSONValue($0.object), "property": JSONValue($0.property), "text": .string($0.text),
                            ])
                        }),
                ]))
        } else {
            for finding in checkup.findings { output.line(TextWidth.shown(finding.line)) }
            let count = checkup.findings.count
            output.line(
                "\(checkup.objectCount) objects checked: "
                    + (count == 0 ? "nothing is wrong" : count == 1 ? "1 finding" : "\(count) findings"))
        }
        return checkup.findings.isEmpty ? .success : .findings
    }
}
