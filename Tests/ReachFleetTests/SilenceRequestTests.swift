import ReachMonitoring
import Testing

@testable import ReachFleet

/// The request for a silence, and the answers of Alertmanager 0.25.
struct SilenceRequestTests {
    private func silence(_ matcher: LabelMatcher, reason: String = "new switch") -> Silence {
        Silence(
            server: AlertmanagerSettings(url: "http://alertmanager:9093"),
            matcher: matcher,
            length: .seconds(7_200),
            reason: reason,
            targets: []
        )
    }

    private func body(_ silence: Silence) -> String {
        // 2026-11-20T14:02:31Z
        SilenceRequest(silence, by: "kim", at: .milliseconds(1_114), wall: WallTime(start: .seconds(1_795_183_351)))
            .body
    }

    @Test func `a request has the matcher, the times in UTC, the user and the reason`() {
        #expect(SilenceRequest.path == "/api/v2/silences")
        #expect(
            body(silence(LabelMatcher("target", "Shop")))
                == #"{"matchers":[{"name":"target","value":"Shop","isRegex":false,"isEqual":true}],"#
                + #""startsAt":"2026-11-20T14:02:32.114Z","endsAt":"2026-11-20T16:02:32.114Z","#
                + #""createdBy":"kim","comment":"new switch"}"#
        )
    }

    @Test func `hostile texts stay JSON strings`() {
        let text = body(silence(LabelMatcher("a\"b", "\\\"},{\n\u{1}"), reason: "\"quoted\" – 😀\t"))
        #expect(text.contains(#""name":"a\"b","value":"\\\"},{\n\u0001","isRegex""#))
        #expect(text.contains(#""comment":"\"quoted\" – 😀\t"}"#))
        #expect(LabelMatcher("a", "x\"\\\u{1B}[2J").text == #"a="x\"\\�[2J""#)
    }

    @Test(arguments: [
        (200, #"{"silenceID":"37d37b10-720d"}"#, SilenceReport.Answer.created(id: "37d37b10-720d")),
        (
            400, #""Failed to create silence: start time must be before end time""#,
            .failed("Failed to create silence: start time must be before end time")
        ),
        (
            422, #"{"code":612,"message":"matchers in body should have at least 1 items"}"#,
            .failed("matchers in body should have at least 1 items")
        ),
        (404, "404 page not found\n", .failed("HTTP 404: 404 page not found")),
        (401, "Unauthorized\n", .failed("HTTP 401: it requires credentials, or rejected them")),
        (403, "", .failed("HTTP 403: the credentials do not permit silences")),
        (
            200, "<!DOCTYPE html><title>Login</title>",
            .failed("HTML instead of JSON – a proxy or a login page answers, or the URL is wrong")
        ),
        (200, #"{"status":"success"}"#, .failed("JSON, but not of Alertmanager – check the URL")),
        (200, #"{"silenceID":"37"#, .unknown("the answer ended early")),
        (200, "", .unknown("the answer ended early")), (500, "{", .failed("HTTP 500: {")),
        (502, "\u{1B}[2Jbad gateway", .failed("HTTP 502: �[2Jbad gateway")),
        (302, "", .failed("HTTP 302")),
    ])
    func `answers are an identifier, or the words of the server`(
        status: Int,
        body: String,
        answer: SilenceReport.Answer
    ) {
        #expect(SilenceRequest.answer(Array(body.utf8), httpStatus: status) == answer)
    }
}
