import Monitoring

/// Reports what is wrong with the dependencies of all targets together, which can be said only when all are known.
struct DependencyCheck {
    private var references: [String: [DependencyReference]] = [:]
    /// The names of the targets, in the order of the file.
    private var names: [String] = []
    /// The row of one family, and the target that it belongs to.
    private var owners: [String: String] = [:]

    /// Notes a target by its name, with the labels of its rows and what it depends on.
    mutating func note(_ name: String, labels: [String], dependsOn references: [DependencyReference]) {
        names.append(name)
        for label in labels { owners[label] = name }
        owners[name] = name
        self.references[name] = references
    }

    /// Reports every dependency on nobody, on itself, and in a circle.
    func report(to log: ProblemLog) {
        var told: Set<Location> = []
        var parents: [String: [(name: String, reference: DependencyReference)]] = [:]
        for name in names {
            for reference in references[name] ?? [] where reference.name != Dependency.linkWord {
                if let parent = owners[reference.name] {
                    guard parent == name else {
                        parents[name, default: []].append((parent, reference))
                        continue
                    }
                    // In a group or the defaults, it stands for the others.
                    guard reference.isOwn else { continue }
                    log.report(
                        "a target cannot depend on itself",
                        hint: "remove \(reference.name.quoted)",
                        about: reference.keyPath,
                        at: log.place(of: reference.path)?.value
                    )
                } else if log.place(of: reference.path).map({ told.insert($0.value).inserted }) ?? true {
                    let near = reference.name.nearest(of: names + [Dependency.linkWord])
                    log.report(
                        "unknown target \(reference.name.quoted)",
                        hint: near.map { "did you mean \($0.quoted)?" } ?? "the name of a target, or \"link\"",
                        about: reference.keyPath,
                        at: log.place(of: reference.path)?.value
                    )
                }
            }
        }
        reportCircles(parents, to: log)
    }

    /// Walks upward from every target; a walk that comes to a place where it has been is a circle.
    private func reportCircles(
        _ parents: [String: [(name: String, reference: DependencyReference)]],
        to log: ProblemLog
    ) {
        var isDone: Set<String> = []
        for name in names where !isDone.contains(name) {
            var path: [(name: String, next: Int)] = [(name, 0)]
            var isOnPath: Set<String> = [name]
            while let last = path.last {
                let above = parents[last.name] ?? []
                guard last.next < above.count else {
                    isDone.insert(last.name)
                    isOnPath.remove(last.name)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let parent = above[last.next]
                if isOnPath.contains(parent.name) {
                    let circle = path.map(\.name).drop { $0 != parent.name } + [parent.name]
                    log.report(
                        "circular dependency: \(circle.joined(separator: " → "))",
                        hint: parent.reference.isOwn
                            ? "remove \(parent.reference.name.quoted)"
                            : "depends_on = [] for \(last.name.quoted), which has it from here",
                        about: parent.reference.keyPath,
                        at: log.place(of: parent.reference.path)?.value
                    )
                } else if !isDone.contains(parent.name) {
                    isOnPath.insert(parent.name)
                    path.append((parent.name, 0))
                }
            }
        }
    }
}
