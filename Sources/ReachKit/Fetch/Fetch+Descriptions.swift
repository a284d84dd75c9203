#if Fetch

import ReachBasics
import ReachMonitoring

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Fetch.Error: LocalizedError {
    /// The description: the text of an alert.
    public var errorDescription: String? { description }
}

extension Fetch.Request: CustomStringConvertible {
    /// The method, the URL without user, password and query, and the body: `POST https://example.com/jobs (7 bytes)`.
    public var description: String {
        let place = String(url.withoutCredentials.prefix { !"?#".contains($0) })
        return "\(method) \(place)" + (body.map { " (\($0))" } ?? "")
    }
}

extension Fetch.Body: CustomStringConvertible {
    /// The number of bytes in memory, and the files: `7 bytes, file disk.img`.
    public var description: String {
        var count = 0
        var names: [String] = []
        for part in parts {
            switch part {
            case .bytes(let bytes): count += bytes.count
            case .path(let path): names.append(path == "-" ? "standard input" : "file \(path)")
            case .file(let file): names.append("file \(file.name)")
            }
        }
        if count > 0 || names.isEmpty { names.insert(count == 1 ? "1 byte" : "\(count) bytes", at: 0) }
        return names.joined(separator: ", ")
    }
}

extension Fetch.Response.BodyEnding: CustomStringConvertible {
    /// The ending as a word, and the reason: `truncated`, `lost: reset`.
    public var description: String {
        switch self {
        case .whole: "whole"
        case .truncated: "truncated"
        case .timeout: "timeout"
        case .lost(let error): "lost: \(error)"
        }
    }
}

#endif
