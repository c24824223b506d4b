/// What malloc does with memory that is not used at the moment. Every contender is measured with each setting: giving memory back and
/// having it brought again costs those most who free much at once, whoever they are.
package enum MemorySetting: String, Codable, CaseIterable {
    /// As the system has it: a large free end of the heap goes back.
    case system
    /// Memory stays with the process.
    case kept

    /// What a contender's process gets.
    package var environment: [String: String] {
        switch self {
        case .system: [:]
        case .kept:
            [
                "MALLOC_TRIM_THRESHOLD_": "17179869184", "MALLOC_MMAP_MAX_": "0",
                "MALLOC_TOP_PAD_": "67108864",
            ]
        }
    }
}
