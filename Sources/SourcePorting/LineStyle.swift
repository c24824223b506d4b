/// What happens to lines of which nothing is left.
package enum LineStyle: Sendable {
    /// They stay, empty, so that a line's number is the same before and after.
    case keepsLines
    /// They go, as they would by hand.
    case dropsEmptiedLines
}
