public import Foundation

/// The part that UIKit and AppKit add to index paths on Apple's systems: a section, and an item or row in it.
extension IndexPath {
    /// The path of an item in a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// The path of a row in a section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The section: the first index.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The item in the section: the second index.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The row in the section: the second index.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
