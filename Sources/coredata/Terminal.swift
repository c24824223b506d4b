import Foundation
import ModelTools

/// Standard output and standard error.
@MainActor final class Terminal: ToolOutput {
    let width: Int?
    let style: TextStyle
    private let isWatched = isatty(STDERR_FILENO) == 1
    private var hasProgress = false

    init() {
        let environment = ProcessInfo.processInfo.environment
        let isTerminal = isatty(STDOUT_FILENO) == 1
        width = isTerminal ? Self.columns ?? environment["COLUMNS"].flatMap(Int.init) ?? 80 : nil
        let wantsNoColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        style = isTerminal && !wantsNoColor && environment["TERM"] != "dumb" ? .colored : .plain
    }

    private static var columns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    func line(_ text: String) {
        endProgress()
        write(text + "\n", to: STDOUT_FILENO)
    }

    func remark(_ text: String) {
        endProgress()
        write(text + "\n", to: STDERR_FILENO)
    }

    func progress(_ text: String) {
        guard isWatched else { return }
        hasProgress = true
        write("\r\u{1B}[K\(text)", to: STDERR_FILENO)
    }

    private func endProgress() {
        guard hasProgress else { return }
        hasProgress = false
        write("\r\u{1B}[K", to: STDERR_FILENO)
    }

    private func write(_ text: String, to file: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Foundation.write(file, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    if file == STDERR_FILENO { return }
                    if errno == EPIPE { exit(0) }
                    remark("coredata: the results can't be written: \(String(cString: strerror(errno)))")
                    exit(ToolStatus.failure.rawValue)
                }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }
}
