import Foundation

/// Counts its instances.
final class Counted: NSObject {
    nonisolated(unsafe) static var alive = 0
    let number: Int

    package init(_ number: Int) {
        self.number = number
        super.init()
        Counted.alive += 1
    }

    deinit { Counted.alive -= 1 }
}
