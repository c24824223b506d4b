public import Foundation
import FoundationGaps

extension NSManagedObjectModel {
    /// The model as the bytes of a compiled model: what a `.mom` file has, and what Core Data keeps in a store. Not in Apple's
    /// framework.
    ///
    /// It is what Apple's compiler makes of the model's source. So attributes that are marked as indexed get a fetch index of
    /// their name, and attributes that have a fetch index of their own are marked as indexed. Version hashes are not part of it:
    /// a `.momd` folder has them beside the models, see ``compileModel(at:to:)``.
    ///
    /// - Throws: 134060 for a model that contradicts itself, or has something that compiled models are not known to hold: values
    ///   of an app's own classes as defaults, predicates with closures, `SUBQUERY` or `TERNARY`. The message names the place.
    public final func compiledData() throws -> Data {
        try requireSound()
        return try writing { try ModelArchiveWriter.data(for: compiled()) }
    }

    /// The model as the text of a model file: what the file `contents` in a `.xcdatamodel` folder has. Not in Apple's framework.
    ///
    /// The layout is that of Apple's model editor. What a file says for the editor alone, such as the kind of code that is
    /// generated, is kept from the file that the model was read from. Predicates are written anew, with the same meaning.
    ///
    /// - Throws: 134060 for a model that contradicts itself, or has something that such files can't hold: default values that are
    ///   bytes, validation predicates other than limits, fetch requests that sort or group. The message names the place.
    public final func sourceData() throws -> Data {
        try requireSound()
        return try writing { try ModelXMLWriter.data(for: self) }
    }

    /// The model as stores keep it: packed, see ``read(cache:hashes:from:)``.
    ///
    /// - Throws: As ``compiledData()``.
    package final func cacheData() throws -> Data { Deflater.deflate(try compiledData()) }

    private final func requireSound() throws {
        let problems = structuralProblems
        guard !problems.isEmpty else { return }
        throw NSError.coreData(NSCoreDataError, "The data model can't be written: \(problems.joined(separator: "; "))")
    }

    private final func writing(_ body: () throws -> Data) throws -> Data {
        do { return try body() } catch let problem as ModelProblem {
            throw NSError.coreData(NSCoreDataError, "The data model can't be written: \(problem.text)")
        }
    }

    /// The model as Apple's compiler leaves it.
    package final func compiled() -> NSManagedObjectModel {
        guard !isCompiled, let copy = copy() as? NSManagedObjectModel else { return self }
        copy.isCompiled = true
        for entity in copy.entities {
            let indexed = entity.ownProperties.filter { $0.isIndexed && $0 is NSAttributeDescription }
            let single = Set(entity.indexes.filter { $0.elements.count == 1 }.compactMap { $0.elements[0].propertyName })
            for property in entity.ownProperties where single.contains(property.name) && property is NSAttributeDescription {
                property.isIndexed = true
            }
            guard !listsImplicitIndexes else { continue }
            entity.indexes += indexed.filter { !single.contains($0.name) }.map { property in
                NSFetchIndexDescription(
                    name: property.name, elements: [NSFetchIndexElementDescription(property: property, collationType: .binary)])
            }
        }
        copy.listsImplicitIndexes = true
        return copy
    }
}
