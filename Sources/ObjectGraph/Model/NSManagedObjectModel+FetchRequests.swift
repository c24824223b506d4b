public import DataModel
import Foundation
import Predicates

/// Fetch requests that a model keeps by name.
///
/// The model takes and gives copies of requests: changing a copy does not change the model's request.
extension NSManagedObjectModel {
    /// The model's fetch requests by name.
    public final var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
        fetchTemplates.mapValues(request)
    }

    /// Keeps a fetch request under a name, in place of the one that had the name.
    ///
    /// - Parameters:
    ///   - fetchRequestTemplate: The request, whose predicate may have variables (`$name`); nil to remove the one with
    ///     that name.
    ///   - name: The name.
    public final func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        fetchTemplates[name] = fetchRequestTemplate?.settings
    }

    /// The fetch request with a name; nil if the model has none.
    ///
    /// - Parameter name: The name.
    public final func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        fetchTemplates[name].map(request)
    }

    /// A fetch request with values in place of its predicate's variables; nil if the model has none with that name.
    ///
    /// A variable without a value stops the program; Apple's framework raises an exception.
    ///
    /// - Parameters:
    ///   - name: The request's name.
    ///   - variables: Values by the variables' names, without the dollar sign; `NSNull` for nil.
    public final func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let request = fetchRequestTemplate(forName: name) else { return nil }
        request.predicate = request.predicate?.withSubstitutionVariables(variables)
        return request
    }

    private func request(_ settings: FetchSettings) -> NSFetchRequest<any NSFetchRequestResult> {
        var settings = settings
        if settings.entity == nil, let entity = settings.entityName.flatMap({ entitiesByName[$0] }) { settings.entity = entity }
        return NSFetchRequest(settings)
    }
}

extension NSFetchedPropertyDescription {
    /// The request for what the property finds; nil for nothing. Its predicate may have the variables `$FETCH_SOURCE`
    /// and `$FETCHED_PROPERTY`.
    ///
    /// The property takes and gives copies.
    public final var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get { fetchSettings.map { NSFetchRequest($0) } }
        set { fetchSettings = newValue?.settings }
    }
}
