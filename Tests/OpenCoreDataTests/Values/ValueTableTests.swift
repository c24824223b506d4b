import OpenCoreData
import TestSupport
import Testing

@Suite("R06, R07, R11, R31, R94: one meaning of a value everywhere")
struct ValueTableTests {
    /// Set to write the article anew.
    private static let isWriting = ProcessInfo.processInfo.environment["OPENCOREDATA_WRITE_VALUES"] != nil

    @Test("each odd value on each way in reads alike by each way out, or the way in refuses it; the article shows the table")
    func table() throws {
        let table = try ValueTable(isInMemory: false)
        try table.fill()
        #expect(table.disagreements.isEmpty, "\(table.disagreements.count):\n\(table.disagreements.joined(separator: "\n"))")
        let text = ValueArticle.text(table.values, table.outcomes)
        if Self.isWriting { try text.write(to: ValueArticle.url, atomically: true, encoding: .utf8) }
        #expect(
            try String(contentsOf: ValueArticle.url, encoding: .utf8) == text,
            "OPENCOREDATA_WRITE_VALUES=1 writes the article anew")
    }

    @Test("a store in memory takes and refuses the same values as a file")
    func memory() throws {
        let (file, memory) = (try ValueTable(isInMemory: false), try ValueTable(isInMemory: true))
        try file.fill()
        try memory.fill()
        #expect(memory.disagreements.isEmpty, "\(memory.disagreements.count):\n\(memory.disagreements.joined(separator: "\n"))")
        for (index, value) in file.values.enumerated() {
            for way in ValueTable.WayIn.allCases where memory.outcomes[index][way] != .impossible {
                let (a, b) = (file.outcomes[index][way], memory.outcomes[index][way])
                #expect(a == b, "\(value.attribute) \(value.label), \(way.rawValue)")
            }
        }
    }

    @Test("properties of all kinds and key-value coding agree, and batch requests with these")
    func ways() throws {
        let table = try ValueTable(isInMemory: false)
        try table.fill()
        for (value, outcomes) in zip(table.values, table.outcomes) {
            let known = ValueTable.WayIn.allCases.filter { $0 != .otherProgram && outcomes[$0] != .impossible }
            for way in known.dropFirst() {
                // A default of a kind that the attribute never has is refused with the model.
                if way == .modelDefault, case .refused = outcomes[way], case .refused? = outcomes[known[0]] { continue }
                #expect(
                    outcomes[way] == outcomes[known[0]],
                    "\(value.attribute) \(value.label): \(way.rawValue), \(known[0].rawValue)")
            }
        }
    }
}
