import CSQLite
import DataModel
import Foundation
import Storage

extension SQLiteReader {
    package func fetch(_ request: RowRequest, into consumer: some RowConsumer) throws {
        let store = try openStore(.reading)
        let isCut = request.limit != 0 || request.offset != 0
        switch request.selection {
        case .all:
            let fetch = try store.fetches.statement(shape(request, .all, isCut: isCut))
            bindRest(request, fetch.statement, from: 1, store)
            try run(fetch, request, into: consumer)
        case .keys(let keys):
            if keys.count == 1, !isCut, request.predicate == nil, request.takesValues {
                let fetch = try store.fetches.single(request.entity.index, includesSubentities: request.includesSubentities)
                fetch.statement.bind(keys[0], at: 1)
                try run(fetch, request, into: consumer)
            } else if isCut || !request.sortKeys.isEmpty {
                let fetch = try store.fetches.statement(shape(request, .anyKeys, isCut: isCut))
                fetch.statement.bind(jsonArray(keys), at: 1)
                bindRest(request, fetch.statement, from: 2, store)
                try run(fetch, request, into: consumer)
            } else {
                try inOneSnapshot(store, keys.count > 100) {
                    try forBatches(keys) { batch, count in
                        let fetch = try store.fetches.statement(shape(request, .keys(count), isCut: false))
                        bind(batch, count, fetch.statement)
                        bindRest(request, fetch.statement, from: Int32(count) + 1, store)
                        try run(fetch, request, into: consumer)
                    }
                }
            }
        case .members(let relationship, let owner):
            let fetch = try store.fetches.statement(shape(request, .members(relationship.id), isCut: isCut))
            fetch.statement.bind(owner, at: 1)
            bindRest(request, fetch.statement, from: 2, store)
            try run(fetch, request, into: consumer)
        case .matching(let row, let slots):
            let fetch = try store.fetches.statement(shape(request, matching(row, slots), isCut: false))
            try bind(row, slots, fetch.statement, store)
            bindRest(request, fetch.statement, from: Int32(slots.count) + 1, store)
            // What is bound points into the row.
            try withExtendedLifetime(row) { try run(fetch, request, into: consumer) }
        }
    }

    package func count(_ request: RowRequest) throws -> Int {
        let store = try openStore(.reading)
        var total = 0
        func add(_ selection: FetchShape.Selection, _ bind: (Statement) -> Void) throws {
            let shape = self.shape(request, selection, isCut: false, isCount: true)
            let statement = try store.fetches.statement(shape).statement
            bind(statement)
            bindRest(request, statement, from: Int32(shape.parameterCount) + 1, store, isCut: false)
            defer {
                statement.reset()
                releaseLists(request, statement)
            }
            if try statement.step(.reading) { total += Int(statement.integer(0)) }
        }
        switch request.selection {
        case .all: try add(.all) { _ in }
        case .keys(let keys):
            try inOneSnapshot(store, keys.count > 100) {
                try forBatches(keys) { batch, count in try add(.keys(count)) { bind(batch, count, $0) } }
            }
        case .members(let relationship, let owner): try add(.members(relationship.id)) { $0.bind(owner, at: 1) }
        case .matching(let row, let slots):
            var failure: (any Error)?
            try withExtendedLifetime(row) {
                try add(matching(row, slots)) { statement in
                    do { try bind(row, slots, statement, store) } catch { failure = error }
                }
            }
            if let failure { throw failure }
        }
        let rest = max(0, total - request.offset)
        return request.limit == 0 ? rest : min(rest, request.limit)
    }

    private func shape(
        _ request: RowRequest, _ selection: FetchShape.Selection, isCut: Bool, isCount: Bool = false
    ) -> FetchShape {
        FetchShape(
            entity: request.entity.index, includesSubentities: request.includesSubentities, selection: selection,
            predicate: request.predicate, constantCount: request.constants.count, sortKeys: isCount ? [] : request.sortKeys,
            isCut: isCut, takesValues: isCount || request.takesValues, isCount: isCount)
    }

    private func matching(_ row: Row, _ slots: [Int]) -> FetchShape.Selection {
        .matching(entity: row.layout.index, slots: slots)
    }

    /// Binds the values of some slots, each to the parameter of its position.
    private func bind(_ row: Row, _ slots: [Int], _ statement: Statement, _ store: OpenStore) throws {
        let stored = store.mapping.entities[row.layout.index]
        var columns = slots.enumerated().compactMap { index, slot in
            stored.column(slot: slot).map { ColumnWriter(encoding: $0.encoding, slot: slot, parameter: Int32(index + 1)) }
        }
        try columns.withUnsafeMutableBufferPointer {
            try store.writes.writer(row.layout.index).binder.bind(row, $0, statement.handle)
        }
    }

    /// Binds the constants and, behind them, limit and offset.
    private func bindRest(
        _ request: RowRequest, _ statement: Statement, from first: Int32, _ store: OpenStore, isCut: Bool = true
    ) {
        var index = first
        for constant in request.constants {
            statement.bind(constant, at: index, numbers: store.mapping.numbers)
            index += 1
        }
        guard isCut, request.limit != 0 || request.offset != 0 else { return }
        statement.bind(request.limit == 0 ? -1 : request.limit, at: index)
        statement.bind(request.offset, at: index + 1)
    }

    // MARK: Keys

    /// Ascending keys, without duplicates, in pieces that fit one of the statements for keys.
    private func forBatches(_ keys: [Int64], _ body: (ArraySlice<Int64>, Int) throws -> Void) throws {
        let sorted = keys.sorted()
        var start = 0
        while start < sorted.count {
            var end = min(sorted.count, start + 100)
            // A key that occurs twice must not come again in the next piece.
            while end < sorted.count, sorted[end] == sorted[end - 1] { end += 1 }
            var batch = sorted[start..<end]
            if end - start > 100 { batch = ArraySlice(Array(Set(batch)).sorted()) }
            let count = FetchShape.keyCounts.first { $0 >= batch.count } ?? 100
            try body(batch, count)
            start = end
        }
    }

    private func bind(_ keys: ArraySlice<Int64>, _ count: Int, _ statement: Statement) {
        var index: Int32 = 1
        for key in keys {
            statement.bind(key, at: index)
            index += 1
        }
        guard let last = keys.last else { return }
        while index <= Int32(count) {
            statement.bind(last, at: index)
            index += 1
        }
    }

    func jsonArray(_ keys: [Int64]) -> String {
        "[" + keys.map(String.init).joined(separator: ",") + "]"
    }

    /// One read transaction around several statements costs less than one for each, and shows one state of the file.
    private func inOneSnapshot(_ store: OpenStore, _ isWanted: Bool, _ body: () throws -> Void) throws {
        guard isWanted, !store.connection.isInTransaction else { return try body() }
        try store.connection.execute("BEGIN", .reading)
        do {
            try body()
            try store.connection.execute("COMMIT", .reading)
        } catch {
            store.connection.rollBack()
            throw error
        }
    }

    // MARK: Rows

    /// A prepared statement may never be used again, so it does not hold long lists.
    private func releaseLists(_ request: RowRequest, _ statement: Statement) {
        guard !request.constants.isEmpty else { return }
        sqlite3_clear_bindings(statement.handle)
    }

    private func run(_ fetch: FetchStatement, _ request: RowRequest, into consumer: some RowConsumer) throws {
        let (statement, connection) = (fetch.statement, fetch.statement.connection)
        let handle = statement.handle
        statement.isInUse = true
        defer {
            sqlite3_reset(handle)
            statement.isInUse = false
            releaseLists(request, statement)
        }
        guard request.takesValues else { return try runKeys(fetch, into: consumer) }
        // Two loops, because a reader that is one or the other would be retained for each row.
        if let reader = fetch.family.single {
            while try statement.step(.reading) { try handOver(reader, handle, connection, consumer) }
        } else {
            while try statement.step(.reading) {
                guard let reader = fetch.family.reader(number: Int(sqlite3_column_int64(handle, 1))) else { continue }
                try handOver(reader, handle, connection, consumer)
            }
        }
    }

    /// Gives the current row to a consumer that wants it.
    @inline(__always)
    func handOver(
        _ reader: RowReader, _ handle: OpaquePointer, _ connection: Connection, _ consumer: some RowConsumer
    ) throws {
        let key = RowKey(entity: reader.entity, key: try rowKey(handle, connection))
        guard consumer.wantsValues(of: key) else { return }
        let row: Row
        do {
            row = try reader.read(handle, connection)
        } catch {
            return try consumer.takeFailure(error, for: key)
        }
        consumer.take(row, for: key)
    }

    /// Keys below zero are those of objects that no store has.
    @inline(__always) func rowKey(_ handle: OpaquePointer, _ connection: Connection) throws -> Int64 {
        let key = sqlite3_column_int64(handle, 0)
        guard key > 0 else {
            throw StoreFailure.damaged(connection.url, "a row has the key (Z_PK) \(key), and keys are greater than 0")
        }
        return key
    }

    /// Hands over keys in pieces, each of one entity: a call for each of very many would cost more than reading them.
    private func runKeys(_ fetch: FetchStatement, into consumer: some RowConsumer) throws {
        let (statement, handle) = (fetch.statement, fetch.statement.handle)
        try withUnsafeTemporaryAllocation(of: Int64.self, capacity: 256) { keys in
            var (count, last, entity) = (0, Int64.min, 0)
            func flush() {
                if count > 0 { consumer.takeKeys(UnsafeBufferPointer(rebasing: keys[..<count]), entity: entity) }
                count = 0
            }
            while try statement.step(.reading) {
                let number = sqlite3_column_int64(handle, 1)
                if number != last {
                    guard let reader = fetch.family.single ?? fetch.family.reader(number: Int(number)) else { continue }
                    if reader.entity != entity { flush() }
                    (last, entity) = (number, reader.entity)
                }
                keys[count] = try rowKey(handle, statement.connection)
                count += 1
                if count == keys.count { flush() }
            }
            flush()
        }
    }
}
