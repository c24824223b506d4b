@testable import SourcePorting

/// What porting makes of a source, with its lines kept.
func port(_ source: String) -> String { SourcePorter.port(source, style: .keepsLines).text }

/// The messages about a source, as `line:column severity text`.
func messages(_ source: String) -> [String] {
    SourcePorter.port(source, style: .keepsLines).messages.map { "\($0.line):\($0.column) \($0.severity) \($0.text)" }
}

/// How many line ends a text has.
func lineCount(_ text: String) -> Int { text.utf8.filter { $0 == UInt8(ascii: "\n") }.count }

/// A source that has every construct that a rule is about.
enum SampleSource {
    static let text = #"""
        import CoreData.CoreDataDefines

        @objc(Movie)
        @objcMembers public class Movie: NSManagedObject {
            convenience init(context: NSManagedObjectContext) { self.init(entity: A.entity(), insertInto: context) }
            @objc private override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
                super.init(entity: entity, insertInto: context)
            }
            @objc
            dynamic var path: String { #keyPath(Movie.title) + #keyPath(
                Movie.director.name) }
            @NSManaged private var a, b: Int16, c: String? // three
            @objc func validateA(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws { value.pointee = nil }
            let order = NSSortDescriptor(
                key: NSStringFromSelector(#selector(getter: Movie.title)), ascending: true,
                selector: #selector(NSString.localizedStandardCompare(_:)))
        }

        extension Movie {
            @objc(addActorsObject:)
            @NSManaged public func addToActors(_ value: Actor)
            @objc(insertScenes:
                atIndexes:)
            @NSManaged public func insertIntoScenes(_ values: [Scene], at indexes: NSIndexSet)
            @NSManaged public var actors: NSSet?
            @NSManaged public var scenes: NSOrderedSet?
            public override func awakeFromInsert() { super.awakeFromInsert() }
        }

        func clear() -> NSBatchDeleteRequest {
            NSBatchDeleteRequest(fetchRequest: Movie.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>)
        }

        @objc enum Kind: Int { case a }
        @objc protocol Titled {}
        #if canImport(UIKit)
        @objc final class Shown: NSObject {}
        #endif
        """#
}
