import Foundation

/// Why a run stopped.
struct BenchmarkError: LocalizedError {
    let errorDescription: String?

    init(_ text: String) {
        errorDescription = text
    }
}
