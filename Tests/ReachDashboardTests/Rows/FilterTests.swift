import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The words of a filter, their problems, and the selection.
@Suite struct FilterTests {
    /// Targets of two groups in all states. Router and API are up, NAS is down, Shop is degraded, Camera is paused,
    /// Printer is unknown, Radio has a fault, and Gate is about to go down.
    private static let states: Scene = {
        var scene = Scene(
            [
                .make("Router", url: "icmp://192.168.1.1", group: "Home"),
                .make("NAS", url: "tcp://nas.local:445", group: "Home", tags: ["db", "Prod"]),
                .make("Camera", url: "icmp://192.168.1.7", group: "Home"),
                .make("Printer", url: "icmp://192.168.1.9", group: "Home office"),
                .make("Shop", url: "https://shop.example", group: "Cloud", slow: .milliseconds(500)),
                .make("API", url: "tcp://api.example:443", group: "Cloud", tags: ["db-replica"]),
                .make("Radio", url: "udp://192.168.1.8:53"),
                .make("Gate", url: "http://gate.example"),
            ],
            columns: 110,
            rows: 30
        )
        scene.receiveTogether([
            "Router": "rrrr", "NAS": "rxxx", "Camera": "rrrr", "Shop": "ssss", "API": "rrrr", "Radio": "   f",
            "Gate": "rrrx",
        ])
        scene.select("Camera")
        scene.press(.character(" "), .home, .down)
        return scene
    }()

    private func names(_ scene: Scene) -> [String] {
        scene.model.list.order.positions.map { scene.model.roster.states[$0].target.name }
    }

    private func selected(_ scene: Scene) -> String? {
        guard case .target(let id) = scene.model.selection.id else { return nil }
        return scene.model.roster[id]?.target.name
    }

    private func filtered(_ text: String, in scene: Scene = states) -> Scene {
        var scene = scene
        scene.press(.character("/"))
        scene.type(text)
        scene.press(.enter)
        return scene
    }

    @Test(
        arguments: [
            ("is:up", ["Router", "API", "Gate"]), ("is:down", ["NAS"]), ("is:degraded", ["Shop"]),
            ("is:slow", ["Shop"]), ("is:paused", ["Camera"]), ("is:unknown", ["Printer", "Radio"]),
            ("is:fault", ["Radio"]), ("is:pending", ["Gate"]), ("is:blocked", []), ("is:flapping", []),
            ("IS:Down", ["NAS"]), ("is:d", ["NAS", "Shop"]), ("is:p", ["Camera", "Gate"]),
            ("!is:up", ["NAS", "Camera", "Printer", "Shop", "Radio"]), ("is:up !is:pending", ["Router", "API"]),
            ("group:cloud", ["Shop", "API"]), ("group:home", ["Router", "NAS", "Camera", "Printer"]),
            ("group:\"Home\"", ["Router", "NAS", "Camera"]), ("group:\"home office\"", ["Printer"]),
            ("group:\"home o", ["Printer"]), ("group:\"\"", ["Radio", "Gate"]), ("group:attic", []),
            ("!group:home !group:\"\"", ["Shop", "API"]), ("\"home off\"", ["Printer"]),
            ("tag:db", ["NAS", "API"]), ("tag:\"db\"", ["NAS"]), ("tag:prod", ["NAS"]), ("tag:none", []),
            ("!tag:db group:home", ["Router", "Camera", "Printer"]),
            ("method:tcp", ["NAS", "API"]), ("method:http", ["Gate"]), ("method:htt", ["Shop", "Gate"]),
            ("!method:icmp !method:tcp", ["Shop", "Radio", "Gate"]), ("method:dns", []),
            ("p95>100ms", ["Shop"]), ("p95<100ms", ["Router", "NAS", "API", "Gate"]), ("p95>1s", []),
            ("loss>50%", ["NAS"]), ("loss>50", ["NAS"]), ("loss>0%", ["NAS", "Gate"]),
            ("loss<1.5%", ["Router", "Shop", "API"]),
            ("last>0.5s", ["Shop"]), ("jitter<1ms", ["Router", "Shop", "API", "Gate"]),
            ("!loss>0% group:home", ["Router", "Camera", "Printer"]), ("loss<=0%", ["Router", "Shop", "API"]),
            ("loss>=75%", ["NAS"]), ("loss>75%", []), ("p95>=100ms", ["Shop"]),
            ("is:explained", []), ("cause:1", []), ("!is:explained group:cloud", ["Shop", "API"]),
            ("nas:445", []), ("nas.local:445", ["NAS"]), ("tcp://nas", ["NAS"]),
        ] as [(String, [String])]
    )
    func `each word matches`(text: String, expected: [String]) {
        let scene = filtered(text)
        #expect(names(scene).sorted() == expected.sorted())
        #expect(scene.model.prompts.current == nil, "no problem keeps the prompt open")
    }

    @Test(
        arguments: [
            ("is:foo", "unknown state \"foo\" – such as down, slow or paused"),
            ("cause:x", "invalid number of a common cause \"x\" – such as cause:1"),
            ("is:dwon", "unknown state \"dwon\" – did you mean down?"),
            ("!is:flaping", "unknown state \"flaping\" – did you mean flapping?"),
            ("method:tpc", "unknown method \"tpc\" – did you mean tcp?"),
            ("p95>abc", "invalid duration \"abc\" – such as 100ms, 2s"),
            ("p95>==1s", "invalid duration \"=1s\" – such as 100ms, 2s"),
            ("p95>100", "100 has no unit – 100ms or 100s?"), ("loss>0.05", "0.05 has no unit – 5% or 0.05%?"),
            ("p59>1s", "unknown figure \"p59\" – did you mean p95?"),
            ("latency>1s", "unknown figure \"latency\" – one of last, p95, loss, jitter"),
            ("loss>many", "invalid percentage \"many\" – such as 5%"),
            ("p95>100MSEC", "\"100msec\" – did you mean 100ms?"),
            ("foo:bar", "unknown key \"foo\" – one of is, group, method, tag, cause, or quotes"),
            ("gruop:home", "unknown key \"gruop\" – did you mean group:home?"),
            ("!gruop:7", "unknown key \"gruop\" – did you mean group:7?"),
        ]
    )
    func `an invalid word is reported while it is typed, and hides nothing`(text: String, problem: String) {
        var scene = Self.states
        scene.press(.character("/"))
        scene.type("icmp \(text)")
        #expect(scene.line("filter:").contains(problem))
        #expect(names(scene) == ["Router", "Camera", "Printer"])
        scene.press(.enter)
        #expect(scene.line("filter:").contains(problem), "enter keeps only a valid filter")
        scene.press(.control("w"), .enter)
        #expect(scene.line("filter:").contains("filter: icmp"))
        #expect(scene.model.prompts.current == nil)
    }

    @Test(
        arguments: [
            ("p95 > 1ms", "blank beside > – did you mean p95>1ms?"),
            ("p95> 1ms", "blank beside > – did you mean p95>1ms?"),
            ("p95 <=1ms", "blank beside < – did you mean p95<=1ms?"),
            ("p95 >= 1ms", "blank beside > – did you mean p95>=1ms?"),
            ("!loss > 50%", "blank beside > – did you mean loss>50%?"),
            ("p59 > 1ms", "unknown figure \"p59\" – did you mean p95?"),
        ]
    )
    func `blanks beside a sign are reported, and hide nothing`(text: String, problem: String) {
        let filter = Filter("icmp \(text) !is:down")
        #expect(filter.problem(whileTyping: true) == problem)
        #expect(names(filtered("icmp \(text)")) == ["Router", "Camera", "Printer"])
    }

    @Test func `a negated word that has only begun hides nothing`() {
        for text in ["!", "!is:", "!tag:", "!group:\"", "!\""] {
            #expect(names(filtered(text)).count == 8)
            #expect(Filter(text).problem(whileTyping: true) == nil)
            #expect(Filter(text).problem(whileTyping: false)?.contains("missing word") == true)
        }
    }

    @Test(
        arguments: [
            ("p95>", "missing duration – such as 100ms"), ("loss>", "invalid percentage \"\" – such as 5%"),
            ("!", "missing word after ! – such as !is:down"), ("!is:", "missing word after !is: – such as !is:down"),
        ]
    )
    func `an unfinished word is reported only by enter or a following word`(text: String, problem: String) {
        var scene = Self.states
        scene.press(.character("/"))
        scene.type(text)
        #expect(scene.line("filter:").contains("enter keeps it"))
        #expect(names(scene).count == 8)
        scene.press(.enter)
        #expect(scene.line("filter:").contains(problem))
        scene.type(" ")
        #expect(scene.line("filter:").contains(problem))
        scene.press(.escape)
        #expect(scene.model.list.filter.isEmpty)
    }

    @Test(
        arguments: [
            ("udp://ns:53", "ns:53"), ("link:any", "link:a"), ("https://a.example/", "https://a"),
            ("icmp://dead:be::1", "dead:be"), ("link:any", "foo:"), ("link:any", "\"foo:bar\""),
        ]
    )
    func `parts of URLs and quoted texts may have a colon`(url: String, text: String) {
        let scene = filtered(text, in: Scene([.make("A", url: url)]))
        #expect(scene.model.filterProblem(whileTyping: false) == nil)
        #expect(names(scene) == (text.contains("foo") ? [] : ["A"]))
    }

    @Test func `a share in place of a percentage is reported`() {
        for (text, problem) in [
            ("loss>0.05", "0.05 has no unit – 5% or 0.05%?"), ("loss<.125", ".125 has no unit – 12.5% or .125%?"),
        ] {
            #expect(Filter(text).problem(whileTyping: false) == problem)
        }
        for text in ["loss>0.05%", "loss>0", "loss>1", "loss>2.5"] {
            #expect(Filter(text).problem(whileTyping: false) == nil)
        }
    }

    @Test func `figures are read at most once a second, also for new words`() {
        var scene = Scene([.make("A"), .make("B")])
        scene.receiveOnce(["A": 1, "B": 200])
        scene = filtered("p95>100ms", in: scene)
        #expect(names(scene) == ["B"])
        scene.receive(.reply(roundTrip: .milliseconds(300)), from: "A", after: .milliseconds(100))
        scene.wait(.milliseconds(100))
        #expect(names(scene) == ["B"])
        #expect(names(filtered(" !is:down", in: scene)) == ["B"])
        scene.wait(.milliseconds(900))
        #expect(names(scene) == ["A", "B"])
        scene.wait(.seconds(2))
        let basis = scene.model.list.order.basis
        scene.press(.down)
        #expect(scene.model.list.order.basis == basis)
    }

    @Test func `a state in a filter with figures is current`() {
        var scene = Scene([.make("A", fall: 1), .make("B", fall: 1)])
        scene.receiveOnce(["A": 200, "B": 200])
        scene = filtered("p95>100ms is:up", in: scene)
        #expect(names(scene) == ["A", "B"])
        scene.receive(.timeout, from: "B", after: .milliseconds(100))
        scene.wait(.milliseconds(100))
        #expect(names(scene) == ["A"])
    }

    @Test func `is:slow leaves out a target that is degraded by losses`() {
        let lossy = Target.make("Link", url: "icmp://192.0.2.1", fall: 9, lossy: 0.2)
        var scene = Scene([lossy, .make("Shop", slow: .milliseconds(500))], columns: 110)
        scene.receiveTogether(["Link": String(repeating: "rrrt", count: 4) + "rrttr", "Shop": "ssss"])
        #expect(names(filtered("is:degraded", in: scene)) == ["Link", "Shop"])
        #expect(names(filtered("is:slow", in: scene)) == ["Shop"])
    }

    @Test func `while typing, the selection stays on its target, or moves to the first match`() {
        var scene = Self.states
        scene.select("API")
        scene.press(.character("/"))
        scene.type("e")
        #expect(selected(scene) == "API")
        scene.type("x")
        #expect(selected(scene) == "API")
        scene.press(.backspace)
        scene.type(" is:slow")
        #expect(selected(scene) == "Shop")
        scene.type(" zzz")
        #expect(selected(scene) == nil)
        // The target from before the filter is preferred.
        scene.press(.control("u"))
        scene.type("api")
        #expect(selected(scene) == "API")
        scene.press(.control("u"))
        scene.type("nas")
        #expect(selected(scene) == "NAS")
        scene.press(.enter)
        #expect(selected(scene) == "NAS")
    }

    @Test func `a heading is never selected by a filter, and its group is unfolded until esc`() {
        var scene = Self.states
        scene.press(.home, .left)
        #expect(scene.line("▸▹").contains("Home"))
        let before = scene.screen
        scene.press(.character("/"))
        scene.type("o")
        #expect(selected(scene) == "Router")
        #expect(scene.screen.contains("Camera"))
        scene.press(.escape)
        #expect(scene.screen == before)
    }

    @Test func `esc restores the selection and the scroll position from before the filter`() {
        var scene = Self.states
        scene.send(.resize(Size(columns: 80, rows: 9)))
        scene.press(.end, .up)
        let (name, before) = (selected(scene), scene.screen)
        scene.press(.character("/"))
        scene.type("cloud")
        scene.press(.escape)
        #expect(scene.screen == before)
        scene.press(.character("/"))
        scene.type("home")
        scene.press(.enter, .down, .escape)
        #expect(selected(scene) == name)
        #expect(scene.screen == before)
        // Another filter, and an emptied one.
        scene.press(.character("/"))
        scene.type("home")
        scene.press(.enter, .down, .character("/"), .control("u"), .enter)
        #expect(scene.screen == before)
    }

    @Test func `a target that leaves the filter is followed by the next target, not by a heading`() {
        var scene = Scene([
            .make("A", group: "One", fall: 1), .make("B", group: "One", fall: 1), .make("C", group: "Two", fall: 1),
        ])
        scene.receiveOnce(["A": 1, "B": 1, "C": 1])
        scene = filtered("is:up", in: scene)
        scene.select("B")
        scene.receive(.timeout, from: "B")
        scene.tick()
        #expect(selected(scene) == "C")
    }

    @Test func `enter on a heading shows the group alone, esc shows all again`() {
        var scene = Self.states
        scene.press(.home, .left)
        let before = scene.screen
        #expect(before.hasSuffix(" q quit") && scene.line("space").contains("enter open"))
        scene.press(.enter)
        #expect(names(scene) == ["Router", "NAS", "Camera"])
        #expect(selected(scene) == "Router")
        #expect(scene.line("filter:").contains("filter: group:\"Home\"  esc clears it"))
        scene.press(.up, .enter)
        #expect(scene.model.list.filter.text == "group:\"Home\"", "it is open already")
        scene.press(.escape)
        #expect(scene.screen == before)
    }

    @Test func `a group is opened within a filter, and a name with blanks and quotes is matched exactly`() {
        var scene = Scene([
            .make("A", group: "Hall 1"), .make("B", group: "Hall 10"), .make("C", group: "the \"attic\""),
            .make("D", group: "Hall 1"), .make("E"),
        ])
        scene = filtered("!d", in: scene)
        scene.press(.home, .enter)
        #expect(names(scene) == ["A"])
        scene.press(.escape)
        scene.select("C")
        scene.press(.up, .enter)
        #expect(names(scene) == ["C"])
        scene.press(.escape)
        scene.select("E")
        scene.press(.up, .enter)
        #expect(names(scene) == ["E"])
    }

    @Test(arguments: ["2", "3"] as [Character])
    func `the wall and the graphs restore the selection too`(view: Character) {
        var scene = Self.states
        scene.select("API")
        scene.press(.character(view))
        let before = scene.screen
        scene.press(.character("/"))
        scene.type("nas")
        scene.press(.enter)
        #expect(selected(scene) == "NAS")
        scene.press(.escape)
        #expect(scene.screen == before)
    }

    @Test func `esc is announced only where it clears the filter`() {
        var scene = filtered("home")
        #expect(scene.line("filter:").contains("esc clears it"))
        for key: Key in [.enter, .character("e"), .character("?")] {
            scene.press(key)
            #expect(scene.screen.hasSuffix("esc back") && !scene.screen.contains("clears"))
            scene.press(.escape)
        }
    }
}
