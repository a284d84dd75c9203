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
        do throws(JSONTree.Failure) {
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
    /// The decoded value of a parameter in the query of a URL; nil if the URL does not have it.
    fileprivate func queryValue(of name: String) -> String? {
        guard let mark = firstIndex(of: "?") else { return nil }
        let query = self[mark...].dropFirst().prefix { $0 != "#" }
        for parameter in query.split(separator: "&") where parameter.hasPrefix("\(name)=") {
            return parameter.dropFirst(name.utf8.count + 1).queryDecoded
        }
        return nil
    }
}

extension Substring {
    /// The text with `+` as a blank and percent escapes decoded; nil if it is not UTF-8 then.
    fileprivate var queryDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
