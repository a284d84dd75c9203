import Testing

@testable import Monitoring

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
