import DataModel

/// A small model made in code.
enum Cinema {
    static func attribute(_ name: String, _ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.isOptional = false
        return attribute
    }

    /// Movie (title, rating, director) and Director (name, movies). Keep the model: entities don't.
    static func model() -> (model: NSManagedObjectModel, movie: NSEntityDescription, director: NSEntityDescription) {
        let movie = NSEntityDescription()
        movie.name = "Movie"
        let director = NSEntityDescription()
        director.name = "Director"
        let toDirector = NSRelationshipDescription()
        toDirector.name = "director"
        toDirector.maxCount = 1
        toDirector.destinationEntity = director
        let toMovies = NSRelationshipDescription()
        toMovies.name = "movies"
        toMovies.destinationEntity = movie
        toMovies.deleteRule = .cascadeDeleteRule
        toDirector.inverseRelationship = toMovies
        toMovies.inverseRelationship = toDirector
        movie.properties = [attribute("title", .string), attribute("rating", .double), toDirector]
        director.properties = [attribute("name", .string), toMovies]
        let model = NSManagedObjectModel()
        model.entities = [movie, director]
        return (model, movie, director)
    }
}
