import OpenCoreData
import TestSupport
import Testing

@Suite("Rows that no Core Data wrote never stop the program when they are read", .enabled(if: Python.isAvailable))
struct BadRowTests {
    /// A store with one object of each kind, all linked.
    private func store() throws -> AtlasStore {
        let store = try AtlasStore()
        try store.run { context in
            let root = context.make("Folder", ["name": "root"])
            let values: [String: Any] = [
                "int16": 1, "int32": 2, "int64": 3, "flag": true, "double": 1.5, "float": Float(2.5), "decimal": Decimal(4),
                "text": "t", "data": Data([1]),
                "picture": Data([2]), "uuid": UUID(), "uri": URL(fileURLWithPath: "/x"),
                "color": Atlas.Color(red: 1, green: 2, blue: 3), "archive": ["a"],
                "place": ["street": "s", "number": 1] as [String: Any], "date": Date(),
            ]
            let document = context.make("Document", values.merging(["name": "d"]) { $1 })
            let report = context.make("Report", ["name": "r"])
            root.setOrdered("children", [document, report])
            document.setValue(report, forKey: "main")
            let tag = context.make("Tag", ["label": "red"])
            document.setMembers("tags", [tag])
            let person = context.make("Person", ["name": "ann"])
            document.setOrdered("authors", [person])
            _ = context.make("Cover", ["document": document])
            try context.save()
        }
        return store
    }

    /// Changes copies of a store by SQL, one by each statement, and reads them. What a fetch refuses is error 259 with file and place; what it gives can
    /// be read to the last property.
    ///
    /// - Returns: What is in each copy, and the messages of those that were refused.
    private func read(_ store: AtlasStore, _ statements: [String]) throws -> (
        contents: [(String, StoreContents)], refusals: [String]
    ) {
        var result: (contents: [(String, StoreContents)], refusals: [String]) = ([], [])
        for (statement, url) in zip(statements, try Python.variants(of: store.url, statements)) {
            let session = try StoreSession(url, Atlas.model(at: store.source, rawTransformables: true))
            let outcome = session.context.run { context in
                Result {
                    let all = try ["Thing", "Tag", "Person", "Cover"].map {
                        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: $0))
                    }
                    return try withExtendedLifetime(all) { try StoreContents(of: context, session.model) }
                }
            }
            switch outcome {
            case .success(let contents): result.contents.append((statement, contents))
            case .failure(let error as NSError):
                #expect(error.domain == NSCocoaErrorDomain, "\(statement)")
                #expect(error.code == CocoaError.fileReadCorruptFile.rawValue, "\(statement): \(error)")
                #expect(error.file == url.path, "\(statement)")
                result.refusals.append(error.localizedDescription)
            }
            try session.close()
        }
        return result
    }

    @Test(
        "A value of another storage class in a column",
        arguments: [
            "ZINT16", "ZINT32", "ZINT64", "ZFLAG", "ZDOUBLE", "ZFLOAT", "ZDECIMAL", "ZTEXT", "ZDATE", "ZDATA", "ZPICTURE",
            "ZUUID", "ZURI", "ZCOLOR", "ZARCHIVE",
            "ZCREATED", "ZNAME", "ZPARENT", "ZMAIN", "Z_FOK_PARENT", "ZORIGIN",
        ])
    func storageClasses(column: String) throws {
        let store = try store()
        let values = [
            "NULL", "'text'", "''", "x'00ff80'", "x''", "x'02'", "x'0241'", "1e300", "-1", "9223372036854775807",
            "x'62706c69737430306161'",
        ]
        let found = try read(store, values.map { "UPDATE ZTHING SET \(column) = \($0)" })
        for (statement, contents) in found.contents { #expect(contents.objects.count == 6, "\(statement)") }
        for message in found.refusals { #expect(message.contains("is damaged") && message.contains("row"), "\(message)") }
    }

    @Test("Keys that lead nowhere, entity numbers that don't exist, versions and highest keys that are no numbers, missing rows")
    func links() throws {
        let statements = [
            "UPDATE ZTHING SET ZPARENT = 999", "UPDATE ZTHING SET ZMAIN = 999", "UPDATE ZCOVER SET ZDOCUMENT = 999",
            "UPDATE ZTHING SET Z_ENT = 77 WHERE ZNAME = 'd'",
            "UPDATE ZTHING SET Z_ENT = NULL WHERE ZNAME = 'd'", "UPDATE ZTHING SET Z_OPT = NULL", "UPDATE ZTHING SET Z_OPT = 'x'",
            "UPDATE ZTHING SET Z_OPT = -1",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0", "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL", "DELETE FROM ZTHING WHERE ZNAME = 'd'",
            "DELETE FROM ZPERSON", "DELETE FROM ZTAG",
        ]
        let found = try read(try store(), statements)
        for (statement, contents) in found.contents { #expect((4...6).contains(contents.objects.count), "\(statement)") }
        #expect(found.refusals == [])
    }
}

extension Python {
    /// Copies of a file, each changed by one statement.
    static func variants(of url: URL, _ statements: [String]) throws -> [URL] {
        let program = """
            import shutil, sqlite3, sys
            for i, statement in enumerate(sys.argv[2:]):
                path = sys.argv[1] + ".%d.sqlite" % i
                shutil.copy(sys.argv[1], path)
                connection = sqlite3.connect(path)
                connection.execute(statement)
                connection.commit()
                connection.close()
            """
        let outcome = try runProcess("python3", ["-c", program, url.path] + statements)
        try #require(outcome.status == 0, "\(outcome.errorText)")
        return statements.indices.map { URL(fileURLWithPath: "\(url.path).\($0).sqlite") }
    }
}
