/// A moment in Coordinated Universal Time, for a person.
struct CalendarTime: Equatable, Sendable {
    /// `2026-01-31 12:00:00Z`.
    let text: String
    /// The same for a program, as ISO 8601 and RFC 3339 have it: `2026-01-31T12:00:00Z`.
    var iso8601: String { text.replacing(" ", with: "T") }

    /// The civil date follows from the day's number: years begin in March, so that the leap day is
    /// the last, and 400 years have 146,097 days.
    init(secondsSince1970: UInt64) {
        let seconds = min(secondsSince1970, 253_402_300_799)  // the last second of the year 9999
        let shifted = seconds / 86_400 + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let clock = seconds % 86_400
        text =
            "\(year)-\(Self.two(month))-\(Self.two(day)) "
            + "\(Self.two(clock / 3600)):\(Self.two(clock / 60 % 60)):\(Self.two(clock % 60))Z"
    }

    private static func two(_ number: UInt64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
