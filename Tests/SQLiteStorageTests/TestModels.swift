import DataModel
import Foundation
import TestSupport

/// Models made for these tests, as the XML that both the package and the independent checker read.
enum TestModels {
    /// An XML model file in a folder, and the model in it.
    static func make(_ entities: String, in folder: TemporaryFolder, name: String = "Model") throws -> (
        url: URL, model: NSManagedObjectModel
    ) {
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
            systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            \(entities)
            </model>
            """
        try folder.write(text, to: "\(name).xcdatamodel/contents")
        let url = folder.file("\(name).xcdatamodel")
        return (url, try NSManagedObjectModel(readingModelAt: url))
    }

    /// Every attribute type; inheritance; every kind of relationship.
    static let everything = """
        <entity name="Person" representedClassName="Person" syncable="YES">
            <attribute name="name" attributeType="String"/>
            <attribute name="email" optional="YES" attributeType="String"/>
            <relationship name="pets" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Animal" inverseName="owner" inverseEntity="Animal"/>
            <relationship name="favorites" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Animal" inverseName="fans" inverseEntity="Animal"/>
            <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
            <relationship name="teachers" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="pupils" inverseEntity="Person"/>
            <relationship name="pupils" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Person" inverseName="teachers" inverseEntity="Person"/>
            <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Note"/>
            <relationship name="drafts" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Note"/>
            <relationship name="house" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="House"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="email"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="Animal" representedClassName="Animal" isAbstract="YES" syncable="YES">
            <attribute name="name" attributeType="String"/>
            <attribute name="weight" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
            <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="pets" inverseEntity="Person"/>
            <relationship name="fans" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Person" inverseName="favorites" inverseEntity="Person"/>
        </entity>
        <entity name="Dog" representedClassName="Dog" parentEntity="Animal" syncable="YES">
            <attribute name="text" optional="YES" attributeType="String"/>
            <attribute name="isGood" attributeType="Boolean" defaultValueString="YES" usesScalarValueType="YES"/>
            <relationship name="enemy" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Animal"/>
        </entity>
        <entity name="Puppy" representedClassName="Puppy" parentEntity="Dog" syncable="YES">
            <attribute name="weeks" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
        </entity>
        <entity name="Cat" representedClassName="Cat" parentEntity="Animal" syncable="YES">
            <attribute name="text" optional="YES" attributeType="String"/>
            <attribute name="lives" attributeType="Integer 64" defaultValueString="9" usesScalarValueType="YES"/>
        </entity>
        <entity name="Note" representedClassName="Note" syncable="YES">
            <attribute name="anInt16" optional="YES" attributeType="Integer 16"/>
            <attribute name="anInt32" optional="YES" attributeType="Integer 32"/>
            <attribute name="anInt64" optional="YES" attributeType="Integer 64"/>
            <attribute name="aDecimal" optional="YES" attributeType="Decimal"/>
            <attribute name="aDouble" optional="YES" attributeType="Double"/>
            <attribute name="aFloat" optional="YES" attributeType="Float"/>
            <attribute name="aString" optional="YES" attributeType="String"/>
            <attribute name="aBool" optional="YES" attributeType="Boolean"/>
            <attribute name="aDate" optional="YES" attributeType="Date"/>
            <attribute name="aUUID" optional="YES" attributeType="UUID"/>
            <attribute name="aURI" optional="YES" attributeType="URI"/>
            <attribute name="aBlob" optional="YES" attributeType="Binary"/>
            <attribute name="aLargeBlob" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <attribute name="aTransformable" optional="YES" attributeType="Transformable"/>
            <attribute name="aTransient" optional="YES" transient="YES" attributeType="String"/>
            <attribute name="BString" optional="YES" attributeType="String"/>
            <fetchIndex name="byStringAndInt">
                <fetchIndexElement property="aString" type="Binary" order="descending"/>
                <fetchIndexElement property="anInt16" type="Binary" order="ascending"/>
            </fetchIndex>
            <fetchIndex name="byDate"><fetchIndexElement property="aDate" type="Binary" order="ascending"/></fetchIndex>
        </entity>
        <entity name="House" representedClassName="House" syncable="YES">
            <attribute name="address" optional="YES" attributeType="Composite" composite="Address"/>
            <attribute name="roomsCount" optional="YES" attributeType="Integer 64" usesScalarValueType="YES" derived="YES" derivationExpression="rooms.@count"/>
            <relationship name="rooms" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Room" inverseName="house" inverseEntity="Room"/>
        </entity>
        <entity name="Room" representedClassName="Room" syncable="YES">
            <attribute name="number" optional="YES" attributeType="Integer 32" usesScalarValueType="YES"/>
            <relationship name="house" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="House" inverseName="rooms" inverseEntity="House"/>
        </entity>
        <composite name="Address">
            <attribute name="street" optional="YES" attributeType="String"/>
            <attribute name="city" optional="YES" attributeType="String"/>
            <attribute name="zip" optional="YES" attributeType="Integer 32"/>
        </composite>
        """
}
