// Fetch a URL with retries.
//
//     fetch URL
//
// Writes the body to standard output, and progress and errors to standard error.
import Foundation
import ReachKit

let url = CommandLine.arguments.dropFirst().first ?? "https://example.com/"
do throws(Fetch.Error) {
    let body = try await Fetch.shared.data(from: url, maximumRetries: 5) { event in
        switch event {
        case .waiting(let place, let cause): note("waiting for \(place): \(cause)")
        case .pausing(let pause, let tries, let error): note("try \(tries): \(error); again in \(pause)")
        case .sending, .sent, .receiving, .received: break
        }
    }
    FileHandle.standardOutput.write(body)
} catch .status(let response) {
    note("HTTP \(response.status): \(String(decoding: response.body.prefix(200), as: UTF8.self))")
    exit(22)
} catch {
    // With the number of tries: given up after 6 tries: HTTP 503
    note("\(error)")
    exit(1)
}

nonisolated func note(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
}
