import FlyingSocks
import Foundation
import NIOHTTP1
import Reporting

/// One client with one request. Neither a slow nor a talkative one holds its place for long.
struct HTTPVisit: Sendable {
    let socket: AsyncSocket
    /// Whether the listener's address is a loopback address.
    let isLoopback: Bool

    /// How long a client may take to ask.
    static let requestLimit = Duration.seconds(5)
    /// How long a client may take to read the answer; a scrape of Prometheus takes no longer by default.
    static let answerLimit = Duration.seconds(10)
    /// How many bytes a request may have up to its body, which is not read.
    static let longestHead = 8_192

    /// Answers the request, and ends the connection.
    func run(_ pages: Pages) async {
        defer { try? socket.close() }
        guard let head = await within(Self.requestLimit, head) else { return }
        let request = head.flatMap(HTTPRequestHead.parsed).flatMap { $0.directed(toLoopback: isLoopback) }
        let page: Page
        switch request {
        case .success(let request): page = await pages.page(for: request)
        case .failure(let refusal): page = refusal.page
        }
        let isOld = (try? request.get())?.version == .http1_0
        guard await within(Self.answerLimit, { try await write(page, isOld: isOld) }) != nil else { return }
        // Closing at once would lose the answer to who is still sending: the system resets such a connection.
        shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
        _ = await within(.seconds(1)) {
            for _ in 0..<16 { _ = try await socket.read(atMost: 4_096) }
        }
    }

    /// Reads up to the empty line that ends the head.
    private func head() async throws -> Result<[UInt8], RequestRefusal> {
        var bytes: [UInt8] = []
        while true {
            bytes += try await socket.read(atMost: 4_096)
            let searched = bytes.prefix(Self.longestHead)
            if let end = searched.endOfHead { return .success(Array(bytes[..<end])) }
            if bytes.count >= Self.longestHead { return .failure(.headTooLong) }
        }
    }

    private func write(_ page: Page, isOld: Bool) async throws {
        try await socket.write(Data(page.head(isOld: isOld).utf8))
        guard page.hasBody else { return }
        switch page.body {
        case .words(let words):
            try await write(part: words, isOld: isOld)
        case .metrics(let text):
            for part in text {
                try Task.checkCancellation()
                try await write(part: part, isOld: isOld)
            }
        }
        if !isOld { try await socket.write(Data("0\r\n\r\n".utf8)) }
    }

    private func write(part: String, isOld: Bool) async throws {
        // A chunk of nothing would say that there are no more.
        guard !part.isEmpty else { return }
        let size = String(part.utf8.count, radix: 16)
        try await socket.write(Data((isOld ? part : "\(size)\r\n\(part)\r\n").utf8))
    }
}

extension Collection<UInt8> {
    /// Where the head of a request ends, after the empty line; nil while there is none. A line may end without a
    /// carriage return (RFC 9112 §2.2).
    fileprivate var endOfHead: Index? {
        var isLineEmpty = false
        var index = startIndex
        while index != endIndex {
            switch self[index] {
            case UInt8(ascii: "\n") where isLineEmpty: return self.index(after: index)
            case UInt8(ascii: "\n"): isLineEmpty = true
            case UInt8(ascii: "\r"): break
            default: isLineEmpty = false
            }
            formIndex(after: &index)
        }
        return nil
    }
}
