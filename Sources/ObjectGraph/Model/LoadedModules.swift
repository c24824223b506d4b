import CSwiftRuntime
import Foundation

/// The names of the Swift modules of this process that declare classes: the main program's first, the others sorted.
///
/// A model often names a class without its module. On Apple's systems the Objective-C runtime finds it; here the
/// runtime's tables of nominal types tell which modules there are, and `NSClassFromString` does the rest.
enum LoadedModules {
    static let names: [String] = {
        let main = mainModule
        let others = discovered.subtracting(main.map { [$0] } ?? [])
        return (main.map { [$0] } ?? []) + others.sorted()
    }()

    private static var mainModule: String? {
        guard let name = Bundle.main.executableURL?.deletingPathExtension().lastPathComponent else { return nil }
        return String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    #if os(Linux) || os(Android) || os(FreeBSD)
        private final class Collector {
            var names: Set<String> = []
        }

        private static var discovered: Set<String> {
            let collector = Collector()
            swift_enumerateAllMetadataSections(collect, Unmanaged.passUnretained(collector).toOpaque())
            return collector.names
        }

        private static let collect: CSwiftImageBody = { sections, context in
            guard let context, let start = sections.pointee.types.start else { return true }
            let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
            for offset in stride(from: 0, to: sections.pointee.types.length - 3, by: 4) {
                if let name = moduleOfClass(start + offset) { collector.names.insert(name) }
            }
            return true
        }

        /// The module of the class that a type record refers to; nil for other types, and for types of the standard
        /// library.
        ///
        /// A record is a relative reference to a context descriptor: flags, a relative reference to the parent, and for
        /// modules a relative reference to the name. These forms are part of Swift's stable ABI.
        private static func moduleOfClass(_ record: UnsafeRawPointer) -> String? {
            let reference = record.load(as: Int32.self)
            guard reference & 3 == 0 else { return nil }
            var descriptor = record + Int(reference)
            let classKind: UInt32 = 16
            guard descriptor.load(as: UInt32.self) & 31 == classKind else { return nil }
            while descriptor.load(as: UInt32.self) & 31 != 0 {
                let parentField = descriptor + 4
                let parent = parentField.load(as: Int32.self)
                guard parent != 0 else { return nil }
                let address = parentField + Int(parent & ~1)
                descriptor = parent & 1 == 0 ? address : address.load(as: UnsafeRawPointer.self)
            }
            let nameField = descriptor + 8
            let name = String(cString: (nameField + Int(nameField.load(as: Int32.self))).assumingMemoryBound(to: CChar.self))
            return name == "Swift" || name.hasPrefix("Foundation") || name.hasPrefix("_") ? nil : name
        }
    #else
        private static var discovered: Set<String> { [] }
    #endif
}
