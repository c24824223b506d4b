import FoundationGaps
import Testing

@Suite("Selectors")
struct SelectorTests {
    @Test("a selector and its name are made of each other")
    func names() {
        let selector = NSSelectorFromString("localizedStandardCompare:")
        #expect(NSStringFromSelector(selector) == "localizedStandardCompare:" && "\(selector)" == "localizedStandardCompare:")
        #expect(selector == Selector("localizedStandardCompare:") && selector == "localizedStandardCompare:")
        #expect(selector != NSSelectorFromString("compare:"))
    }
}
