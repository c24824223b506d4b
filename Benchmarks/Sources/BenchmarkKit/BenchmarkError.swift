import Foundation

/// Why a run stopped.
package struct BenchmarkError: LocalizedError {
    package let errorDescription: String?

    package init(_ text: String) {
        errorDescription = text
    }
}
