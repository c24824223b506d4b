public import Foundation

extension NSManagedObjectModel {
    /// Reads a model from a `.xcdatamodeld` folder (its current version), a `.xcdatamodel` folder, or the `contents` file in it;
    /// or from the `.momd` folder, or a `.mom` file, that the build tool plugin `CoreDataModels` puts among the resources of a
    /// target.
    ///
    /// Apple's framework reads compiled models here; this one reads the sources, or copies of them, so that no compiler is
    /// needed. If the model can't be read, the reason is printed to the standard error output; `init(readingModelAt:)` throws it
    /// instead.
    ///
    /// - Parameter url: The place of the model.
    public convenience init?(contentsOf url: URL) {
        do {
            try self.init(readingModelAt: url)
        } catch {
            Self.report(error.localizedDescription)
            return nil
        }
    }

    /// Reads a model like `init(contentsOf:)`, and says what is wrong if it can't. Not in Apple's framework.
    ///
    /// - Parameter url: The place of the model.
    /// - Throws: An `NSError` of `NSCocoaErrorDomain`: 260 for a missing file, 259 for a file that is not a model, 134060
    ///   (`NSCoreDataError`) for a model that contradicts itself. The message names file, line, entity and property; several
    ///   problems are all in one error, and under `NSDetailedErrorsKey`.
    public convenience init(readingModelAt url: URL) throws {
        self.init()
        let file = try ModelBundle.contentsFile(for: url)
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            let reason = ModelProblem(error.localizedDescription)
            throw ModelProblem.error([reason], in: file, code: CocoaError.Code.fileReadUnknown.rawValue)
        }
        try read(data, from: file)
        let modules = ModelBundle.modules(withResource: file)
        if !modules.isEmpty { for entity in entities { entity.resourceModules = modules } }
    }

    /// Fills an empty model from the XML text of a model file.
    ///
    /// - Parameters:
    ///   - contents: The text.
    ///   - url: Where it comes from, for messages.
    package func read(_ contents: Data, from url: URL) throws {
        guard !contents.starts(with: Data("bplist".utf8)) else {
            let problem = ModelProblem("it is a binary property list, not an XML model file")
            throw ModelProblem.error([problem], in: url, code: CocoaError.Code.fileReadCorruptFile.rawValue)
        }
        switch ModelXMLParser.parse(contents) {
        case .failure(let problem):
            throw ModelProblem.error([problem], in: url, code: CocoaError.Code.fileReadCorruptFile.rawValue)
        case .success(let root):
            let kind = root["type"]
            guard root.name == "model", kind == "com.apple.IDECoreDataModeler.DataModel" else {
                let found = "<\(root.name)\(kind.map { " type=\"\($0)\"" } ?? "")>"
                let problem = ModelProblem("it is not a data model: its root element is \(found)", line: root.line)
                throw ModelProblem.error([problem], in: url, code: CocoaError.Code.fileReadCorruptFile.rawValue)
            }
            let reader = ModelXMLReader(root)
            let problems = reader.fill(self)
            guard problems.isEmpty else { throw ModelProblem.error(problems, in: url, code: NSCoreDataError) }
        }
    }
}
