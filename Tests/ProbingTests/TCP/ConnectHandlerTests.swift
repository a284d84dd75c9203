import Monitoring
import NIOCore
import NIOEmbedded
import Testing

@testable import Probing

/// The round trips of connections with an expected answer.
struct ConnectHandlerTests {
    @Test func `with an expected answer, the round trip includes the time until it`() throws {
        var now = Duration.seconds(1)
        var outcomes: [Outcome] = []
        let handler = ConnectHandler(options: TCPOptions(expect: "^220 .*ready"), time: { now }) { search, completion in
            completion(search.run())
        }
        handler.ended = { outcomes.append($0) }
        handler.opened(to: try #require(IPAddress(literal: "127.0.0.1")), in: .milliseconds(2))
        let channel = EmbeddedChannel(handler: handler)
        channel.pipeline.fireChannelActive()
        now += .milliseconds(300)
        try channel.writeInbound(ByteBuffer(string: "220 mail"))
        #expect(outcomes.isEmpty)
        now += .milliseconds(50)
        try channel.writeInbound(ByteBuffer(string: " ready\r\n"))
        let reply = Reply(
            roundTrip: .milliseconds(352),
            phases: [.init(.connect, .milliseconds(2)), .init(.processing, .milliseconds(350))]
        )
        #expect(outcomes == [.reply(reply)])
    }
}
