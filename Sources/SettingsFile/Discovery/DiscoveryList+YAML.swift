package import Monitoring

extension DiscoveryList {
    /// The largest number of levels and of columns before the text of a line, so that no text exhausts the stack.
    private static let depth = 64

    /// Reads the groups of a file in YAML.
    package init(yaml bytes: [UInt8]) throws(DiscoveryProblem) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw DiscoveryProblem("not UTF-8") }
        guard !bytes.isNestedTooDeeply(limit: Self.depth) else {
            throw DiscoveryProblem("nested too deeply – a list of groups has four levels")
        }
        let root: YAMLValue
        do throws(SettingsFailure) {
            root = try YAMLValue(text, file: "")
        } catch {
            throw DiscoveryProblem(error.listProblem)
        }
        guard let groups = root.elements else { throw DiscoveryProblem("line \(root.line): expected a list of groups") }
        self.init()
        // Aliases can repeat a part as often as they like. Without them, each part takes its own bytes.
        var budget = 2 * bytes.count
        for group in groups {
            do throws(DiscoveryProblem) {
                try add(group, budget: &budget)
            } catch {
                throw DiscoveryProblem("line \(group.line): \(error)")
            }
        }
    }

    private mutating func add(_ group: YAMLValue, budget: inout Int) throws(DiscoveryProblem) {
        let members = group.plainMembers ?? []
        guard let targets = members.first(where: { $0.key == "targets" })?.value.elements else {
            throw DiscoveryProblem("expected a group with a list of targets")
        }
        let labelMembers = members.first { $0.key == "labels" }?.value
        // Before the members are copied: a repeated mapping may be as large as the file. Escapes make at most two bytes of one.
        budget -= targets.count + (labelMembers?.sizeOfTexts ?? 0)
        guard budget >= 0 else {
            throw DiscoveryProblem("aliases repeat more than the file has – write it without them")
        }
        let labels = labelMembers?.plainMembers ?? []
        guard labelMembers == nil || labelMembers?.plainMembers != nil || labelMembers?.isNull == true else {
            throw DiscoveryProblem("expected a mapping in labels")
        }
        var addresses: [String] = []
        for target in targets {
            guard let text = target.text else { throw DiscoveryProblem("expected texts in targets") }
            addresses.append(text)
        }
        var values: [String: String] = [:]
        for label in labels {
            guard let text = label.value.text else { throw DiscoveryProblem("expected texts in labels") }
            values[label.key] = text
        }
        try add(addresses, labels: values)
    }
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
    /// Whether a text in YAML may be nested more deeply. Brackets count wherever they are, and so do the columns before the
    /// text of a line, in which each level of a block takes at least one.
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
