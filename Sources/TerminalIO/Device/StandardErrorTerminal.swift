import LibC

/// The terminal that standard error is. It is opened again, because only so a terminal that accepts no bytes cannot block the
/// program: `O_NONBLOCK` on standard error itself would change the streams of other processes too.
public struct StandardErrorTerminal: Sendable {
    private let device: Device

    /// Opens it; nil if standard error is not a terminal.
    public init?() {
        guard let path = Self.path, let device = try? Device(path: path) else { return nil }
        device.limitWrites(true)
        self.device = device
    }

    /// Writes text. Gives up after half a second without progress, and from then on at once.
    public func write(_ text: String) {
        _ = device.write(ArraySlice(text.utf8))
    }

    /// Returns a descriptor for it that does not block; nil if there is none.
    static func open() -> Int32? {
        guard let path else { return nil }
        let descriptor = LibC.open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        return descriptor >= 0 ? descriptor : nil
    }

    private static var path: String? {
        ttyname(STDERR_FILENO).map { String(cString: $0) }
    }
}
