/// Hands out names; one that is taken gets the smallest free number behind it.
struct NameRegister {
    private var used: Set<SQLName>

    init(reserved: Set<SQLName> = []) { used = reserved }

    /// - Throws: `MappingBuilder.Problem` if no name can be made of the text.
    mutating func take(_ base: String) throws -> SQLName {
        var name = try SQLName(checking: base)
        var number = 0
        while !used.insert(name).inserted {
            number += 1
            name = try SQLName(checking: base + String(number))
        }
        return name
    }
}
