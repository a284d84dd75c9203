/// Those who listen to one thing, each at their own pace.
struct Audience<Element: Sendable>: Sendable {
    private var ears: [Int: AsyncStream<Element>.Continuation] = [:]
    private var count = 0

    /// Whether nobody listens.
    var isEmpty: Bool { ears.isEmpty }

    /// One more listens.
    ///
    /// - Returns: By which number they are known.
    mutating func add(_ ear: AsyncStream<Element>.Continuation) -> Int {
        count += 1
        ears[count] = ear
        return count
    }

    /// One listens no more.
    mutating func remove(_ number: Int) {
        ears[number] = nil
    }

    /// Tells all.
    func tell(_ element: Element) {
        for ear in ears.values { ear.yield(element) }
    }

    /// Nobody listens from now on.
    ///
    /// - Returns: Those who did, for them to be told that it is the end. That calls them back, and so no lock may be held.
    mutating func dismiss() -> [AsyncStream<Element>.Continuation] {
        defer { ears = [:] }
        return Array(ears.values)
    }
}
