/// A prepared fetch and how to decode its rows.
final class FetchStatement {
    let statement: Statement
    let family: FamilyReader

    init(_ statement: Statement, _ family: FamilyReader) {
        self.statement = statement
        self.family = family
    }
}
