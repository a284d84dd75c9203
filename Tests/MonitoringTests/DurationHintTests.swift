import Monitoring
import Testing

/// The suggestions for invalid durations.
struct DurationHintTests {
    @Test(
        arguments: [
            ("500 ms", "500ms"), ("500MS", "500ms"), ("2 h", "2h"), ("1h 30m", "1h30m"), (" 5 minutes ", "5m"),
            ("1,5s", "1.5s"), ("2Hrs 3 Min", "2h3m"), ("7 μs", "7us"), ("1D", "1d"), ("5s", nil), ("5", nil),
            ("", nil), ("soon", nil), ("5 fortnights", nil), ("30m 1h", nil), ("1..5 s", nil), ("s", nil),
        ] as [(String, String?)]
    )
    func `an invalid duration has a suggestion in the notation of the settings`(text: String, nearest: String?) {
        #expect(text.nearestDuration == nearest)
        if let nearest { #expect(Duration(text: nearest) != nil) }
    }

    @Test func `the problem of a duration has a fix, if there is one`() {
        #expect("500".durationProblem == "\"500\" has no unit – did you mean 500ms or 500s?")
        #expect("2 H".durationProblem == "invalid duration \"2 H\" – did you mean 2h?")
        #expect("soon".durationProblem == nil && "-5".durationProblem == nil)
    }

    @Test(
        arguments: [
            ("2", ["2s"]), ("0.5", ["0.5s"]), ("99", ["99s"]), ("100", ["100ms", "100s"]), ("500", ["500ms", "500s"]),
            (" 300 ", ["300ms", "300s"]), ("3600", ["3600ms"]), ("9000000", []), ("x", []), ("", []), ("5s", []),
        ]
    )
    func `a number is suggested with the units that make it valid`(text: String, suggestions: [String]) {
        #expect(text.durationsWithUnit(in: .milliseconds(1)...(.seconds(1_000))) == suggestions)
    }
}
