import Foundation
import Testing

extension EndToEnd {
    /// HTTP requests of hooks.
    @Suite(.serialized) struct WebhookTests {
        private let scratch: Scratch
        private let listener: Listener

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
        }

        private func watch(_ name: String = "Door", hook: String) throws -> Child {
            let settings = """
                [defaults]
                interval = "200ms"
                [[target]]
                name = "\(name)"
                url = "tcp://127.0.0.1:\(listener.port)"
                [[target.hooks]]
                \(hook)
                """
            let path = try scratch.write(settings, to: "settings.toml")
            return try scratch.start([Program.path, "watch", "--config", path])
        }

        private func object(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
        }

        @Test func `a webhook reports that a target is up again`() async throws {
            let receiver = try RequestRecorder(answering: 200)
            let child = try watch(
                hook: """
                    on = "up"
                    request = { url = "http://127.0.0.1:\(receiver.port)/hook" }
                    """
            )
            try await eventually("first verdict", context: { scratch.text(of: "err") }) {
                scratch.lines(of: "out").count == 1
            }
            listener.stop()
            try await eventually("outage") { scratch.lines(of: "out").count == 2 }
            #expect(receiver.requests.isEmpty)
            try await listener.start()
            try await eventually("webhook", context: { scratch.text(of: "err") }) { receiver.requests.count == 1 }

            let request = try #require(receiver.requests.first)
            #expect(request.line == "POST /hook HTTP/1.1")
            #expect(request.fields["content-type"] == "application/json")
            let object = try object(request.body)
            #expect(object["type"] as? String == "transition")
            #expect(object["event"] as? String == "up")
            #expect(object["target"] as? String == "Door")
            #expect(object["url"] as? String == "tcp://127.0.0.1:\(listener.port)")
            #expect(object["from"] as? String == "down")
            #expect(object["to"] as? String == "up")
            #expect(try #require(object["down_seconds"] as? Double) > 0)

            try await eventually("end of the hook") { scratch.text(of: "err").contains("was answered with HTTP 200") }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `a busy server gets the request three times, with a hostile name encoded alike`() async throws {
            let receiver = try RequestRecorder(answering: 503, 503, 200)
            let hostile = "a'b$(touch owned)`touch owned`<&>{}%"
            let child = try watch(
                hostile + #"\"\\"#,
                hook: """
                    on = "up"
                    at_start = true
                    [target.hooks.request]
                    url = "http://127.0.0.1:\(receiver.port)/hook/${REACH_TARGET}?attempt=${REACH_ATTEMPT}"
                    headers = { X-Target = "${REACH_TARGET}" }
                    body = '{"text":"${REACH_TARGET} is ${REACH_HEALTH}","attempt":${REACH_ATTEMPT},"name":${REACH_TARGET}}'
                    """
            )
            try await eventually("three requests", context: { scratch.text(of: "err") }) {
                receiver.requests.count == 3
            }
            try await eventually("end of the hook") { scratch.text(of: "err").contains("was answered with HTTP 200") }
            let name = hostile + "\"\\"
            for (index, request) in receiver.requests.enumerated() {
                #expect(request.line.hasSuffix("?attempt=\(index + 1) HTTP/1.1"))
                #expect(request.line.contains("/hook/a%27b%24%28touch%20owned%29"))
                #expect(request.fields["x-target"] == name)
                let object = try object(request.body)
                #expect(object["text"] as? String == "\(name) is up")
                #expect(object["name"] as? String == name)
                #expect(object["attempt"] as? Int == index + 1)
            }
            #expect(!FileManager.default.fileExists(atPath: scratch.file("owned")))
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test(.enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"))
        func `quitting does not wait for a webhook's name lookup`() async throws {
            let network = try Namespace()
            try network.addVoid("192.0.2.53")
            try network.setResolver("192.0.2.53")
            let settings = """
                [[target]]
                name = "Loopback"
                url = "icmp://127.0.0.1"
                [[target.hooks]]
                on = "up"
                at_start = true
                request = { url = "https://nosuch.invalid/hook" }
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let child = try scratch.start(network.words(Program.path, "watch", "--config", path))
            try await eventually("first verdict", context: { scratch.text(of: "err") }) {
                scratch.lines(of: "out").count == 1
            }
            try await Task.sleep(for: .milliseconds(300))
            child.send(SIGTERM)
            #expect(try await child.end(within: .seconds(4)) == 143, "an unanswered query delays the exit")
        }

        @Test func `quitting does not wait for a server that does not answer`() async throws {
            // The kernel completes the connection, but no process accepts it or reads.
            let silent = try #require((0..<50).lazy.compactMap { _ in Listener.silent() }.first)
            defer { close(silent.descriptor) }
            let child = try watch(
                hook: """
                    on = "up"
                    at_start = true
                    request = { url = "http://127.0.0.1:\(silent.port)/hook" }
                    """
            )
            try await eventually("first verdict") { scratch.lines(of: "out").count == 1 }
            try await Task.sleep(for: .milliseconds(300))
            let start = ContinuousClock.now
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            #expect(ContinuousClock.now - start < .seconds(3))
        }
    }
}

extension Listener {
    /// Opens a listening socket whose connections are never accepted.
    fileprivate static func silent() -> (descriptor: Int32, port: UInt16)? {
        let port = UInt16.random(in: ports)
        return listen(on: port).map { ($0, port) }
    }
}
