import ReachMonitoring
import Testing

@Suite struct WordingTests {
    @Test(
        arguments: [
            (0, "0ms"), (4, "4µs"), (49, "49µs"), (912, "912µs"), (999, "999µs"), (1_000, "1.0ms"), (1_249, "1.2ms"),
            (9_949, "9.9ms"), (9_951, "10ms"),
            (44_400, "44ms"), (912_000, "912ms"), (999_600, "1.0s"), (1_100_000, "1.1s"), (12_000_000, "12s"),
        ] as [(Int, String)]
    )
    func `round trips keep up to three figures`(microseconds: Int, text: String) {
        #expect(Duration.microseconds(microseconds).roundTripText == text)
    }

    @Test(arguments: [(1, "<1µs"), (499, "<1µs"), (500, "1µs"), (999_499, "999µs"), (999_500, "1.0ms")])
    func `no round trip but zero looks like zero`(nanoseconds: Int, text: String) {
        #expect(Duration.nanoseconds(nanoseconds).roundTripText == text)
    }

    @Test func `a failure awaits the resolver by its kind, not by its text`() {
        let waiting = Failure.awaitingResolver(of: "nas")
        #expect(waiting.isAwaitingResolver && waiting.reason == .resolverFailed)
        #expect(waiting.detail == "resolver timeout for nas")
        #expect(!Failure(.resolverFailed, detail: waiting.detail).isAwaitingResolver)
    }

    @Test func `no round trip is wider than five columns`() {
        for power in 0..<11 {
            for digit in 1...999 {
                let nanoseconds = (0..<power).reduce(digit) { product, _ in product * 10 }
                let text = Duration.nanoseconds(nanoseconds).roundTripText
                #expect(text.count <= 5 && !text.contains("0.0"), "\(text)")
            }
        }
    }

    @Test(
        arguments: [
            (.microseconds(812), "reply in 812µs"), (.microseconds(4), "reply in 4µs"),
            (.microseconds(12_345), "reply in 12.345ms"), (nil, "reply"),
        ] as [(Duration?, String)]
    )
    func `a line about a reply is exact to the microsecond`(roundTrip: Duration?, text: String) {
        let outcome = Outcome.reply(Reply(roundTrip: roundTrip))
        let observation = Observation(target: Target.ID(0), sequence: 1, time: .zero, outcome: outcome)
        #expect(observation.summary == text)
    }

    @Test(
        arguments: [(0, "0.0s"), (40, "40ms"), (60, "0.1s"), (9_900, "9.9s"), (12_000, "12s")] as [(Int, String)]
    )
    func `an elapsed time is never zero tenths`(milliseconds: Int, text: String) {
        #expect(Duration.milliseconds(milliseconds).elapsedText == text)
    }

    @Test(
        arguments: [(0, "0s"), (40, "40ms"), (400, "0.4s"), (960, "1.0s"), (1_900, "1s"), (62_000, "1m02s")]
            as [(Int, String)]
    )
    func `a short outage has tenths`(milliseconds: Int, text: String) {
        #expect(Duration.milliseconds(milliseconds).outageText == text)
    }

    @Test(
        arguments: [
            (60, "minute"), (300, "5 minutes"), (3_600, "hour"), (7_200, "2 hours"), (86_400, "day"),
            (90, "90 seconds"),
        ] as [(Int, String)]
    )
    func `a span after the word last is a phrase`(seconds: Int, text: String) {
        #expect(Duration.seconds(seconds).lastSpanText == text)
    }

    @Test func `a target that is no longer degraded is up again`() {
        let transition = Transition(from: .degraded, to: .up, time: .zero, lasted: .seconds(242), cause: .replies(1))
        #expect(transition.summary == "up again")
        #expect(transition.before == "was degraded 4m02s")
        let brief = Transition(from: .degraded, to: .down, time: .zero, lasted: .zero, cause: .losses(3, nil))
        #expect(brief.before == nil)
    }

    @Test func `an outage of less than a second is not zero seconds long`() {
        let transition = Transition(from: .down, to: .up, time: .zero, lasted: .milliseconds(400), cause: .replies(1))
        #expect(transition.summary == "up after 0.4s")
    }

    @Test(
        arguments: [
            (0, "0s"), (12, "12s"), (59, "59s"), (60, "1m00s"), (242, "4m02s"), (8_040, "2h14m"), (93_600, "1d02h"),
            (525_600, "6d02h"), (-5, "0s"),
        ] as [(Int, String)]
    )
    func `spans have two units`(seconds: Int, text: String) {
        #expect(Duration.seconds(seconds).spanText == text)
    }

    @Test(
        arguments: [
            ("250ms", 250), ("5s", 5_000), ("1.5s", 1_500), ("2m", 120_000), ("1h", 3_600_000), ("3d", 259_200_000),
            ("1h30m", 5_400_000), ("1m30s500ms", 90_500), ("0s", 0), ("3000us", 3), ("1ms4000µs", 5),
        ] as [(String, Int)]
    )
    func `durations are parsed with their units`(text: String, milliseconds: Int) {
        #expect(Duration(text: text) == .milliseconds(milliseconds))
    }

    @Test(
        arguments: [
            "", "5", "s", "5 s", "-5s", "5x", "5s5s", "30m1h", "1µs1us", "1..5s", ".5s", "5.s", "1e3s", "٣s", "99999d",
        ]
    )
    func `an invalid duration is nil`(text: String) {
        #expect(Duration(text: text) == nil)
    }

    @Test func `wall times are local on screen and UTC in records`() {
        let wall = WallTime(start: .seconds(1_795_183_339) + .milliseconds(114), offset: .seconds(3_600))
        #expect(wall.timestamp(at: .zero) == "2026-11-20T14:02:19.114Z")
        #expect(wall.timeOfDay(at: .zero) == "15:02:19")
        #expect(wall.timeOfDay(at: .seconds(9 * 3_600)) == "00:02:19")
        #expect(WallTime(start: .zero).timestamp(at: .seconds(951_782_400)) == "2000-02-29T00:00:00.000Z")
        #expect(WallTime(start: .zero).timestamp(at: .zero) == "1970-01-01T00:00:00.000Z")
    }

    @Test func `the time of day has the offset of that time`() {
        // Berlin, 2026-10-25: at 03:00, clocks are set to 02:00.
        let change = Duration.seconds(1_792_890_000)
        let zone = ZoneOffsets(.seconds(7_200), changes: [.init(at: change, to: .seconds(3_600))])
        let wall = WallTime(start: change - .seconds(60), zone: zone)
        #expect(wall.timeOfDay(at: .seconds(59)) == "02:59:59")
        #expect(wall.timeOfDay(at: .seconds(60)) == "02:00:00")
        #expect(wall.timeOfDay(at: .seconds(-3_600)) == "01:59:00")
    }

    @Test func `times before 1970 have a fraction of the second before`() {
        let wall = WallTime(start: .zero)
        #expect(wall.timestamp(at: .milliseconds(-1)) == "1969-12-31T23:59:59.999Z")
        #expect(wall.timestamp(at: .seconds(-86_400) - .milliseconds(1_883)) == "1969-12-30T23:59:58.117Z")
        #expect(wall.timestamp(at: .seconds(-1)) == "1969-12-31T23:59:59.000Z")
        #expect(wall.timeOfDay(at: .milliseconds(-1)) == "23:59:59")
    }

    @Test(
        arguments: [
            ("intervall", "interval"), ("tiemout", "timeout"), ("cooldwon", "cooldown"), ("Interval", "interval"),
            ("banana", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `a misspelled word has a nearest candidate`(word: String, nearest: String?) {
        #expect(word.nearest(of: ["interval", "timeout", "cooldown"]) == nearest)
    }

    @Test(
        arguments: [
            ("switch", "watch"), ("router", "report"), ("db", "dc"), ("a", "b"), ("Rack 1", "Rack 2"),
            ("db1", "db2"), ("storage", "stranger"), ("ok", "off"), ("REACH_NAME", "REACH_TAGS"),
        ]
    )
    func `words that are not near have no suggestion`(word: String, other: String) {
        #expect(word.nearest(of: [other]) == nil)
    }

    @Test(
        arguments: [
            ("tpc", "tcp"), ("match", "matches"), ("trusted", "trust"), ("p59", "p95"), ("dbs", "db"),
            ("htps", "https"), ("Bb", "bb"),
            ("retryinterval", "retry_interval"),
            ("depnds_onn", "depends_on"), ("Europe/Berln", "Europe/Berlin"),
        ]
    )
    func `words with one or two wrong letters have one`(word: String, other: String) {
        #expect(word.nearest(of: [other]) == other)
    }

    @Test(
        arguments: [
            (0, 9, "0 of 9 B"), (11, 100, "11 of 100 B"), (2_000_000, 5_000_000, "2.0 of 5.0 MB"),
            (900_000, 5_000_000, "900 kB of 5.0 MB"), (2_000_000, nil, "2.0 MB"),
        ] as [(Int64, Int64?, String)]
    )
    func `a part and its whole have the unit once`(count: Int64, whole: Int64?, text: String) {
        #expect(count.bytesText(of: whole) == text)
    }

    @Test(
        arguments: [(0, "0%"), (0.001, "<1%"), (0.03, "3%"), (0.5, "50%"), (0.999, "99%"), (1, "100%")]
            as [(Double, String)]
    )
    func `only zero is 0 percent, and only one is 100 percent`(share: Double, text: String) {
        #expect(share.percentText == text)
    }

    @Test func `decimals are exact to their places`() {
        #expect(Duration.microseconds(812).decimal(.seconds(1), places: 6) == "0.000812")
        #expect(Duration.milliseconds(-1_500).decimal(.seconds(1), places: 3) == "-1.500")
        #expect(Duration.seconds(41).decimal(.seconds(1), places: 0) == "41")
    }

    @Test(arguments: ["0s", "250ms", "5s", "1m", "1h30m", "3d", "7d", "730d", "1s500ms", "40us", "1d1h1m1s1ms1us"])
    func `a duration survives writing and parsing`(text: String) throws {
        #expect(try #require(Duration(text: text)).settingsText == text)
    }
}

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

    @Test(arguments: [
        Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max), .seconds(Int64.min),
    ])
    func `values with any numbers have texts`(duration: Duration) {
        for cause in [
            Cause.slow(roundTrip: duration, limit: duration), .lossy(loss: 1e300, limit: -1e300),
            .lossy(loss: .nan, limit: .infinity),
        ] {
            let transition = Transition(from: .up, to: .down, time: duration, lasted: .zero - .seconds(1), cause: cause)
            #expect(!transition.description.isEmpty && transition.detail?.isEmpty == false)
        }
        for lasted in [Duration(attoseconds: .max), Duration(attoseconds: .min), .zero] {
            let transition = Transition(from: .up, to: .down, time: duration, lasted: lasted, cause: .losses(3, nil))
            #expect(transition.start.nanoseconds.magnitude >= 0 && transition.before != "")
        }
        #expect(!duration.spanText.isEmpty && !duration.lastSpanText.isEmpty && !duration.roundTripText.isEmpty)
        #expect(Double.nan.percentText == "0%" && Double.infinity.percentText == "100%")
        #expect(Duration.seconds(Int64.min).decimal(.nanoseconds(1), places: 3).hasPrefix("-9223372036854775"))
    }

    @Test func `a reply is described by its round trip and its details`() {
        #expect(Reply(roundTrip: .milliseconds(12)).description == "12ms")
        #expect(Reply(roundTrip: nil).description == "reply")
        #expect(
            Reply(roundTrip: .milliseconds(12), detail: "HTTP 200", concern: "expires").description
                == "12ms, HTTP 200, expires"
        )
    }
}
