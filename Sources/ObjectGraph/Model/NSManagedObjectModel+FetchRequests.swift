import DataModel
import Foundation
import Predicates

/// Fetch requests that a model keeps by name.
///
/// A request given to the model and one taken from it are copies: changing them does not change the model's.
extension NSManagedObjectModel {
    /// The model's fetch requests by name.
    public final var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
        fetchTemplates.mapValues(request)
    }

    /// Keeps a fetch request under a name, in place of one that had it.
    ///
    /// - Parameters:
    ///   - fetchRequestTemplate: The request, whose predicate may have variables (`$name`); nil to remove the one of that name.
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

    /// A fetch request with values in place of its predicate's variables; nil if the model has none of that name.
    ///
    /// A variable without a value stops the program, as Apple's framework raises an exception.
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
    /// What the property finds; nil for nothing. Its predicate may have the variables `$FETCH_SOURCE` and `$FETCHED_PROPERTY`.
    ///
    /// A request set here and one got from here are copies.
    public final var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get { fetchSettings.map { NSFetchRequest($0) } }
        set { fetchSettings = newValue?.settings }
    }
}
