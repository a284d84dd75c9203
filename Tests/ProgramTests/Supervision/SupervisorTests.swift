import Foundation
import Monitoring
import TestSupport
import Testing

@testable import reach

/// What a service manager hears, on a datagram socket as systemd has it.
@Suite struct SupervisorTests {
    private let ear: Ear

    init() throws {
        ear = try Ear(isAbstract: false)
    }

    private func start(_ environment: [String: String] = [:]) -> Supervisor? {
        let name = ["NOTIFY_SOCKET": ear.name]
        return Supervisor(environment: name.merging(environment) { $1 }, process: 7)
    }

    @Test func `it hears that the program is ready, reads its settings again, and ends`() throws {
        let story = Story(.make("A"), .make("B"))
        var supervisor = try #require(start())
        supervisor.ready(story.roster)
        #expect(ear.heard() == ["READY=1\nSTATUS=2 targets: 2 unknown"])
        supervisor.reloading(at: .seconds(3) + .microseconds(5))
        supervisor.ready(story.roster)
        #expect(ear.heard() == ["RELOADING=1\nMONOTONIC_USEC=3000005", "READY=1\nSTATUS=2 targets: 2 unknown"])
        supervisor.stopping()
        #expect(ear.heard() == ["STOPPING=1\nSTATUS=ending"])
    }

    @Test func `the words follow the targets, and nothing is said twice`() throws {
        var story = Story(.make("A"), .make("B", fall: 1))
        var supervisor = try #require(start())
        supervisor.ready(story.roster)
        _ = ear.heard()
        supervisor.pat(story.roster)
        #expect(ear.heard() == [])
        story.hear("r", from: "A")
        story.hear("t", from: "B")
        supervisor.pat(story.roster)
        supervisor.pat(story.roster)
        #expect(ear.heard() == ["STATUS=2 targets: 1 up, 1 down"])
    }

    @Test func `a watchdog is patted twice in its time, by whom it watches`() throws {
        let story = Story(.make("A"))
        var watched = try #require(start(["WATCHDOG_USEC": "500000", "WATCHDOG_PID": "7"]))
        #expect(watched.pace == .milliseconds(250))
        watched.ready(story.roster)
        watched.pat(story.roster)
        #expect(ear.heard().last == "WATCHDOG=1")
        #expect(try #require(start(["WATCHDOG_USEC": "60000000"])).pace == .seconds(1))
        #expect(try #require(start(["WATCHDOG_USEC": "1"])).pace == .milliseconds(10))
        for others in [["WATCHDOG_USEC": "500000", "WATCHDOG_PID": "8"], ["WATCHDOG_USEC": "-1"], [:]] {
            var other = try #require(start(others))
            other.ready(story.roster)
            _ = ear.heard()
            other.pat(story.roster)
            #expect(ear.heard() == [] && other.pace == .seconds(1), "\(others)")
        }
    }

    @Test func `a message that nobody takes is sent later, but for a pat`() throws {
        let story = Story(.make("A"))
        var supervisor = try #require(start(["WATCHDOG_USEC": "500000"]))
        let name = ear.name
        try #require(rename(name, name + ".away") == 0)
        supervisor.ready(story.roster)
        supervisor.pat(story.roster)
        try #require(rename(name + ".away", name) == 0)
        supervisor.pat(story.roster)
        #expect(ear.heard() == ["READY=1\nSTATUS=1 target: 1 unknown\nWATCHDOG=1"])
    }

    #if os(Linux)
        @Test func `an abstract name has no end but its length`() throws {
            let ear = try Ear(isAbstract: true)
            let socket = try #require(NotifySocket(ear.name))
            #expect(socket.send(["READY=1"]))
            #expect(ear.heard() == ["READY=1"])
        }
    #endif

    @Test(arguments: ["", "/", "@", "relative", "vsock:2:1", "/" + String(repeating: "x", count: 200)])
    func `what is no socket is nobody`(_ name: String) {
        #expect(NotifySocket(name) == nil)
        #expect(Supervisor(environment: ["NOTIFY_SOCKET": name], process: 7) == nil)
    }
}
