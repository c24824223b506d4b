public import Foundation
import Synchronization

extension NSManagedObjectModel {
    /// Makes a model with the entities of several models, which stay as they are.
    ///
    /// An entity that is the same in several models is taken once. If it is not the same in each, the initializer fails and
    /// prints what is wrong to the standard error output. Apple's framework raises an exception then.
    ///
    /// - Parameter models: The models; nil for those of the main bundle.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models else {
            guard let merged = Self.mergedModel(from: nil) else { return nil }
            self.init(byMerging: [merged])
            return
        }
        self.init()
        let merging = ModelMerging(models)
        guard merging.problems.isEmpty else {
            Self.report("The models can't be merged: \(merging.problems.joined(separator: "; "))")
            return nil
        }
        merging.fill(self)
    }

    /// The entities of all models among the resources of some bundles, as one model.
    ///
    /// Models are the `.momd` folders that the build tool plugin `CoreDataModels` makes, or `.xcdatamodeld` and `.xcdatamodel`
    /// folders among the resources that a target copies. If one can't be read or merged, the reason is printed to the standard
    /// error output.
    ///
    /// - Parameter bundles: Where to look; nil for the main bundle and the resources of the program's Swift packages.
    /// - Returns: The model; nil if there is none, or one of them is wrong.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let files = ModelSearch.models(in: ModelSearch.folders(of: bundles))
        let models = files.compactMap { NSManagedObjectModel(contentsOf: $0) }
        guard !files.isEmpty, models.count == files.count else { return nil }
        return NSManagedObjectModel(byMerging: models)
    }

    private static let reported = Mutex<Set<String>>([])

    /// Writes a line to standard error, if the process has not written it before.
    package static func reportOnce(_ text: String) {
        if reported.withLock({ $0.insert(text).inserted }) { report(text) }
    }

    package static func report(_ text: String) { FileHandle.standardError.write(Data("OpenCoreData: \(text)\n".utf8)) }
}
