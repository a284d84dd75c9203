import ReachMonitoring

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Monitor {
    /// Why targets cannot be monitored together.
    public enum TargetError: Error, Sendable, Hashable {
        /// Several targets have this name. Events and dependencies identify targets by name.
        case duplicateName(String)
        /// A target depends on another one that is not among the targets.
        case unknownDependency(String, of: String)
        /// Each of these targets depends on the next one, and the last one is the first.
        case circularDependency([String])
    }
}

extension Monitor.TargetError: CustomStringConvertible {
    /// The error with its fix: `duplicate name "NAS" – rename one`.
    public var description: String {
        switch self {
        case .duplicateName(let name): "duplicate name \"\(name)\" – rename one"
        case .unknownDependency(let name, let target):
            "unknown target \"\(name)\" in dependsOn of \"\(target)\" – the name of a target, or .link"
        case .circularDependency(let names) where names.count == 2:
            "a target cannot depend on itself – remove \"\(names[0])\" from its dependsOn"
        case .circularDependency(let names):
            "circular dependency: \(Self.shortened(names).joined(separator: " → ")) – remove one"
        }
    }

    /// The first and the last names of a long circle.
    private static func shortened(_ names: [String]) -> [String] {
        names.count > 8 ? names.prefix(4) + ["…"] + names.suffix(2) : names
    }
}

extension Monitor.TargetError: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension Monitor.TargetError {
    /// Checks names and dependencies as the program checks those of the settings.
    static func check(_ targets: [Target]) throws(Self) {
        var owners: [String: String] = [:]
        for target in targets {
            guard owners.updateValue(target.name, forKey: target.label) == nil else {
                throw .duplicateName(target.label)
            }
        }
        // A target of both families has two labels, and is one parent by its name.
        for target in targets { owners[target.name] = owners[target.name] ?? target.name }
        var parents: [String: [String]] = [:]
        for target in targets {
            for case .target(let name) in target.dependsOn {
                guard let parent = owners[name] else { throw .unknownDependency(name, of: target.name) }
                parents[target.name, default: []].append(parent)
            }
        }
        try checkCycles(parents, of: targets.map(\.name))
    }

    /// Searches depth-first from each target. A parent that is on the current path closes a cycle.
    private static func checkCycles(_ parents: [String: [String]], of names: [String]) throws(Self) {
        var finished: Set<String> = []
        for name in names where !finished.contains(name) {
            var path: [(name: String, next: Int)] = [(name, 0)]
            var positions = [name: 0]
            while let last = path.last {
                let candidates = parents[last.name] ?? []
                guard last.next < candidates.count else {
                    finished.insert(last.name)
                    positions[last.name] = nil
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let parent = candidates[last.next]
                if let start = positions[parent] {
                    throw .circularDependency(path[start...].map(\.name) + [parent])
                }
                guard !finished.contains(parent) else { continue }
                positions[parent] = path.count
                path.append((parent, 0))
            }
        }
    }
}
