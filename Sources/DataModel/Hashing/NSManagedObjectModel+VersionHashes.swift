public import Foundation

extension NSManagedObjectModel {
    /// Takes over version hashes that Apple's compiler or framework has computed for the entities.
    ///
    /// They stay only as long as an entity does not change. Hashes for other entities than the model has are of another
    /// model, and are left alone.
    package final func adopt(versionHashes hashes: [String: Data]) {
        let own = entitiesByName
        guard !own.isEmpty, Set(own.keys) == Set(hashes.keys), hashes.values.allSatisfy({ $0.count == 32 }) else { return }
        for (name, entity) in own { knownVersionHashes[entity.structuralHash] = hashes[name] }
    }

    /// Apple's version hashes of all entities; nil unless they are known for each.
    final var allKnownVersionHashes: [String: Data]? {
        let hashes = entitiesByName.compactMapValues { knownVersionHashes[$0.structuralHash] }
        return hashes.count == entitiesByName.count ? hashes : nil
    }

    /// Whether Apple's version hashes of all entities are known.
    package final var hasKnownVersionHashes: Bool { allKnownVersionHashes?.isEmpty == false }

    /// Takes over what lies beside a model file.
    final func adoptVersionHashes(of file: URL) {
        // The version is a file in a `.momd`, and a folder in a `.xcdatamodeld`.
        let isCompiled = file.pathExtension.lowercased() == "mom"
        let version = isCompiled ? file : file.deletingLastPathComponent()
        let folder = version.deletingLastPathComponent()
        let name = version.deletingPathExtension().lastPathComponent
        // A damaged file beside the model leaves it with hashes of its own, as no file does.
        if let hashes = (try? ModelVersionInfo(in: folder))?.hashes[name] { adopt(versionHashes: hashes) }
        for (structure, hash) in VersionHashFile.pairs(in: folder) { knownVersionHashes[structure] = hash }
    }

    /// Whether version hashes in a store's metadata are those of some entities, by either computation: a store may have been
    /// made before Apple's hashes of the model were known.
    package final func matches(versionHashes hashes: [String: Data], entities: [NSEntityDescription]) -> Bool {
        let names = Set(entities.compactMap(\.name))
        guard names == Set(hashes.keys) else { return false }
        let own = entityVersionHashesByName
        return entities.allSatisfy { entity in
            guard let name = entity.name, let hash = hashes[name] else { return false }
            return own[name] == hash || !knownVersionHashes.isEmpty && entity.structuralHash == hash
        }
    }

    /// Writes Apple's version hashes that this model has beside a model's source, for all entities of its versions that are the
    /// same in both. Models that are read from the source have these hashes from then on, as long as an entity is not changed.
    ///
    /// The model that has the hashes comes from a `.momd` folder or a store. The file is `OpenCoreDataHashes.json` in the
    /// `.xcdatamodeld` folder, or beside the `.xcdatamodel` folder; hashes that it has already stay. Not in Apple's framework.
    ///
    /// ```swift
    /// let model = try NSManagedObjectModel(cachedInStoreAt: storeFromAPhone)
    /// try model.recordVersionHashes(besideSourceAt: URL(fileURLWithPath: "Cinema.xcdatamodeld"))
    /// ```
    ///
    /// - Parameter url: The `.xcdatamodeld` or `.xcdatamodel` folder.
    /// - Returns: How many entities of the source have hashes of Apple's now, all versions together.
    /// - Throws: As `init(readingModelAt:)`, and errors of writing the file.
    @discardableResult
    public final func recordVersionHashes(besideSourceAt url: URL) throws -> Int {
        let isBundle = url.pathExtension.lowercased() == "xcdatamodeld"
        var versions: [String: NSManagedObjectModel] = [:]
        for version in isBundle ? try ModelBundle.versions(of: url) : [url] {
            let model = try NSManagedObjectModel(readingModelAt: version)
            model.knownVersionHashes.merge(knownVersionHashes) { kept, _ in kept }
            versions[version.deletingPathExtension().lastPathComponent] = model
        }
        let folder = isBundle ? url : url.deletingLastPathComponent()
        try VersionHashFile.data(for: versions).write(to: folder.appendingPathComponent(VersionHashFile.name), options: .atomic)
        return versions.values.reduce(0) { count, model in
            count + model.entities.count { model.knownVersionHashes[$0.structuralHash] != nil }
        }
    }
}
