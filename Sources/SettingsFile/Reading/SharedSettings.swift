import Monitoring

/// The settings of a group or of a template.
struct SharedSettings: Sendable {
    let name: String
    let layer: Layer
    let hooks: [HookRule]
    /// The name of the template of a group.
    let template: String?
    let path: SettingsPath
}

extension TableReader {
    /// Reads the name of a template, and returns its settings. An unknown name is reported.
    mutating func template(of templates: [String: SharedSettings]) -> SharedSettings? {
        guard let name = text("template") else { return nil }
        if let template = templates[name] { return template }
        guard !log.isIncomplete else { return nil }
        let suggestion = name.nearest(of: templates.keys.sorted()).map { "did you mean \($0.quoted)?" }
        log.report(
            ProblemLog.SharedProblem(
                message: "unknown template \(name.quoted)",
                hint: suggestion ?? "write [template.NAME] with the keys of the template",
                keyPath: title + "template",
                location: location(of: "template"),
                target: self.name
            ),
            of: nil
        )
        return nil
    }

    /// Reads the name of a group. A name that is not declared is reported if it is nearly one that is.
    mutating func group(of groups: [String: SharedSettings]) -> String? {
        guard let name = name("group") else { return nil }
        guard groups[name] == nil, let near = name.nearest(of: groups.keys.sorted()) else { return name }
        // Short names and numbered ones are often near each other, such as LAN and WLAN.
        let isCase = near.lowercased() == name.lowercased()
        let lacksLetter = name.count == 3 && near.count == 4 && name.first?.lowercased() == near.first?.lowercased()
        let isNumber = near.filter { !$0.isNumber } == name.filter { !$0.isNumber }
        if isCase || ((name.count > 3 || lacksLetter) && !isNumber) {
            report(
                "unknown group \(name.quoted)",
                hint: "did you mean \(near.quoted)? A new one needs [group.NAME]",
                about: "group"
            )
        }
        return name
    }

    /// The largest number of tags of one level.
    private static let tagLimit = 32

    /// Reads tags. They have no variables.
    mutating func tags(_ key: String) -> [String]? {
        let example = "such as [\"db\", \"prod\"]"
        guard let elements = texts(key, example: example, hasVariables: false) else { return nil }
        let invalid = elements.filter { !$0.text.isTag }
        for element in invalid {
            report(
                "invalid tag \(element.text.quoted)",
                hint: "1 to 64 letters, digits and - _ . : /",
                about: key,
                at: element
            )
        }
        guard invalid.isEmpty else { return nil }
        guard elements.count <= Self.tagLimit else {
            report("\(elements.count) tags", hint: "at most \(Self.tagLimit)", about: key)
            return nil
        }
        return elements.map(\.text)
    }
}

extension String {
    /// Whether the text can be a tag: one word in a filter, and in a list with commas.
    var isTag: Bool {
        (1...64).contains(count) && allSatisfy { $0.isLetter || $0.isNumber || "-_.:/".contains($0) }
    }
}
