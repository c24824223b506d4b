import CoreData
import Foundation

/// A value of the app's own, which a transformable attribute keeps.
@objc(Palette)
public final class Palette: NSObject, NSSecureCoding {
    public static var supportsSecureCoding: Bool { return true }

    @objc public let colors: [String]

    public init(colors: [String]) {
        self.colors = colors
    }

    public init?(coder: NSCoder) {
        guard let colors = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: #keyPath(Palette.colors)) as? [String] else {
            return nil
        }
        self.colors = colors
    }

    public func encode(with coder: NSCoder) {
        coder.encode(colors as NSArray, forKey: #keyPath(Palette.colors))
    }
}

@objc(PaletteTransformer)
final class PaletteTransformer: NSSecureUnarchiveFromDataTransformer {
    static let name = NSValueTransformerName(rawValue: String(describing: PaletteTransformer.self))

    override static var allowedTopLevelClasses: [AnyClass] {
        return [Palette.self]
    }

    public static func register() {
        ValueTransformer.setValueTransformer(PaletteTransformer(), forName: name)
    }
}
