import Testing

@Suite("@Composite writes what a struct needs to be a composite attribute")
struct CompositeExpansionTests {
    @Test("schema, key paths, reading and writing by the stored names; access follows the struct")
    func expansion() {
        let expansion = Expansion(
            """
            @Composite public struct Address: Equatable {
                public var street: String
                @Attribute("postcode", .length(5...5)) public let zip: String?
                public var country: Country = .france
                var line: String { street }
            }
            """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.source == """
                public struct Address: Equatable {
                    public var street: String
                    public let zip: String?
                    public var country: Country = .france
                    var line: String { street }
                }

                extension Address: CompositeValue {
                    public static var _compositeSchema: _CompositeSchema {
                        var schema = _CompositeSchema()
                        schema.add("street", String.self)
                        schema.add("zip", String?.self, storedName: "postcode", options: [.length(5 ... 5)])
                        schema.add("country", Country.self, default: .france)
                        return schema
                    }
                    public static var _typedKeyPaths: [AnyKeyPath] {
                        [\\Address.street, \\Address.zip, \\Address.country]
                    }
                    public init(_composite values: _CompositeElements) throws(PropertyValueError) {
                        self.street = try values.get("street")
                        self.zip = try values.get("postcode")
                        self.country = try values.get("country")
                    }
                    public func _write(to values: _CompositeElements) {
                        values.set("street", street)
                        values.set("postcode", zip)
                        values.set("country", country)
                    }
                }
                """)
    }
}
