/// A part of the way from this machine to the targets, the nearest first.
public enum Side: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// This machine: its links and routes.
    case thisMachine
    /// The user's network: from the gateway to the last router before the provider.
    case network
    /// The provider of the access to the internet.
    case provider
    /// Everything beyond the provider: other networks, and the targets themselves.
    case farSide

    /// Compares the distance from this machine.
    public static func < (one: Side, other: Side) -> Bool { one.rawValue < other.rawValue }

    /// The name on the screen and in JSON.
    public var name: String {
        switch self {
        case .thisMachine: "this machine"
        case .network: "your network"
        case .provider: "your provider"
        case .farSide: "the far side"
        }
    }
}

/// The sides at which a fault may be. They are several neighbouring ones where nothing tells them apart.
public struct Sides: Sendable, Hashable {
    /// The nearest of them.
    public let nearest: Side
    /// The farthest of them; not nearer than ``nearest``.
    public let farthest: Side

    /// Creates the sides from one to another.
    public init(_ nearest: Side, through farthest: Side) {
        (self.nearest, self.farthest) = (nearest, max(nearest, farthest))
    }

    /// Creates one side.
    public init(_ side: Side) { self.init(side, through: side) }

    /// The names: `your network or provider`.
    public var name: String {
        let sides = Side.allCases.filter { (nearest...farthest).contains($0) }
        let names = sides.map { $0 == .provider && $0 > nearest ? "provider" : $0.name }
        guard names.count > 1 else { return nearest == .farSide ? "far side" : nearest.name }
        return "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
    }

    /// Whether the fault is on the near side of the border between the provider and other networks.
    package var areOwn: Bool { farthest < .farSide }
}

/// Which answers show that the own side works: the table `[whose]` of the settings.
package struct SidesSettings: Sendable, Hashable {
    /// Whether an outage of the own side blocks the targets beyond it.
    package var isOn = true
    /// The names of the targets whose answers count; empty if those of all targets on the far side count.
    package var trusted: [String] = []
    /// The addresses of this machine.
    package var addresses: [LocalAddress] = []
    /// The default gateways of this machine; nil if they are not known.
    package var gateways: [String]?
    /// The resolvers of this machine; nil if they are not known.
    package var resolvers: [String]?

    /// The settings of a file without the table.
    package init() {}
}
