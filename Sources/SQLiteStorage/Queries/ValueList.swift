import CSQLite
import Storage

/// The values of a list as a table of one column: `SELECT value FROM coredata_list(?)`, the parameter being bound by `bind`.
///
/// SQLite knows tables by their modules, whose functions C calls with the memory that they have allocated.
final class ValueList {
    static let moduleName = "coredata_list"
    /// Tells SQLite's pointers to lists from others. It has to live for ever.
    private static let pointerType: StaticString = "coredata_list"

    let values: [RowValue]

    init(_ values: [RowValue]) { self.values = values }

    private static var typeName: UnsafePointer<CChar> {
        UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// SQLite keeps the list until another value is bound.
    static func bind(_ values: [RowValue], _ statement: OpaquePointer, _ index: Int32) {
        let list = Unmanaged.passRetained(ValueList(values)).toOpaque()
        sqlite3_bind_pointer(statement, index, list, typeName) { pointer in
            if let pointer { Unmanaged<ValueList>.fromOpaque(pointer).release() }
        }
    }

    static func register(_ handle: OpaquePointer) -> Int32 { sqlite3_create_module_v2(handle, moduleName, module, nil, nil) }

    // MARK: The module

    /// C sees the first field only, which is what it calls a cursor.
    private struct Cursor {
        var base = sqlite3_vtab_cursor()
        var list: Unmanaged<ValueList>?
        var index = 0

        var count: Int { list?._withUnsafeGuaranteedRef { $0.values.count } ?? 0 }
    }

    private static let hiddenColumn: Int32 = 1

    // Made once, never changed and never freed.
    nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var value = sqlite3_module()
        value.xConnect = { database, _, _, _, table, _ in
            let result = sqlite3_declare_vtab(database, "CREATE TABLE x(value, list HIDDEN)")
            guard result == SQLITE_OK else { return result }
            let memory = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
            memory.initialize(to: sqlite3_vtab())
            table?.pointee = memory
            return SQLITE_OK
        }
        value.xDisconnect = { table in
            table?.deallocate()
            return SQLITE_OK
        }
        value.xBestIndex = { _, information in information.map { bestIndex(&$0.pointee) } ?? SQLITE_ERROR }
        value.xOpen = { _, cursor in
            let memory = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            memory.initialize(to: Cursor())
            cursor?.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        value.xClose = { cursor in
            if let cursor { whole(cursor).deallocate() }
            return SQLITE_OK
        }
        value.xFilter = { cursor, _, _, count, arguments in
            guard let cursor else { return SQLITE_ERROR }
            let whole = whole(cursor)
            whole.pointee.index = 0
            whole.pointee.list = count > 0 ? sqlite3_value_pointer(arguments?[0], typeName).map { .fromOpaque($0) } : nil
            return SQLITE_OK
        }
        value.xNext = { cursor in
            if let cursor { whole(cursor).pointee.index += 1 }
            return SQLITE_OK
        }
        value.xEof = { cursor in cursor.map { whole($0).pointee.index < whole($0).pointee.count ? 0 : 1 } ?? 1 }
        value.xColumn = { cursor, context, column in
            guard let cursor, let context, column != hiddenColumn, let list = whole(cursor).pointee.list else { return SQLITE_OK }
            let index = whole(cursor).pointee.index
            list._withUnsafeGuaranteedRef { StoreFunctions.setResult(context, $0.values[index]) }
            return SQLITE_OK
        }
        value.xRowid = { cursor, row in
            if let cursor { row?.pointee = Int64(whole(cursor).pointee.index) }
            return SQLITE_OK
        }
        module.initialize(to: value)
        return UnsafePointer(module)
    }()

    private static func whole(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> UnsafeMutablePointer<Cursor> {
        UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self)
    }

    private static func bestIndex(_ information: inout sqlite3_index_info) -> Int32 {
        for index in 0..<Int(information.nConstraint) {
            let constraint = information.aConstraint[index]
            guard constraint.iColumn == hiddenColumn, Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ else { continue }
            guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
            information.aConstraintUsage[index].argvIndex = 1
            information.aConstraintUsage[index].omit = 1
            information.estimatedCost = 100
            information.estimatedRows = 100
            return SQLITE_OK
        }
        return SQLITE_OK
    }
}
