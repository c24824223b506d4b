/// Hands out names; one that is taken gets the smallest free number behind it.
struct NameRegister {
    private var used: Set<String>

    init(reserved: Set<String> = []) { used = reserved }

    mutating func take(_ base: String) -> String {
        var name = base
        var number = 0
        while !used.insert(name).inserted {
            number += 1
            name = base + String(number)
        }
        return name
    }
}
