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
        guard let first = utf8.first, utf8.count <= 128, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// The text in quotation marks for a message: cut, and without characters that could control a terminal.
    var quotedOnOneLine: String {
        let scalars = unicodeScalars.prefix(60).map { $0.isControlCharacter ? "\u{FFFD}" : $0 }
        let cut = unicodeScalars.count > 60 ? "…" : ""
        return "\"\(String(String.UnicodeScalarView(scalars)))\(cut)\""
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character, a format character such as U+202E, or a separator of lines.
    var isControlCharacter: Bool {
        isControl || properties.generalCategory == .format
    }
}
