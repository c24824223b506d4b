package import Foundation

/// Dates as texts in UTC.
package enum DateText {
    /// ISO 8601, with all digits that the value has, so that the same value can be read back.
    ///
    /// - Returns: Nil for what is outside of the years 0 to 9999, which the form can't say.
    package static func exact(_ seconds: TimeInterval) -> String? {
        guard seconds.isFinite, let decimal = Decimal(string: "\(seconds)", locale: nil) else { return nil }
        let whole = seconds.rounded(.down)
        guard let day = dayText(whole) else { return nil }
        let fraction = decimal - Decimal(Int(whole))
        let digits = fraction == 0 ? "" : "\(fraction)".drop { $0 == "0" }
        return "\(day)\(digits)Z"
    }

    /// The seconds since 2001 that `exact` has written.
    package static func seconds(_ text: String) -> TimeInterval? {
        let parts = text.split(separator: "T")
        guard parts.count == 2, parts[1].hasSuffix("Z") else { return nil }
        let days = parts[0].split(separator: "-").map { Int($0) }
        let clock = parts[1].dropLast().split(separator: ":")
        guard days.count == 3, let year = days[0], let month = days[1], let day = days[2], clock.count == 3,
            (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day), let hour = Int(clock[0]),
            let minute = Int(clock[1]), (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        let second = clock[2].split(separator: ".", omittingEmptySubsequences: false)
        guard second.count <= 2, let whole = Int(second[0]), (0...60).contains(whole) else { return nil }
        let total = (daysSince1970(year, month, day) - reference) * 86400 + hour * 3600 + minute * 60 + whole
        guard second.count == 2 else { return TimeInterval(total) }
        guard !second[1].isEmpty, second[1].allSatisfy(\.isASCII), let fraction = Decimal(string: "0." + second[1], locale: nil)
        else { return nil }
        return TimeInterval("\(Decimal(total) + fraction)")
    }

    /// What people read: to the millisecond, and a value that is hardly a date as the number that it is.
    package static func shown(_ seconds: TimeInterval) -> String {
        let isNamed =
            seconds == Date.distantPast.timeIntervalSinceReferenceDate
            || seconds == Date.distantFuture.timeIntervalSinceReferenceDate
        guard isNamed || (-12_622_780_800...12_622_780_800).contains(seconds) else { return "\(seconds) (not a plausible date)" }
        let milliseconds = (seconds * 1000).rounded(.toNearestOrAwayFromZero)
        let whole = (milliseconds / 1000).rounded(.down)
        let rest = Int(milliseconds - whole * 1000)
        guard let day = dayText(whole) else { return "\(seconds) (not a plausible date)" }
        return rest == 0 ? "\(day)Z" : "\(day).\(padded(rest, 3))Z"
    }

    private static let reference = 11323

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private static func dayText(_ whole: TimeInterval) -> String? {
        guard whole.magnitude < 1e12 else { return nil }
        let total = Int(whole)
        let days = Int((whole / 86400).rounded(.down))
        let second = total - days * 86400
        let (year, month, day) = civil(days + reference)
        guard (0...9999).contains(year) else { return nil }
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock)"
    }

    /// Year, month and day of a day counted from 1970 in the Gregorian calendar, by eras of 400 years that begin in March.
    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
