/// Takes the rows that an engine finds, in result order.
package protocol RowConsumer: AnyObject {
    /// Tells of the next row; with the answer `false` its values are not decoded and `take` is not called for it.
    func wantsValues(of key: RowKey) -> Bool

    /// The values of the row that `wantsValues(of:)` was just asked about.
    func take(_ row: Row, for key: RowKey)

    /// Tells that the row which `wantsValues(of:)` was just asked about has a value that can't be read.
    ///
    /// - Throws: the error, unless the consumer can do without the row's values.
    func takeFailure(_ error: any Error, for key: RowKey) throws

    /// Tells of the next row, whose values have to be asked for by themselves.
    func takeFault(_ key: RowKey)

    /// Keys of rows of one concrete entity, of a request that takes no values, in result order.
    func takeKeys(_ keys: UnsafeBufferPointer<Int64>, entity: Int)
}

extension RowConsumer {
    package func takeFailure(_ error: any Error, for key: RowKey) throws { throw error }

    package func takeFault(_ key: RowKey) { _ = wantsValues(of: key) }

    package func takeKeys(_ keys: UnsafeBufferPointer<Int64>, entity: Int) {
        for key in keys { _ = wantsValues(of: RowKey(entity: entity, key: key)) }
    }
}
