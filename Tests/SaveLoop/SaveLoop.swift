import OpenCoreData

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Entity final class Total: NSManagedObject {
    var count: Int
}

@Entity final class Entry: NSManagedObject {
    var number: Int
    var text: String
}

@Entity final class Picture: NSManagedObject {
    var number: Int
    @Attribute(.externalStorage) var data: Data
}

/// A program for the tests: saves to a store again and again, and tells of each save that has returned.
///
/// `save-loop <store> kill`: saves until it is killed. Save n adds two entries with the number n and sets the total to n.
///
/// `save-loop <store> pictures`: saves until it is killed or there is nothing left to do. Save n replaces the picture n and deletes the picture -n.
///
/// `save-loop <store> share <count>`: so many saves to a store to which others save, too. Each adds two entries and raises a total of its own; every tenth deletes the
/// two entries of the save before.
///
/// `save-loop <store> fill`: larger and larger saves, in a process that may not write large files, until one fails; and that one once more without
/// the limit.
@main
enum SaveLoop {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2 else { return report("usage: save-loop <store> kill | pictures | share <count> | fill") }
        let container = try NSPersistentContainer(name: "SaveLoop", entities: Total.self, Entry.self, Picture.self)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: arguments[1]))]
        try container.loadPersistentStores()
        let context = container.newBackgroundContext()
        try context.performAndWait {
            if arguments[2] == "pictures" { return try replacePictures(context) }
            let total = Total(context: context, count: 0)
            try context.save()
            report("0")
            if arguments[2] == "fill" {
                try fill(context, total)
            } else if arguments[2] == "share" {
                try share(context, total, count: arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1)
            } else {
                // Whoever forgets to kill it gets the machine back.
                for number in 1...50_000 {
                    add(number, to: context, total, size: 3000)
                    try context.save()
                    report("\(number)")
                }
            }
        }
    }

    private static func add(_ number: Int, to context: NSManagedObjectContext, _ total: Total, size: Int) {
        for _ in 0..<2 { _ = Entry(context: context, number: number, text: String(repeating: "x", count: size)) }
        total.count = number
    }

    private static func replacePictures(_ context: NSManagedObjectContext) throws {
        let pictures = Dictionary(try context.fetch(Picture.self).map { ($0.number, $0) }) { first, _ in first }
        report("0")
        for number in 1...50_000 {
            guard let picture = pictures[number], let other = pictures[-number] else { return }
            picture.data = Data("new \(number)".utf8)
            context.delete(other)
            try context.save()
            report("\(number)")
        }
    }

    private static func share(_ context: NSManagedObjectContext, _ total: Total, count: Int) throws {
        var last: [Entry] = []
        for number in 1...max(1, count) {
            if number.isMultiple(of: 10) {
                last.forEach(context.delete)
                total.count -= last.count
            }
            last = (0..<2).map { _ in
                Entry(context: context, number: number, text: total.objectID.uriRepresentation().absoluteString)
            }
            total.count += 2
            try context.save()
            report("\(number)")
        }
    }

    private static func fill(_ context: NSManagedObjectContext, _ total: Total) throws {
        signal(SIGXFSZ, SIG_IGN)
        try limitFiles(to: 400_000)
        var number = 1
        do {
            while number < 100 {
                add(number, to: context, total, size: number * 5000)
                try context.save()
                report("\(number)")
                number += 1
            }
        } catch let error as NSError {
            report("\(error.domain) \(error.code) \(error.localizedDescription)")
            report("pending \(context.insertedObjects.count) \(context.updatedObjects.count) \(total.count == number)")
            try limitFiles(to: nil)
            try context.save()
            report("\(number)")
        }
    }

    /// Sets how large a file of this process may become.
    private static func limitFiles(to size: rlim_t?) throws {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let resource = RLIMIT_FSIZE
        #endif
        guard getrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
        limit.rlim_cur = size ?? limit.rlim_max
        guard setrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
    }

    /// Writes a line at once: who kills this program must have all lines of what has happened.
    private static func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
