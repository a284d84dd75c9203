import ArgumentParser
import Fetching
import Monitoring

/// What `reach fetch` asks, in curl's words.
struct FetchRequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("X"), .long],
        help: ArgumentHelp("The method; GET, or POST with -d, unless given.", valueName: "method")
    )
    var request: String?

    @Option(
        name: [.customShort("H"), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A header field, 'Name: value'. May be repeated.", valueName: "field")
    )
    var header: [String] = []

    @Option(
        name: [.customShort("d"), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "What is sent: a text, or as it is what stands in @FILE (@- is standard input). Several are joined by &.",
            valueName: "data"
        )
    )
    var data: [String] = []

    @Option(help: ArgumentHelp("How many redirects are followed, 0 to 50.", valueName: "count"))
    var follow = 10

    func validate() throws {
        guard (0...50).contains(follow) else { throw ValidationError("--follow is 0 to 50, and was \(follow)") }
        if let request, request.isEmpty || !request.utf8.allSatisfy(\.isTokenByte) {
            throw ValidationError("-X \"\(request)\" is no method: such as GET, PUT, DELETE")
        }
        _ = try fields()
    }

    /// The request, but for its body.
    ///
    /// - Throws: ``TargetProblems`` when the URL is none.
    func fetchRequest(of url: String, timeout: Duration) throws(TargetProblems) -> FetchRequest {
        do {
            var fetch = try FetchRequest(reading: url)
            for header in try fields() { fetch.set(header) }
            if !data.isEmpty, !fetch.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
                fetch.headers.append(.init(name: "Content-Type", value: "application/x-www-form-urlencoded"))
            }
            fetch.method = request ?? (data.isEmpty ? "GET" : "POST")
            fetch.follow = follow
            fetch.timeout = timeout
            fetch.timeoutScope = .silence
            return fetch
        } catch let problem as URLProblem {
            throw TargetProblems(lines: ["the URL: \(problem)"])
        } catch {
            throw TargetProblems(lines: ["\(error)"])
        }
    }

    private func fields() throws -> [HTTPOptions.Header] {
        try header.enumerated().map { try HTTPOptions.Header(field: $0.element, number: $0.offset + 1) }
    }

    /// What is sent, with the files opened; those that can be read only once are read, however long that takes.
    func body() async throws(FileProblem) -> RequestBody? {
        var body: RequestBody?
        for text in data {
            let part =
                text.hasPrefix("@")
                ? RequestBody(try await BodyFile.open(String(text.dropFirst())))
                : RequestBody(text)
            if body == nil {
                body = part
            } else {
                body?.append("&")
                body?.append(part)
            }
        }
        return body
    }
}
