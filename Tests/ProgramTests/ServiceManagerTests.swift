import Foundation
import ReachMonitoring
import TestSupport
import Testing

@testable import reach

/// The notifications that a service manager receives on its datagram socket.
@Suite struct ServiceManagerTests {
    private let socket: NotifyReceiver

    init() throws {
        socket = try NotifyReceiver(isAbstract: false)
    }

    private func start(_ environment: [String: String] = [:]) -> ServiceManager? {
        let name = ["NOTIFY_SOCKET": socket.name]
        return ServiceManager(environment: name.merging(environment) { $1 }, process: 7)
    }

    @Test func `ready, reload and exit are notified`() throws {
        let story = Story(.make("A"), .make("B"))
        var serviceManager = try #require(start())
        serviceManager.ready(story.roster)
        #expect(socket.messages() == ["READY=1\nSTATUS=2 targets: 2 unknown"])
        serviceManager.reloading(at: .seconds(3) + .microseconds(5))
        serviceManager.ready(story.roster)
        #expect(socket.messages() == ["RELOADING=1\nMONOTONIC_USEC=3000005", "READY=1\nSTATUS=2 targets: 2 unknown"])
        serviceManager.stopping()
        #expect(socket.messages() == ["STOPPING=1\nSTATUS=ending"])
    }

    @Test func `the status follows the targets and is not repeated`() throws {
        var story = Story(.make("A"), .make("B", fall: 1))
        var serviceManager = try #require(start())
        serviceManager.ready(story.roster)
        _ = socket.messages()
        serviceManager.sendHeartbeat(story.roster)
        #expect(socket.messages() == [])
        story.hear("r", from: "A")
        story.hear("t", from: "B")
        serviceManager.sendHeartbeat(story.roster)
        serviceManager.sendHeartbeat(story.roster)
        #expect(socket.messages() == ["STATUS=2 targets: 1 up, 1 down"])
    }

    @Test func `heartbeats have half the watchdog interval, and only for the watched process`() throws {
        let story = Story(.make("A"))
        var watched = try #require(start(["WATCHDOG_USEC": "500000", "WATCHDOG_PID": "7"]))
        #expect(watched.interval == .milliseconds(250))
        watched.ready(story.roster)
        watched.sendHeartbeat(story.roster)
        #expect(socket.messages().last == "WATCHDOG=1")
        #expect(try #require(start(["WATCHDOG_USEC": "60000000"])).interval == .seconds(1))
        #expect(try #require(start(["WATCHDOG_USEC": "1"])).interval == .milliseconds(10))
        for others in [["WATCHDOG_USEC": "500000", "WATCHDOG_PID": "8"], ["WATCHDOG_USEC": "-1"], [:]] {
            var other = try #require(start(others))
            other.ready(story.roster)
            _ = socket.messages()
            other.sendHeartbeat(story.roster)
            #expect(socket.messages() == [] && other.interval == .seconds(1), "\(others)")
        }
    }

    @Test func `an undelivered message is sent later, except heartbeats`() throws {
        let story = Story(.make("A"))
        var serviceManager = try #require(start(["WATCHDOG_USEC": "500000"]))
        let name = socket.name
        try #require(rename(name, name + ".away") == 0)
        serviceManager.ready(story.roster)
        serviceManager.sendHeartbeat(story.roster)
        try #require(rename(name + ".away", name) == 0)
        serviceManager.sendHeartbeat(story.roster)
        #expect(socket.messages() == ["READY=1\nSTATUS=1 target: 1 unknown\nWATCHDOG=1"])
    }

    #if os(Linux)
    @Test func `an abstract name is not null-terminated`() throws {
        let receiver = try NotifyReceiver(isAbstract: true)
        let sender = try #require(NotifySocket(receiver.name))
        #expect(sender.send(["READY=1"]))
        #expect(receiver.messages() == ["READY=1"])
    }
    #endif

    @Test(arguments: ["", "/", "@", "relative", "vsock:2:1", "/" + String(repeating: "x", count: 200)])
    func `an invalid socket name has no service manager`(_ name: String) {
        #expect(NotifySocket(name) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": name], process: 7) == nil)
    }
}
