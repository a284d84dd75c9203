import Monitoring
import Testing

@testable import SettingsFile

/// International domain names in the settings.
struct InternationalNameSettingsTests {
    @Test func `targets are named as typed, and probed by the names in ASCII`() throws {
        let text = """
            [[target]]
            url = "icmp://bücher.test"
            depends_on = ["bücher.test:80", "link"]
            [[target]]
            url = "${HOST}:22"
            [[target]]
            urls = ["{bücher,faß}.test:80", "dns://192.0.2.53/Müller.test"]
            [[target]]
            name = "Web {}"
            urls = ["https://straße.test/"]
            tls = { server_name = "Straße.test" }
            http = { proxy = "http://prüfung.test:3128" }
            """
        let settings = try SettingsReader(file: "d", environment: ["HOST": "größe.test"]).settings(from: text)
        #expect(
            settings.targets.map { "\($0.name) \($0.question.url)" } == [
                "bücher.test icmp://xn--bcher-kva.test", "größe.test:22 tcp://xn--gre-6ka8i.test:22",
                "bücher.test:80 tcp://xn--bcher-kva.test:80", "faß.test:80 tcp://xn--fa-hia.test:80",
                "192.0.2.53/Müller.test dns://192.0.2.53/xn--mller-kva.test?type=A",
                "Web straße.test https://xn--strae-oqa.test/",
            ]
        )
        guard case .http(let web)? = settings.targets.last?.question else { return #expect(Bool(false)) }
        #expect(web.tls.serverName == "xn--strae-oqa.test" && web.proxy?.host == "xn--prfung-4ya.test")
    }

    @Test func `services, and targets of lists`() throws {
        let text = "[[source]]\ndns = \"_http._tcp.bücher.test\"\n[[source]]\nfile = \"a.json\"\n"
        let settings = try SettingsReader(file: "d", environment: [:]).settings(from: text)
        #expect(settings.sources[0].kind.name.contains("_http._tcp.xn--bcher-kva.test"))
        let targets = try settings.sources[1].targets(DiscoveredTarget(["__address__": "bücher.test:80"]))
        #expect(targets.map { "\($0.name) \($0.question.url)" } == ["bücher.test:80 tcp://xn--bcher-kva.test:80"])
        for invalid in [
            "[[source]]\ndns = \"_http._tcp.אa.test\"",
            "[[target]]\nurl = \"tls://a\"\ntls = { server_name = \"אa.test\" }",
        ] {
            #expect(throws: SettingsFailure.self) {
                try SettingsReader(file: "d", environment: [:]).settings(from: invalid)
            }
        }
    }
}
