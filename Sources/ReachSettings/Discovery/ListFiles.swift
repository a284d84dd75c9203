package import ReachMonitoring
import ReachSystem

/// The files of a source that match its pattern, in the format of Prometheus's file-based service discovery.
package struct ListFiles: Sendable, Hashable {
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
    package var signature: FileSignatures { FileSignatures(of: pattern.paths) }

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
        let content: RegularFile
        do throws(RegularFile.Failure) {
            content = try RegularFile(path: path, limit: isJSON ? jsonLimit : yamlLimit)
        } catch {
            throw DiscoveryProblem(String(error.problem))
        }
        return isJSON ? try DiscoveryList(groups: content.bytes) : try DiscoveryList(yaml: content.bytes)
    }
}

extension ListFiles {
    /// The files of a source; nil for another source.
    package init?(_ source: DiscoverySource) {
        guard case .files(let pattern, let directory) = source.kind else { return nil }
        self.init(pattern: pattern, directory: directory)
    }

    /// The list in the files, or the reason why it cannot be read.
    package var result: Result<DiscoveryList, DiscoveryProblem> {
        Result { () throws(DiscoveryProblem) in try read() }
    }
}

extension DiscoveryList {
    /// The largest number of levels and of columns before the text of a line, so that no text exhausts the stack.
    private static let depth = 64

    /// Reads the groups of a file in YAML, as Prometheus does: of the first document; a text without one has no groups.
    package init(yaml bytes: [UInt8]) throws(DiscoveryProblem) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw DiscoveryProblem("not UTF-8") }
        guard !bytes.isNestedTooDeeply(limit: Self.depth) else {
            throw DiscoveryProblem("nested too deeply – a list of groups has four levels")
        }
        let root: YAMLValue?
        do throws(SettingsFailure) {
            root = try YAMLValue.first(of: text, file: "")
        } catch {
            throw DiscoveryProblem(error.listProblem)
        }
        self.init()
        guard let root, !root.isNull else { return }
        guard let groups = root.elements else { throw DiscoveryProblem("line \(root.line): expected a list of groups") }
        // Without aliases and merge keys, each part takes its own bytes. The budget limits how often they repeat a part.
        var budget = 2 * bytes.count
        for value in groups {
            do throws(DiscoveryProblem) {
                var group = TargetGroup()
                try group.read(value, budget: &budget)
                try add(group.targets, labels: group.labels)
            } catch {
                throw DiscoveryProblem("line \(value.line): \(error)")
            }
        }
    }
}

/// A group of targets in YAML. Its parts are read in their order, as Prometheus's YAML library does: a later list of targets
/// replaces an earlier one, and labels are added. So a merge key adds the labels of another group.
private struct TargetGroup {
    /// The largest depth of merge keys.
    private static let mergeDepth = 8

    private(set) var targets: [String] = []
    private(set) var labels: [String: String] = [:]

    mutating func read(_ value: YAMLValue, budget: inout Int, depth: Int = 0) throws(DiscoveryProblem) {
        budget -= 1
        try Self.check(budget)
        guard let members = value.plainMembers else {
            throw DiscoveryProblem(depth == 0 ? "expected a group with a list of targets" : Self.mergeProblem)
        }
        for member in members {
            switch member.key {
            case "targets":
                guard let elements = member.value.elementsOrNull else {
                    throw DiscoveryProblem("expected a group with a list of targets")
                }
                budget -= elements.count
                try Self.check(budget)
                targets = []
                for element in elements {
                    guard element.isNull || element.text != nil else {
                        throw DiscoveryProblem("expected texts in targets")
                    }
                    targets.append(element.text ?? "")
                }
            case "labels":
                if member.value.isNull { labels = [:] } else { try readLabels(member.value, budget: &budget) }
            case _ where member.isMerge:
                for merged in try Self.merged(member.value, depth) {
                    try read(merged, budget: &budget, depth: depth + 1)
                }
            default:
                throw DiscoveryProblem("unknown key \(member.key.quoted) – a group has targets and labels")
            }
        }
    }

    private mutating func readLabels(_ value: YAMLValue, budget: inout Int, depth: Int = 0) throws(DiscoveryProblem) {
        // Before the members are copied: a repeated mapping may be as large as the file. Escapes make at most two bytes of one.
        budget -= value.sizeOfTexts + 1
        try Self.check(budget)
        guard let members = value.plainMembers else {
            throw DiscoveryProblem(depth == 0 ? "expected a mapping in labels" : Self.mergeProblem)
        }
        for member in members {
            if member.isMerge {
                for merged in try Self.merged(member.value, depth) {
                    try readLabels(merged, budget: &budget, depth: depth + 1)
                }
                continue
            }
            guard member.value.isNull || member.value.text != nil else {
                throw DiscoveryProblem("expected texts in labels")
            }
            guard labels.updateValue(member.value.text ?? "", forKey: member.key) == nil else {
                throw DiscoveryProblem("label \(member.key.quoted) is there twice – remove one, or the merge key")
            }
        }
    }

    /// The mappings of a merge key, in the order in which they are read: the first one takes precedence.
    private static func merged(_ value: YAMLValue, _ depth: Int) throws(DiscoveryProblem) -> [YAMLValue] {
        guard depth < mergeDepth else { throw DiscoveryProblem("merge keys in merge keys – write them out") }
        return value.elements.map { $0.reversed() } ?? [value]
    }

    private static let mergeProblem = "expected a mapping, or a list of mappings, after the merge key <<"

    private static func check(_ budget: Int) throws(DiscoveryProblem) {
        guard budget >= 0 else {
            throw DiscoveryProblem("aliases repeat more than the file has – write it without them")
        }
    }
}

extension YAMLValue {
    /// The elements of a sequence; none of null, and nil of another value.
    fileprivate var elementsOrNull: [YAMLValue]? { isNull ? [] : elements }
}

extension SettingsFailure {
    /// The first problem, without the name of the file.
    fileprivate var listProblem: String {
        guard case .problems(let problems) = self, let first = problems.first else { return description.onOneLine }
        let place = first.line.map { "line \($0): " } ?? ""
        return (place + first.message).onOneLine
    }
}

extension [UInt8] {
    /// Whether a text in YAML may be nested more deeply than the limit. Counts the open brackets, also in strings, and the
    /// columns before the text of a line, of which each level of a block takes at least one.
    fileprivate func isNestedTooDeeply(limit: Int) -> Bool {
        var brackets = 0
        var column: Int? = 0
        for byte in self {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): brackets += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): brackets = Swift.max(0, brackets - 1)
            default: break
            }
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): column = 0
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
                column = column.map { $0 + 1 }
            default: column = nil
            }
            if brackets > limit || column ?? 0 > 2 * limit { return true }
        }
        return false
    }
}
