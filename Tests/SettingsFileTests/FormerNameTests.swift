import Monitoring
import SettingsFile
import Testing

/// The names before the present ones.
struct FormerNameTests {
    private func problems(_ formerNames: [String: String], haveOneURL: Bool = true) -> [String] {
        let text = ["NAS", "Box", "Old"].map { name in
            let formerly = formerNames[name].map { "formerly = \"\($0)\"\n" } ?? ""
            let host = haveOneURL ? "nas" : name
            return "[[target]]\nname = \"\(name)\"\nurl = \"tcp://\(host).local:445\"\n\(formerly)"
        }
        do throws(SettingsFailure) {
            let reader = SettingsReader(file: "dashboard.toml", environment: [:])
            _ = try reader.settings(from: text.joined())
            return []
        } catch {
            return error.lines.map { String($0.dropFirst("dashboard.toml:".count)) }
        }
    }

    @Test func `a name that no target has is a former name`() {
        #expect(problems(["NAS": "Storage", "Box": "Case"]).isEmpty)
    }

    @Test func `a former name belongs to one target`() {
        let own = #"4:12: target "NAS": formerly: the present name – write the name before, or remove it"#
        #expect(problems(["NAS": "NAS"]) == [own])
        let other =
            #"4:12: target "NAS": formerly: "Old" is the name of another target – remove it, or rename that target"#
        #expect(problems(["NAS": "Old"]) == [other])
        #expect(problems(["NAS": "Old"], haveOneURL: false) == [other])
        let twice = #"8:12: target "Box": formerly: "Case" is also that of the target "NAS" – remove one of the two"#
        #expect(problems(["NAS": "Case", "Box": "Case"]) == [twice])
    }

    @Test func `targets can swap their names if their URLs differ`() {
        #expect(problems(["NAS": "Box", "Box": "NAS"], haveOneURL: false).isEmpty)
        #expect(problems(["NAS": "Box", "Box": "Old", "Old": "NAS"], haveOneURL: false).isEmpty)
        #expect(problems(["NAS": "Box", "Box": "Case"], haveOneURL: false).isEmpty)
        #expect(problems(["NAS": "Box", "Box": "NAS"]).count == 2)
    }
}
