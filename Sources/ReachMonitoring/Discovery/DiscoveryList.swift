import ReachBasics

/// The targets of one list from elsewhere, within limits.
package struct DiscoveryList: Sendable, Hashable {
    /// The largest number of targets of a list.
    package static let targetLimit = 65_536
    /// The largest number of labels of a target.
    package static let labelLimit = 1_000
    /// The largest size of an address in bytes.
    package static let addressLimit = 2_048
    /// The largest size of the value of a label in bytes.
    package static let valueLimit = 65_536

    /// The targets, in the order of the list, each once.
    package private(set) var targets: [DiscoveredTarget] = []
    private var seen: Set<DiscoveredTarget> = []

    /// Creates an empty list.
    package init() {}

    /// Compares the targets.
    package static func == (one: DiscoveryList, other: DiscoveryList) -> Bool {
        one.targets == other.targets
    }

    /// Hashes the targets.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(targets)
    }

    // MARK: Adding

    /// Adds the targets of a group with its labels. Those of one target take precedence over those of its group.
    package mutating func add(_ addresses: [String], labels: [String: String]) throws(DiscoveryProblem) {
        for (name, value) in labels { try Self.check(label: name, value) }
        guard labels.count <= Self.labelLimit else {
            throw DiscoveryProblem("\(labels.count) labels of a target – at most \(Self.labelLimit)")
        }
        for address in addresses {
            guard address.utf8.count <= Self.addressLimit else {
                throw DiscoveryProblem("an address of \(address.utf8.count) bytes – at most \(Self.addressLimit)")
            }
            var own = labels
            own[DiscoveredTarget.addressLabel] = address
            try add(DiscoveredTarget(own))
        }
    }

    /// Adds a target with its labels, one of which is the address.
    package mutating func add(labels: [String: String]) throws(DiscoveryProblem) {
        guard let address = labels[DiscoveredTarget.addressLabel] else {
            throw DiscoveryProblem("a target without \(DiscoveredTarget.addressLabel)")
        }
        try add([address], labels: labels)
    }

    /// Adds the targets of another list.
    package mutating func add(_ other: DiscoveryList) throws(DiscoveryProblem) {
        for target in other.targets { try add(target) }
    }

    private mutating func add(_ target: DiscoveredTarget) throws(DiscoveryProblem) {
        guard seen.insert(target).inserted else { return }
        guard targets.count < Self.targetLimit else {
            throw DiscoveryProblem("more than \(Self.targetLimit) targets – split the list into several sources")
        }
        targets.append(target)
    }

    private static func check(label: String, _ value: String) throws(DiscoveryProblem) {
        guard label.isLabelName else { throw DiscoveryProblem("invalid label name \(label.quotedOnOneLine)") }
        guard value.utf8.count <= valueLimit else {
            throw DiscoveryProblem("label \(label) has \(value.utf8.count) bytes – at most \(valueLimit)")
        }
    }
}

extension String {
    /// Whether Prometheus accepts the text as the name of a label, of at most 128 bytes.
    package var isLabelName: Bool {
        guard let first = utf8.first, utf8.count <= 128, !first.isASCIIDigit else { return false }
        return utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
    }

    /// The text in quotation marks for a message: cut, and without characters that could control a terminal.
    var quotedOnOneLine: String {
        let scalars = unicodeScalars.prefix(60).map { $0.isControlOrFormat ? "\u{FFFD}" : $0 }
        let cut = unicodeScalars.count > 60 ? "…" : ""
        return "\"\(String(String.UnicodeScalarView(scalars)))\(cut)\""
    }
}

extension DiscoveryList {
    /// Reads the JSON of Prometheus's service discovery by HTTP or files: an array of groups, each with `targets` and
    /// `labels`. As in Go, null stands for nothing, and names in any case are the same.
    package init(groups bytes: [UInt8]) throws(DiscoveryProblem) {
        let root = try Self.tree(bytes)
        self.init()
        guard root != .null else { return }
        guard let groups = root.elements else {
            throw DiscoveryProblem("expected an array of target groups, found \(root.type)")
        }
        for (index, group) in groups.enumerated() {
            do throws(DiscoveryProblem) {
                try add(group)
            } catch {
                throw DiscoveryProblem("group \(index + 1): \(error)")
            }
        }
    }

    private mutating func add(_ group: JSONTree) throws(DiscoveryProblem) {
        guard let members = group.members else { throw DiscoveryProblem("expected an object, found \(group.type)") }
        var (addresses, labels): ([String], [String: String]) = ([], [:])
        for (name, value) in members {
            switch name.lowercased() {
            case "targets": addresses = try Self.addresses(value)
            case "labels": labels = try Self.labels(value == .null ? nil : value, in: "labels")
            default:
                throw DiscoveryProblem("unknown key \(name.quotedOnOneLine) – a group has targets and labels")
            }
        }
        try add(addresses, labels: labels)
    }

    private static func addresses(_ value: JSONTree) throws(DiscoveryProblem) -> [String] {
        guard value != .null else { return [] }
        guard let elements = value.elements else {
            throw DiscoveryProblem("expected an array in \"targets\", found \(value.type)")
        }
        var addresses: [String] = []
        for element in elements {
            guard let text = element.textOrNull else {
                throw DiscoveryProblem("expected strings in \"targets\", found \(element.type)")
            }
            addresses.append(text)
        }
        return addresses
    }

    /// Reads the answer of Prometheus's `/api/v1/targets`: the active targets, each with the labels after relabeling over
    /// those before. For a target that is scraped by way of blackbox_exporter, the label ``DiscoveredTarget/parameterLabel``
    /// is the target in the URL of the scrape.
    package init(activeTargets bytes: [UInt8]) throws(DiscoveryProblem) {
        let root = try Self.tree(bytes)
        guard root["status"]?.text == "success" else {
            let text = root["error"]?.text.map { ": \($0.quotedOnOneLine)" } ?? ", and no \"status\": \"success\""
            throw DiscoveryProblem("Prometheus answers with an error\(text)")
        }
        guard let targets = root["data"]?["activeTargets"]?.elements else {
            throw DiscoveryProblem("no \"activeTargets\" in the answer – is it a Prometheus server?")
        }
        self.init()
        for (index, target) in targets.enumerated() {
            do throws(DiscoveryProblem) {
                var labels = try Self.labels(target["discoveredLabels"], in: "discoveredLabels")
                labels.merge(try Self.labels(target["labels"], in: "labels")) { $1 }
                if let parameter = target["scrapeUrl"]?.text?.queryValue(of: "target"), !parameter.isEmpty {
                    labels[DiscoveredTarget.parameterLabel] = parameter
                }
                try add(labels: labels)
            } catch {
                throw DiscoveryProblem("target \(index + 1): \(error)")
            }
        }
    }

    private static func tree(_ bytes: [UInt8]) throws(DiscoveryProblem) -> JSONTree {
        do throws(JSONTree.SyntaxError) {
            return try JSONTree(bytes)
        } catch {
            throw DiscoveryProblem("line \(error.line): \(error.message)")
        }
    }

    private static func labels(_ value: JSONTree?, in name: String) throws(DiscoveryProblem) -> [String: String] {
        guard let value else { return [:] }
        guard let members = value.members else {
            throw DiscoveryProblem("expected an object in \"\(name)\", found \(value.type)")
        }
        var labels: [String: String] = [:]
        for (name, value) in members {
            guard let text = value.textOrNull else {
                throw DiscoveryProblem("expected strings in labels, found \(value.type) in \(name.quotedOnOneLine)")
            }
            labels[name] = text
        }
        return labels
    }
}

extension JSONTree {
    /// The text of a string; empty for null, and nil for another value.
    fileprivate var textOrNull: String? { self == .null ? "" : text }
}

extension String {
    /// The decoded value of a parameter in the query of a URL, where `+` is a blank; nil if the URL does not have it.
    fileprivate func queryValue(of name: String) -> String? {
        guard let mark = firstIndex(of: "?") else { return nil }
        let query = self[mark...].dropFirst().prefix { $0 != "#" }
        for parameter in query.split(separator: "&") where parameter.hasPrefix("\(name)=") {
            return parameter.dropFirst(name.utf8.count + 1).replacing("+", with: " ").percentDecoded
        }
        return nil
    }
}

/// Why a list of targets cannot be used.
package struct DiscoveryProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, and its fix after a dash.
    package let description: String

    /// Creates a problem.
    package init(_ description: String) {
        self.description = description
    }
}
