/// What happens to lines that become empty.
package enum LineStyle: Sendable {
    /// They stay, so that the numbers of lines don't change.
    case keepsLines
    /// They are removed, as a person would do.
    case dropsEmptiedLines
}
