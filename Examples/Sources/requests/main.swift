// Fetch the pages of a server, with each way to write a request.
//
//     requests HOST[:PORT]
//
// Prints the length of each body.
import Foundation
import ReachKit

let host = CommandLine.arguments.dropFirst().first ?? "example.com"
let fetch = Fetch()
do throws(Fetch.Error) {
    let text = "http://\(host)/text"
    print(try await fetch.data(from: text).count)
    print(try await fetch.data(from: "http://\(host)/").count)
    if let url = URL(string: "http://\(host)/url") { print(try await fetch.data(from: url).count) }
    print(try await fetch.data(from: "http://\(host)/limit", within: .seconds(60)).count)
    let request = Fetch.Request("http://\(host)/fields", headers: ["Accept": "text/plain"])
    print(try await fetch.data(from: request, maximumRetries: 2).count)
    let typed = Fetch.Request("http://\(host)/typed", headers: [.accept: "text/plain"])
    let response = try await fetch.response(to: typed)
    print(response.status, response.headers[.contentLength] ?? "")
    let stream = try await fetch.stream(from: "http://\(host)/stream")
    print(stream.response.status)
    for try await piece in stream { print(piece.count) }
    await fetch.shutdown()
} catch {
    print("not fetched: \(error)")
    exit(1)
}
