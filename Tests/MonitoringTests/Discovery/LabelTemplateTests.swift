import Testing

@testable import Monitoring

struct LabelTemplateTests {
    private let target = DiscoveredTarget(["__address__": "a:80", "env": "prod", "empty": ""])

    @Test(arguments: [
        ("https://${label:__address__}/health", "https://a:80/health"), ("${label:env}", "prod"),
        ("${label:none:-x}", "x"), ("${label:empty:-x}", "x"), ("${label:none:-}", ""),
        ("$${label:env}", "${label:env}"),
        ("plain $x {y} $", "plain $x {y} $"), ("${OTHER}", "${OTHER}"), ("", ""),
        ("${label:none:-a:-b}", "a:-b"),
    ])
    func `labels are filled in`(text: String, expected: String) throws {
        #expect(try LabelTemplate(text).filled(from: target) == expected)
    }

    @Test func `a missing label without a fallback is an error`() throws {
        for name in ["none", "empty"] {
            let template = try LabelTemplate("x ${label:\(name)}")
            let error = #expect(throws: LabelTemplate.MissingLabel.self) { try template.filled(from: target) }
            #expect(error?.name == name)
        }
    }

    @Test func `a template knows whether it has labels`() throws {
        #expect(try LabelTemplate("${label:a}").hasLabels)
        #expect(try !LabelTemplate("$${label:a}").hasLabels)
    }

    @Test(arguments: [
        ("${label:}", "invalid label name \"\""), ("${label:a-b}", "invalid label name \"a-b\""),
        ("${label:1a}", "invalid label name \"1a\""), ("${label:a", "\"${\" without \"}\""),
    ])
    func `an invalid reference has a reason`(text: String, message: String) {
        let failure = #expect(throws: LabelTemplate.Failure.self) { try LabelTemplate(text) }
        #expect(failure?.message == message)
    }
}
