package import Foundation

/// One save or batch request, as a store's history has it.
package struct HistoryTransaction: Sendable {
    package let number: Int64
    package let date: Date
    package let author: String?
    package let contextName: String?
    package let bundleID: String?
    package let processID: String?

    package init(
        number: Int64, date: Date, author: String?, contextName: String?, bundleID: String?, processID: String?
    ) {
        self.number = number
        self.date = date
        self.author = author
        self.contextName = contextName
        self.bundleID = bundleID
        self.processID = processID
    }
}
