import Monitoring

extension ImportDraft {
    /// Adds the targets of a file for Prometheus's file-based service discovery: a list of groups, each with `targets`
    /// and `labels`.
    mutating func addTargetGroups(_ text: String) throws(SettingsFailure) {
        let root = try YAMLValue(text, file: file)
        guard let groups = root.elements else {
            let hint = "such as - targets: [\"192.0.2.1:9100\"]"
            let message = "expected a list of target groups"
            throw .problems([SettingsProblem(file: file, line: root.line, message: message, hint: hint)])
        }
        for group in groups { addTargetGroup(group) }
    }

    private mutating func addTargetGroup(_ group: YAMLValue) {
        guard let targets = group["targets"]?.elements else {
            return note(group.line, "a group without targets")
        }
        let labels = group["labels"]?.members ?? []
        let label = { (name: String) in labels.first { $0.key == name }?.value.text }
        let known = ["job", "__scheme__", "__metrics_path__", DiscoveredTarget.parameterLabel]
        let others = labels.filter { !known.contains($0.key) }.map(\.key)
        if let first = labels.first(where: { !known.contains($0.key) }) {
            note(first.line, about: "labels", "not imported: \(others.joined(separator: ", "))")
        }
        for target in targets {
            guard let own = target.text else {
                note(target.line, "a target that is not a text", hint: "such as \"192.0.2.1:9100\"")
                continue
            }
            let parameter = label(DiscoveredTarget.parameterLabel) ?? ""
            let address = DiscoveredTarget([
                DiscoveredTarget.addressLabel: own, DiscoveredTarget.parameterLabel: parameter,
            ]).address
            var url = address
            // Prometheus's defaults, where only one of the two labels is set. With the target of an exporter, they are those of
            // the exporter.
            if parameter.isEmpty, !address.contains("://"), label("__scheme__") ?? label("__metrics_path__") != nil {
                url = "\(label("__scheme__") ?? "http")://\(address)\(label("__metrics_path__") ?? "/metrics")"
            }
            let isValid = (try? Question(address)) != nil
            let name = isValid ? address.withoutURLSecrets : address.withoutSecretsOfInvalidURL
            add(url: url, name: name, group: label("job"), line: target.line)
        }
    }
}
