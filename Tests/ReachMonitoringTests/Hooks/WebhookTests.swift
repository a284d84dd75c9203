import Foundation
import ReachBasics
import ReachBasics
import Testing

@testable import ReachMonitoring

/// How a webhook is filled in for a run.
@Suite struct WebhookTests {
    /// Hostile text that a name or a reply may contain.
    private static let hostile = "a\"b\\c\nd\re\0f\u{1B}[31m$(id)`id`${REACH_URL}\u{2028}\u{9B}ü💥&=/?#%\r\nX-Evil: 1"
    private static let values = [
        (name: "REACH_TARGET", value: hostile), (name: "REACH_URL", value: "tcp://nas.local:445"),
        (name: "REACH_LOSS", value: "0.05"),
    ]

    private func fill(_ webhook: Webhook) -> Webhook {
        webhook.filled(with: Self.values, payload: "{\"type\":\"transition\"}")
    }

    private func header(_ name: String, _ value: String) -> HTTPOptions.Header {
        HTTPOptions.Header(name: name, value: value)
    }

    @Test func `without a body, the JSON payload is posted`() {
        let filled = fill(Webhook(url: "https://example.net/hook"))
        #expect(filled.method == "POST")
        #expect(filled.body == "{\"type\":\"transition\"}")
        #expect(filled.headers == [header("Content-Type", "application/json")])
    }

    @Test(arguments: ["GET", "HEAD"])
    func `GET and HEAD send no body by default`(_ method: String) {
        let filled = fill(Webhook(url: "https://example.net/", method: method))
        #expect(filled.body == nil)
        #expect(filled.headers.isEmpty)
        #expect(fill(Webhook(url: "https://example.net/", method: method, body: "1")).body == "1")
    }

    @Test func `no value changes the structure of a JSON body`() throws {
        let template =
            #"{"text":"${REACH_TARGET} is up","name":${REACH_TARGET},"loss":${REACH_LOSS},"port":${REACH_PORT}}"#
        let body = try #require(fill(Webhook(url: "https://example.net/", body: template)).body)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        #expect(object.count == 4)
        #expect(object["text"] as? String == "\(Self.hostile) is up")
        #expect(object["name"] as? String == Self.hostile)
        #expect(object["loss"] as? Double == 0.05)
        #expect(object["port"] is NSNull)
        #expect(!body.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test(arguments: ["application/json; charset=utf-8", "Application/JSON", "application/vnd.api+json"])
    func `a content type with the suffix +json is JSON`(_ type: String) {
        let webhook = Webhook(
            url: "https://example.net/",
            headers: [header("content-type", type)],
            body: "\"${REACH_TARGET}\""
        )
        let filled = fill(webhook)
        #expect(filled.body == "\"\(Self.hostile.jsonEscaped)\"")
        #expect(filled.headers == webhook.headers)
    }

    @Test func `values are encoded in a form, and unchanged in other text`() {
        let form = Webhook(
            url: "https://example.net/",
            headers: [header("Content-Type", "application/x-www-form-urlencoded")],
            body: "name=${REACH_TARGET}&loss=${REACH_LOSS}"
        )
        #expect(fill(form).body == "name=\(Self.hostile.percentEncoded)&loss=0.05")
        let text = Webhook(
            url: "https://example.net/",
            headers: [header("Content-Type", "text/plain")],
            body: "${REACH_TARGET}"
        )
        #expect(fill(text).body == Self.hostile)
    }

    @Test func `no value ends a header field`() {
        let webhook = Webhook(url: "https://example.net/", headers: [header("X-Target", "<${REACH_TARGET}>")])
        let value = fill(webhook).headers[0].value
        #expect(value == "<a\"b\\cdef[31m$(id)`id`${REACH_URL}ü💥&=/?#%X-Evil: 1>")
        #expect(!value.utf8.contains { $0 < 0x20 || $0 == 0x7F })
    }

    @Test func `a value in the URL is percent-encoded`() {
        let filled = fill(Webhook(url: "https://example.net/${REACH_TARGET}/x?url=${REACH_URL}&loss=${REACH_LOSS}"))
        #expect(
            filled.url
                == "https://example.net/\(Self.hostile.percentEncoded)/x?url=tcp%3A%2F%2Fnas.local%3A445&loss=0.05"
        )
        #expect(
            Self.hostile.percentEncoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#&=\"\\".utf8.contains($0) }
        )
        #expect("a\n\0ü~".percentEncoded == "a%0A%00%C3%BC~")
    }

    @Test(
        arguments: [
            "https://example.net", "http://127.0.0.1:8080/hook", "https://example.net/${REACH_TARGET}?q=${REACH_LOSS}",
            "https://example.net?${REACH_EVENT}", "https://[::1]:8443/${REACH_HOST}",
        ]
    )
    func `a valid URL has no problem`(_ url: String) {
        #expect(Webhook.problem(withURL: url) == nil)
    }

    @Test(
        arguments: [
            ("https://${REACH_HOST}/hook", "${…} in the host of a request"),
            ("https://example.net:${REACH_PORT}/hook", "${…} in the host of a request"),
            ("https://example.${REACH_GROUP}?x", "${…} in the host of a request"),
            ("${REACH_URL}", "${…} in the host of a request"),
            ("${REACH_EVENT}://example.net/", "${…} in the host of a request"),
            ("https://example.net/${REACH_TARGTE}", "unknown field ${REACH_TARGTE}"),
            ("tcp://example.net:80", "only http:// and https:// are supported"),
            ("example.net/hook", "only http:// and https:// are supported"),
            ("https:///hook", "the host is missing"),
            ("https://me:secret@example.net/", "no password in a URL"),
            ("https://example.net/#${REACH_EVENT}", "a fragment (\"#\") is never sent"),
            ("https://example.net/a b", "the URL has a blank or a control character in it"),
            ("", "the URL is empty"),
        ]
    )
    func `an invalid URL is reported with its problem`(_ url: String, _ message: String) {
        let problem = Webhook.problem(withURL: url)
        #expect(problem?.message == message)
        #expect(problem?.hint != nil)
    }

    @Test func `an unknown field has a hint`() {
        #expect(Webhook.problem(withText: "${REACH_TARGET} is ${REACH_HEALT}")?.hint == "did you mean ${REACH_HEALTH}?")
        #expect(Webhook.problem(withText: "${REACH_TARGET} is ${USER}") == nil)
    }

    @Test func `the fields are the environment variables of a command`() {
        let context = HookContext(
            event: .up,
            trigger: .user,
            at: .zero,
            name: "NAS",
            question: .tcp(host: "nas.local", port: 445),
            health: .up,
            since: .zero
        )
        let run = HookRun(id: 1, target: Target.ID(1), rule: HookRule(on: [.up], run: .shell("")), context: context)
        #expect(run.environment(wall: WallTime(start: .zero)).map(\.name) == Webhook.fields)
    }

    @Test func `by default a request has three retries, and a command none`() {
        let request = HookAction.request(Webhook(url: "https://example.net/"))
        #expect(HookRule(on: [.up], run: request).retries == 3)
        #expect(HookRule(on: [.up], run: request, retries: 0).retries == 0)
        #expect(HookRule(on: [.up], run: .shell("true")).retries == 0)
    }

    @Test(
        arguments: [
            (HookResult.Status.answered(status: 204), true, false), (.answered(status: 302), false, false),
            (.answered(status: 404), false, false), (.answered(status: 503), false, true),
            (.unanswered(Failure(.refused)), false, true), (.unanswered(Failure(.certificateUntrusted)), false, false),
            (.timedOut, false, true), (.cancelled, false, false),
        ]
    )
    func `only temporary failures are retried`(_ status: HookResult.Status, _ isGood: Bool, _ isTransient: Bool) {
        let result = HookResult(status: status, duration: .zero)
        #expect(result.isSuccess == isGood)
        #expect(result.isTransient == isTransient)
    }
}

/// Texts with fields, `${REACH_…}`.
@Suite struct FieldTemplateTests {
    @Test(
        arguments: [
            ("", []), ("plain", []), ("${REACH_TARGET}", ["REACH_TARGET"]),
            ("a ${REACH_TARGET} b ${REACH_URL}${REACH_HOST}", ["REACH_TARGET", "REACH_URL", "REACH_HOST"]),
            ("${HOME} $REACH_TARGET ${reach_target} ${REACH_TARGET", []), ("${${REACH_TARGET}}", ["REACH_TARGET"]),
        ]
    )
    func `only a complete field is a field`(_ text: String, _ fields: [String]) {
        #expect(FieldTemplate(text).fields == fields)
    }

    @Test func `fields in a value are not filled in`() {
        let values = ["REACH_TARGET": "${REACH_URL}", "REACH_URL": "secret"]
        #expect(FieldTemplate("${REACH_TARGET}!").filled(by: values) { $0 } == "${REACH_URL}!")
    }

    @Test(
        arguments: [
            (#"{"text":"${REACH_TARGET} is up"}"#, #"{"text":"a\"b is up"}"#),
            (#"{"text":${REACH_TARGET}}"#, #"{"text":"a\"b"}"#),
            (#"{"loss":${REACH_LOSS},"since":${REACH_PORT}}"#, #"{"loss":0.05,"since":null}"#),
            (#"{"flapping":${REACH_FLAPPING},"text":"${REACH_FLAPPING}"}"#, #"{"flapping":true,"text":"true"}"#),
            (#"["\"${REACH_TARGET}\"",${REACH_TARGET}]"#, #"["\"a\"b\"","a\"b"]"#),
            (#"["\\",${REACH_TARGET}]"#, #"["\\","a\"b"]"#),
        ]
    )
    func `a JSON value is encoded for its position`(_ template: String, _ filled: String) {
        let values = ["REACH_TARGET": "a\"b", "REACH_LOSS": "0.05", "REACH_PORT": "", "REACH_FLAPPING": "true"]
        #expect(FieldTemplate(template).filledAsJSON(by: values) == filled.replacing(#"\"a"b\""#, with: #"\"a\"b\""#))
    }

    @Test(
        arguments: [
            ("0", "0"), ("-1.5e3", "-1.5e3"), ("01", "\"01\""), ("1.", "\"1.\""), ("+1", "\"+1\""), ("NaN", "\"NaN\""),
            ("1,2", "\"1,2\""), ("1 ", "\"1 \""), ("true", "true"), ("True", "\"True\""), ("null", "\"null\""),
            ("", "null"), ("1\n", "\"1\\n\""), ("٣", "\"٣\""),
        ]
    )
    func `only a JSON number is a number`(_ value: String, _ literal: String) {
        #expect(value.jsonLiteral == literal)
    }
}
