/// Memory for the bytes that are bound to a statement while it runs. It never moves, so pointers stay valid until `reset`.
final class BindBuffer {
    @exclusivity(unchecked) private var chunk: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var capacity = 16 * 1024
    @exclusivity(unchecked) private var used = 0
    /// Chunks that were full when more was needed.
    @exclusivity(unchecked) private var full: [UnsafeMutableRawPointer] = []

    init() { chunk = .allocate(byteCount: capacity, alignment: 8) }

    deinit {
        chunk.deallocate()
        full.forEach { $0.deallocate() }
    }

    @inline(__always) func reset() {
        used = 0
        if !full.isEmpty { releaseFull() }
    }

    private func releaseFull() {
        full.forEach { $0.deallocate() }
        full.removeAll()
    }

    /// Room for `count` bytes.
    @inline(__always) func room(_ count: Int) -> UnsafeMutableRawPointer {
        if used + count > capacity { grow(count) }
        let start = chunk + used
        used += count
        return start
    }

    @inline(never) private func grow(_ count: Int) {
        full.append(chunk)
        capacity = max(capacity, count)
        chunk = .allocate(byteCount: capacity, alignment: 8)
        used = 0
    }
}
