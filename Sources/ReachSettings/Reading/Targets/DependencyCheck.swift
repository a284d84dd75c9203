import ReachMonitoring

/// Checks the dependencies between targets, after all targets were read.
struct DependencyCheck {
    private var references: [String: [DependencyReference]] = [:]
    /// The names of the targets, in the order of the file.
    private var names: [String] = []
    /// The name of the target for each label; a target with both families has two labels.
    private var owners: [String: String] = [:]
    /// The names and labels of the targets that are not enabled.
    private(set) var disabled: Set<String> = []

    /// Adds a target with the labels of its rows and its dependencies.
    mutating func add(
        _ name: String,
        labels: [String],
        dependsOn references: [DependencyReference],
        isEnabled: Bool = true
    ) {
        if !isEnabled { disabled.formUnion(labels + [name]) }
        names.append(name)
        for label in labels { owners[label] = name }
        owners[name] = name
        self.references[name] = references
    }

    /// Reports dependencies on unknown targets, on the target itself, and in a cycle.
    func report(to log: ProblemLog) {
        var reported: Set<Location> = []
        var warned: Set<Location> = []
        var parents: [String: [(name: String, reference: DependencyReference)]] = [:]
        for name in names {
            for reference in references[name] ?? [] where reference.name != Dependency.linkName {
                if let parent = owners[reference.name] {
                    guard parent == name else {
                        if disabled.contains(parent) { warn(of: reference, reported: &warned, to: log) }
                        parents[name, default: []].append((parent, reference))
                        continue
                    }
                    // A target named in its own group or in the defaults is a parent of the others only.
                    guard reference.isOwn else { continue }
                    log.report(
                        "a target cannot depend on itself",
                        hint: "remove \(reference.name.quoted)",
                        about: reference.keyPath,
                        at: log.entryLocation(of: reference.path)?.value
                    )
                } else if log.isIncomplete {
                    continue
                } else if log.entryLocation(of: reference.path).map({ reported.insert($0.value).inserted }) ?? true {
                    let suggestion = reference.name.suggestion(among: names + [Dependency.linkName])
                    log.report(
                        "unknown target \(reference.name.quoted)",
                        hint: suggestion ?? "the name of a target, or \"link\"",
                        about: reference.keyPath,
                        at: log.entryLocation(of: reference.path)?.value
                    )
                }
            }
        }
        reportCycles(parents, to: log)
    }

    /// Warns once of a dependency on a target that is not enabled.
    private func warn(of reference: DependencyReference, reported: inout Set<Location>, to log: ProblemLog) {
        guard let location = log.entryLocation(of: reference.path)?.value, reported.insert(location).inserted else {
            return
        }
        log.warn(
            "\(reference.name.quoted) is not enabled, and blocks nothing",
            hint: "enable it, or remove it here",
            about: reference.keyPath,
            at: location
        )
    }

    /// Searches depth-first from each target. A parent that is on the current path closes a cycle.
    private func reportCycles(
        _ parents: [String: [(name: String, reference: DependencyReference)]],
        to log: ProblemLog
    ) {
        var finished: Set<String> = []
        for name in names where !finished.contains(name) {
            var path: [(name: String, next: Int)] = [(name, 0)]
            var onPath: Set<String> = [name]
            while let last = path.last {
                let candidates = parents[last.name] ?? []
                guard last.next < candidates.count else {
                    finished.insert(last.name)
                    onPath.remove(last.name)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let parent = candidates[last.next]
                if onPath.contains(parent.name) {
                    let cycle = path.map(\.name).drop { $0 != parent.name } + [parent.name]
                    log.report(
                        "circular dependency: \(cycle.joined(separator: " → "))",
                        hint: parent.reference.isOwn
                            ? "remove \(parent.reference.name.quoted)"
                            : "depends_on = [] for \(last.name.quoted), which has it from here",
                        about: parent.reference.keyPath,
                        at: log.entryLocation(of: parent.reference.path)?.value
                    )
                } else if !finished.contains(parent.name) {
                    onPath.insert(parent.name)
                    path.append((parent.name, 0))
                }
            }
        }
    }
}

/// A reference to a target, or to `link`, in `depends_on`.
struct DependencyReference {
    let name: String
    /// The position in the document.
    let path: SettingsPath
    /// The table and key, for messages.
    let keyPath: String
    /// Whether it is set on the target itself, not in its group or the defaults.
    var isOwn = true
}

extension TableReader {
    private static let example = "the names of targets, such as [\"Router\"], or \"link\""

    /// Reads the name of a target, or an array of names. An empty array removes inherited dependencies.
    mutating func dependencies(_ key: String) -> [DependencyReference]? {
        texts(key, example: Self.example)?.map { element in
            DependencyReference(name: element.text, path: element.path, keyPath: title + key)
        }
    }
}
