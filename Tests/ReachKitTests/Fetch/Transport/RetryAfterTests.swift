import Monitoring
import Testing

@testable import ReachKit

/// Parsing of `Retry-After`.
@Suite struct RetryAfterTests {
    /// 1994-11-06T08:49:37Z
    private static let now: Int64 = 784_111_777

    @Test(
        arguments: [
            ("0", Duration.zero), ("1", .seconds(1)), ("120", .seconds(120)),
            ("99999999999999999999", .seconds(999_999_999_999)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)),
            ("Sunday, 06-Nov-94 08:50:37 GMT", .seconds(60)),
            ("Sun Nov  6 09:49:37 1994", .seconds(3_600)),
            ("Sun, 06 Nov 1994 08:49:36 GMT", .zero),
            ("Thu, 01 Jan 1970 00:00:00 GMT", .zero),
            ("Wed, 29 Feb 2012 00:00:00 GMT", .seconds(1_330_473_600 - 784_111_777)),
            ("Sat, 31 Dec 2016 23:59:60 GMT", .seconds(1_483_228_800 - 784_111_777)),
        ]
    )
    func `seconds and the three forms of a date are parsed`(_ value: String, _ pause: Duration) {
        #expect(Duration(retryAfter: value, date: nil, now: Self.now) == pause)
    }

    @Test(
        arguments: [
            "", "-1", "+1", "1.5", "1s", "soon", " ", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 19945 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT", "٣", "Sun Nov 6 08:49:37 94",
        ]
    )
    func `malformed values are ignored`(_ value: String) {
        #expect(Duration(retryAfter: value, date: nil, now: Self.now) == nil)
    }

    @Test func `a date is relative to the Date of the server`() {
        let pause = Duration(
            retryAfter: "Sun, 06 Nov 2033 08:00:05 GMT",
            date: "Sun, 06 Nov 2033 08:00:00 GMT",
            now: Self.now
        )
        #expect(pause == .seconds(5))
    }

    @Test func `a year of two digits is not far in the future`() {
        // 2026-11-21
        let now: Int64 = 1_795_219_200
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: now)?.seconds == Self.now)
        #expect(HTTPDate("Sunday, 21-Nov-27 00:00:00 GMT", now: now)?.seconds == now + 365 * 86_400)
    }
}
