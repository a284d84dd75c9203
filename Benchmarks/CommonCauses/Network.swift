import Foundation

/// A graph of routers.
struct Network {
    let name: String
    var neighbours: [[Int]]

    /// Reads a GraphML file: its nodes and edges, nothing else.
    init?(graphML url: URL) {
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        var numbers: [Substring: Int] = [:]
        var edges: [(Substring, Substring)] = []
        for tag in text.split(separator: "<") {
            if tag.hasPrefix("node "), let id = Self.attribute("id", of: tag) {
                numbers[id] = numbers.count
            } else if tag.hasPrefix("edge "), let source = Self.attribute("source", of: tag),
                let target = Self.attribute("target", of: tag)
            {
                edges.append((source, target))
            }
        }
        self.init(
            name: url.deletingPathExtension().lastPathComponent,
            nodes: numbers.count,
            edges: edges.compactMap { source, target in
                guard let source = numbers[source], let target = numbers[target] else { return nil }
                return (source, target)
            }
        )
    }

    init(name: String, nodes: Int, edges: [(Int, Int)]) {
        self.name = name
        var sets = [Set<Int>](repeating: [], count: nodes)
        for (one, other) in edges where one != other {
            sets[one].insert(other)
            sets[other].insert(one)
        }
        neighbours = sets.map { $0.sorted() }
    }

    private static func attribute(_ name: String, of tag: Substring) -> Substring? {
        guard let range = tag.range(of: " \(name)=\"") else { return nil }
        return tag[range.upperBound...].prefix { $0 != "\"" }
    }

    /// The graphs of a folder, in the order of their names.
    static func graphs(in folder: String) -> [Network] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".graphml") }.sorted().compactMap {
            Network(graphML: URL(fileURLWithPath: folder).appendingPathComponent($0))
        }
    }

    /// Random graphs that resemble those of the Topology Zoo: 20 to about 200 nodes, 1.3 edges a node, some hubs. Each
    /// node is attached to an earlier one, often one with many edges; then some edges close rings.
    static func generated(_ count: Int, using random: inout Seeded) -> [Network] {
        (0..<count).map { number in
            let growth = Double.random(in: 0..<1, using: &random) * Double.random(in: 0..<2.3, using: &random)
            let nodes = min(200, Int(20 * exp(growth)))
            var edges: [(Int, Int)] = []
            var ends = [0]
            for node in 1..<nodes {
                let isHub = Bool.random(using: &random)
                let other = isHub ? ends.randomElement(using: &random) ?? 0 : Int.random(in: 0..<node, using: &random)
                edges.append((node, other))
                ends += [node, other]
            }
            for _ in 0..<Int(Double(nodes) * 0.3) {
                edges.append((Int.random(in: 0..<nodes, using: &random), Int.random(in: 0..<nodes, using: &random)))
            }
            return Network(name: "generated \(number)", nodes: nodes, edges: edges)
        }
    }

    /// The shortest paths from a node; ties are broken at random.
    func tree(from root: Int, using random: inout Seeded) -> Tree {
        var parents = [Int](repeating: -1, count: neighbours.count)
        var isReached = [Bool](repeating: false, count: neighbours.count)
        isReached[root] = true
        var order = [root]
        var next = 0
        while next < order.count {
            let node = order[next]
            next += 1
            for neighbour in neighbours[node].shuffled(using: &random) where !isReached[neighbour] {
                isReached[neighbour] = true
                parents[neighbour] = node
                order.append(neighbour)
            }
        }
        return Tree(root: root, parents: parents, order: order)
    }

    /// Without one edge in so many.
    func removingEdges(oneIn share: Int, using random: inout Seeded) -> Network {
        var edges: [(Int, Int)] = []
        for (node, others) in neighbours.enumerated() {
            for other in others where node < other && Int.random(in: 0..<share, using: &random) != 0 {
                edges.append((node, other))
            }
        }
        return Network(name: name, nodes: neighbours.count, edges: edges)
    }
}

/// The paths from an observer to all nodes that it reaches.
struct Tree {
    let root: Int
    /// The node before each node; −1 for the root and for nodes that are not reached.
    let parents: [Int]
    /// The nodes that are reached, the nearest first.
    let order: [Int]

    /// The nodes from the first behind the root to this one.
    func path(to node: Int) -> [Int] {
        var (path, node) = ([Int](), node)
        while node != root {
            path.append(node)
            node = parents[node]
        }
        return path.reversed()
    }

    /// The number of nodes behind each node, itself included.
    var sizes: [Int] {
        var sizes = [Int](repeating: 0, count: parents.count)
        for node in order.reversed() {
            sizes[node] += 1
            if parents[node] >= 0 { sizes[parents[node]] += sizes[node] }
        }
        return sizes
    }
}

/// A random number generator with a seed: SplitMix64.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
}
