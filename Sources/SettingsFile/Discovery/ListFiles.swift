import LibC
package import Monitoring

/// The files of a source: those that match a pattern, in the format of Prometheus's file-based service discovery.
package struct ListFiles: Sendable, Hashable {
    /// The state of the files. It changes when one of them is written, replaced, added or removed.
    package struct Signature: Sendable, Hashable {
        fileprivate let files: [String: FileSignature?]
    }

    /// The largest size of a file in JSON in bytes.
    private static let jsonLimit = 67_108_864
    /// The largest size of a file in YAML, which takes much longer to read.
    private static let yamlLimit = 16_777_216
    /// The largest number of files.
    private static let fileLimit = 1_000

    private let pattern: FilePattern

    /// - Parameter directory: The directory that the pattern is relative to, with a trailing slash; empty for the current one.
    package init(pattern: String, directory: String) {
        self.pattern = FilePattern(pattern, in: directory)
    }

    /// Reads the state of the files.
    package var signature: Signature {
        Signature(files: Dictionary(pattern.paths.map { ($0, FileSignature(at: $0)) }) { first, _ in first })
    }

    /// Reads all files. A pattern without a file has no targets; a name without wildcards needs its file.
    package func read() throws(DiscoveryProblem) -> DiscoveryList {
        var list = DiscoveryList()
        let paths = pattern.paths
        guard paths.count <= Self.fileLimit else {
            throw DiscoveryProblem("\(paths.count) files – at most \(Self.fileLimit)")
        }
        for path in paths {
            do throws(DiscoveryProblem) {
                try list.add(try Self.list(in: path))
            } catch {
                throw DiscoveryProblem("\(path.onOneLine): \(error)")
            }
        }
        return list
    }

    private static func list(in path: String) throws(DiscoveryProblem) -> DiscoveryList {
        guard path.isListFile else { throw DiscoveryProblem("unknown format – .json, .yml or .yaml") }
        let isJSON = path.lowercased().hasSuffix(".json")
        let content: FileContent
        do throws(FileContent.Failure) {
            content = try FileContent(path: path, limit: isJSON ? jsonLimit : yamlLimit)
        } catch {
            // The fixes are those for settings.
            let end = error.message.firstRange(of: " – ")?.lowerBound ?? error.message.endIndex
            throw DiscoveryProblem(String(error.message[..<end]))
        }
        return isJSON ? try DiscoveryList(groups: content.bytes) : try DiscoveryList(yaml: content.bytes)
    }
}
