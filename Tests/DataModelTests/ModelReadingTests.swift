import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Reading model files")
struct ModelReadingTests {
    private func read(_ body: String) throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let text = "<model type='com.apple.IDECoreDataModeler.DataModel' userDefinedModelVersionIdentifier='v2'>\(body)</model>"
        try model.read(Data(text.utf8), from: URL(fileURLWithPath: "/test"))
        return model
    }

    private func attributes(_ elements: String) throws -> [String: NSAttributeDescription] {
        try #require(try read("<entity name='A'>\(elements)</entity>").entitiesByName["A"]).attributesByName
    }

    @Test("Defaults of every type")
    func defaults() throws {
        let values = try attributes(
            """
            <attribute name='i16' attributeType='Integer 16' defaultValueString='-1'/>
            <attribute name='i32' attributeType='Integer 32' defaultValueString='2147483647'/>
            <attribute name='i64' attributeType='Integer 64' defaultValueString='9223372036854775807'/>
            <attribute name='decimal' attributeType='Decimal' defaultValueString='12345678901234567890.12'/>
            <attribute name='double' attributeType='Double' defaultValueString='1e-3'/>
            <attribute name='float' attributeType='Float' defaultValueString='0.5'/>
            <attribute name='text' attributeType='String' defaultValueString='&lt;a&gt; &amp; &quot;b&quot;&#10;é'/>
            <attribute name='empty' attributeType='String' defaultValueString=''/>
            <attribute name='yes' attributeType='Boolean' defaultValueString='YES'/>
            <attribute name='zero' attributeType='Boolean' defaultValueString='0.0'/>
            <attribute name='date' attributeType='Date' defaultDateTimeInterval='-978307200'/>
            <attribute name='shown' attributeType='Date' defaultValueString='yesterday'/>
            <attribute name='uuid' attributeType='UUID' defaultValueString='E621E1F8-C36C-495A-93FC-0C247A3E6E5F'/>
            <attribute name='uri' attributeType='URI' defaultValueString='https://example.com/a?b=c'/>
            <attribute name='none' attributeType='Double'/>
            """
        ).mapValues(\.defaultValue)
        #expect(values["i16"] as? Int16 == -1)
        #expect(values["i32"] as? Int32 == .max)
        #expect(values["i64"] as? Int64 == .max)
        #expect((values["decimal"] as? NSDecimalNumber)?.decimalValue == Decimal(string: "12345678901234567890.12"))
        #expect(values["double"] as? Double == 0.001)
        #expect(values["float"] as? Float == 0.5)
        #expect(values["text"] as? String == "<a> & \"b\"\né")
        #expect(values["empty"] as? String == "")
        #expect(values["yes"] as? Bool == true)
        #expect(values["zero"] as? Bool == false)
        #expect(values["date"] as? Date == Date(timeIntervalSince1970: 0))
        #expect(values["shown"] as? Date == nil)
        #expect(values["uuid"] as? UUID == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(values["uri"] as? URL == URL(string: "https://example.com/a?b=c"))
        // A required number without default starts as nil and not as zero.
        #expect(values["none"]! == nil)
    }

    @Test("Facts about attributes")
    func attributeFacts() throws {
        let attributes = try attributes(
            """
            <attribute name='a' optional='YES' transient='true' indexed='1' attributeType='Binary' allowsExternalBinaryDataStorage='YES'
                preserveAfterDeletion='YES' allowsCloudEncryption='YES' versionHashModifier='m' elementID='old' future='x'>
                <userInfo><entry key='key with.dots' value='1'/><entry key='key with.dots' value='2'/></userInfo></attribute>
            <attribute name='t' attributeType='Transformable' valueTransformerName='' customClassName='Module.'/>
            <attribute name='u' attributeType='Transformable' valueTransformerName='T' customClassName='.Color'/>
            <attribute name='n' attributeType='Integer 16' minValueString='1' maxValueString='10'/>
            <attribute name='d' attributeType='Date' minValueString='2001-01-01' minDateTimeInterval='5.5'/>
            <attribute name='s' attributeType='String' regularExpressionString='^[a-z]+$'/>
            <attribute name='x' attributeType='Integer 64' derived='YES' derivationExpression='items.@count'/>
            """)
        let a = try #require(attributes["a"])
        #expect(a.isOptional && a.isTransient && a.isIndexed)
        #expect(a.allowsExternalBinaryDataStorage && a.preservesValueInHistoryOnDeletion && a.allowsCloudEncryption)
        #expect(a.versionHashModifier == "m")
        #expect(a.renamingIdentifier == "old")
        #expect(a.userInfo as? [String: String] == ["key with.dots": "2"])
        let t = try #require(attributes["t"])
        #expect(!t.isOptional && !t.isTransient)
        #expect(t.valueTransformerName == nil)
        #expect(t.attributeValueClassName == nil)
        #expect(t.userInfo?.isEmpty == true)
        #expect(attributes["u"]?.valueTransformerName == "T")
        #expect(attributes["u"]?.attributeValueClassName == ".Color")
        #expect(attributes["n"]?.validationLimits == ValidationLimits(minimum: "1", maximum: "10"))
        #expect(attributes["d"]?.validationLimits == ValidationLimits(minimum: "5.5"))
        #expect(attributes["s"]?.validationLimits == ValidationLimits(regularExpression: "^[a-z]+$"))
        let derived = try #require(attributes["x"] as? NSDerivedAttributeDescription)
        #expect(derived.derivationExpressionString == "items.@count")
    }

    @Test("Composites nest, and every use has elements of its own")
    func composites() throws {
        let model = try read(
            """
            <entity name='A'><attribute name='p' attributeType='Composite' composite='Place'/>
            <attribute name='q' optional='YES' attributeType='Composite' composite='Place'/></entity>
            <composite name='Place'><attribute name='city' optional='YES' attributeType='String'/>
            <attribute name='point' attributeType='Composite' composite='Point'/></composite>
            <composite name='Point'><attribute name='x' attributeType='Double' defaultValueString='1'/></composite>
            """)
        let attributes = try #require(model.entitiesByName["A"]).attributesByName
        let p = try #require(attributes["p"] as? NSCompositeAttributeDescription)
        let q = try #require(attributes["q"] as? NSCompositeAttributeDescription)
        #expect(p.elements.map(\.name) == ["city", "point"])
        #expect(p.elements[0] !== q.elements[0])
        let point = try #require(p.elements[1] as? NSCompositeAttributeDescription)
        #expect(point.elements.first?.defaultValue as? Double == 1)
        #expect(point.elements.first?.isOptional == false)
        model.freeze()
        #expect(point.elements.first?.isFrozen == true)
    }

    @Test("Counts of relationships; optionality is said by “optional” alone")
    func relationships() throws {
        let model = try read(
            """
            <entity name='A'>
            <relationship name='one' optional='YES' minCount='1' maxCount='1' deletionRule='No Action' destinationEntity='A'/>
            <relationship name='only' destinationEntity='A' deletionRule='Deny'/>
            <relationship name='many' toMany='YES' ordered='YES' deletionRule='Cascade' destinationEntity='A'/>
            <relationship name='some' toMany='YES' minCount='2' maxCount='10' destinationEntity='A'/>
            <relationship name='odd' toMany='YES' maxCount='1' destinationEntity='A'/>
            </entity>
            """)
        let all = try #require(model.entitiesByName["A"]).relationshipsByName
        #expect(all["one"]?.isOptional == true)
        #expect(all["one"]?.isToMany == false)
        #expect(all["one"]?.deleteRule == .noActionDeleteRule)
        #expect(all["only"]?.isOptional == false)
        #expect(all["only"]?.maxCount == 1)
        #expect(all["only"]?.minCount == 0)
        #expect(all["only"]?.deleteRule == .denyDeleteRule)
        #expect(all["many"]?.maxCount == 0)
        #expect(all["many"]?.isOrdered == true)
        #expect(all["some"]?.minCount == 2)
        #expect(all["some"]?.maxCount == 10)
        #expect(all["some"]?.deleteRule == .nullifyDeleteRule)
        #expect(all["odd"]?.isToMany == false)
        #expect(model.loadingIssues.count == 1)
    }

    @Test("An inverse may be inherited")
    func inheritedInverse() throws {
        let model = try read(
            """
            <entity name='Child' parentEntity='Base'/>
            <entity name='Base'><relationship name='owner' maxCount='1' destinationEntity='Owner' inverseName='child' inverseEntity='Owner'/></entity>
            <entity name='Owner'><relationship name='child' maxCount='1' destinationEntity='Child' inverseName='owner' inverseEntity='Child'/></entity>
            """)
        let child = try #require(model.entitiesByName["Owner"]?.relationshipsByName["child"])
        #expect(child.inverseRelationship === model.entitiesByName["Base"]?.relationshipsByName["owner"])
        #expect(model.entitiesByName["Child"]?.superentity?.name == "Base")
        #expect(model.loadingIssues.isEmpty)
    }

    @Test("Indexes: fetch indexes, and compound indexes of old files as fetch indexes")
    func indexes() throws {
        let model = try read(
            """
            <entity name='A'><attribute name='x' attributeType='String'/><attribute name='y' attributeType='String'/>
            <fetchIndex name='byX'><fetchIndexElement property='x' type='Binary' order='descending'/></fetchIndex>
            <fetchIndex name='near'><fetchIndexElement property='x' type='RTree' order='ascending'/></fetchIndex>
            <fetchIndex name='lower'><fetchIndexElement expression='lowercase:(x)' expressionType='String' type='Binary' order='ascending'/></fetchIndex>
            <compoundIndexes><compoundIndex><index value='x'/><index value='y'/></compoundIndex><compoundIndex><index value='x'/></compoundIndex></compoundIndexes>
            </entity>
            """)
        let indexes = try #require(model.entitiesByName["A"]).indexes
        #expect(indexes.map(\.name) == ["byX", "near", "x_y"])
        #expect(indexes[0].elements.map(\.isAscending) == [false])
        #expect(indexes[1].elements.map(\.collationType) == [.rTree])
        #expect(indexes[2].elements.map(\.propertyName) == ["x", "y"])
        #expect(model.loadingIssues.count == 1)
        #expect(model.loadingIssues.first?.contains("lowercase:(x)") == true)
    }

    @Test("Entities: class names verbatim, constraints, configurations, version identifier")
    func entities() throws {
        let model = try read(
            """
            <entity name='A' representedClassName='.Thing' isAbstract='YES' elementID='Old' versionHashModifier='2' syncable='YES'>
            <attribute name='x' attributeType='String'/><attribute name='y' attributeType='String'/>
            <uniquenessConstraints><uniquenessConstraint><constraint value='x'/><constraint value='y'/></uniquenessConstraint></uniquenessConstraints>
            <userInfo/></entity>
            <entity name='B' representedClassName=''/>
            <configuration name='Local'><memberEntity name='A'/></configuration><configuration name='None'/>
            <elements><element name='A' positionX='1'/></elements><somethingNew/>
            """)
        let a = try #require(model.entitiesByName["A"])
        #expect(a.managedObjectClassName == ".Thing")
        #expect(a.isAbstract)
        #expect(a.renamingIdentifier == "Old")
        #expect(a.versionHashModifier == "2")
        #expect(a.uniquenessConstraintNames == [["x", "y"]])
        #expect(a.userInfo?.isEmpty == true)
        #expect(model.entitiesByName["B"]?.managedObjectClassName == "NSManagedObject")
        #expect(model.configurations == ["Local", "None"])
        #expect(model.entities(forConfigurationName: "Local")?.map(\.name) == ["A"])
        #expect(model.entities(forConfigurationName: "None")?.isEmpty == true)
        #expect(model.versionIdentifiers == ["v2"])
    }

    @Test("The same model is read from the bundle, the version folder and the file")
    func places() throws {
        let folder = try TemporaryFolder()
        let text = "<model type='com.apple.IDECoreDataModeler.DataModel'><entity name='A'/></model>"
        try folder.write(text, to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
        for path in ["M.xcdatamodeld", "M.xcdatamodeld/M 2.xcdatamodel", "M.xcdatamodeld/M 2.xcdatamodel/contents"] {
            let model = try #require(NSManagedObjectModel(contentsOf: folder.file(path)))
            #expect(model.entities.map(\.name) == ["A"])
            #expect(model.versionIdentifiers == [""])
        }
    }
}
