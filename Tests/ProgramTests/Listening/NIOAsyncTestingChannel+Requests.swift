import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import reach

extension NIOAsyncTestingChannel {
    /// Returns an open connection to a handler. By default, requests are answered with their method and path.
    static func connected(
        isLoopback: Bool = false,
        holding writes: HeldWrites? = nil,
        respond: @escaping @Sendable (HTTPRequestHead) async -> HTTPServerResponse = {
            HTTPServerResponse(text: "\($0.method) \($0.path) \($0.headers[canonicalForm: "Accept"])")
        }
    ) async throws -> NIOAsyncTestingChannel {
        let channel = try await NIOAsyncTestingChannel { channel in
            if let writes { try channel.pipeline.syncOperations.addHandler(writes) }
            let handler = HTTPRequestHandler(isLoopback: isLoopback, connections: nil, respond: respond)
            try handler.add(to: channel.pipeline.syncOperations)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        return channel
    }

    /// Returns the bytes that were sent until the connection was closed.
    func response() async throws -> String {
        while isActive {
            await testingEventLoop.run()
            await Task.yield()
        }
        var text = ""
        while let part = try await readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
        return text
    }

    /// Sends a request, and returns the bytes of the response once it ends with a text.
    func response(to request: String, endingWith end: String) async throws -> String {
        try await writeInbound(ByteBuffer(string: request))
        var text = ""
        while !text.hasSuffix(end) {
            await testingEventLoop.run()
            await Task.yield()
            while let part = try await readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
        }
        return text
    }
}

/// Holds the promises of writes, like a socket whose peer does not read.
final class HeldWrites: ChannelOutboundHandler, @unchecked Sendable {
    typealias OutboundIn = Any

    private var promises: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if let promise { promises.append(promise) }
    }

    /// The number of writes that are held.
    var count: Int { promises.count }

    /// Completes the held writes.
    func release() {
        let held = promises
        promises = []
        for promise in held { promise.succeed() }
    }
}
