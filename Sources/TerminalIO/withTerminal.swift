/// Runs a dashboard on the process's terminal and restores the terminal afterwards, also after an error: the modes, the
/// screen and the cursor.
///
/// While the body runs, the terminal is in raw mode (^C and ^Z are keys), shows the alternate screen without a cursor,
/// and brackets pastes. If the program traps, the terminal is restored before the crash report.
///
/// - Parameters:
///   - color: what colours to use.
///   - characters: what characters to use.
///   - escapeDelay: how long to wait for the rest of an escape sequence. Until then, an escape is not the escape key.
///   - body: uses the terminal, which must not be used after it returns.
/// - Returns: The result of the body.
/// - Throws: ``TerminalProblem`` if there is no terminal; the errors of the body.
public func withTerminal<Result>(
    color: ColorSupport = .sixteen,
    characters: CharacterSupport = .unicode,
    escapeDelay: Duration = Terminal.defaultEscapeDelay,
    _ body: (Terminal) async throws -> Result
) async throws -> Result {
    let device = try Device(path: nil)
    return try await withTerminal(on: device, color: color, characters: characters, escapeDelay: escapeDelay, body)
}

/// The same on another device, for tests.
func withTerminal<Result>(
    on device: Device,
    color: ColorSupport,
    characters: CharacterSupport = .unicode,
    escapeDelay: Duration = Terminal.defaultEscapeDelay,
    _ body: (Terminal) async throws -> Result
) async throws -> Result {
    let terminal = try Terminal(device, color: color, characters: characters, escapeDelay: escapeDelay)
    defer { terminal.close() }
    return try await body(terminal)
}

/// The same on the device at a path, for tests.
func withTerminal<Result>(
    path: String,
    color: ColorSupport,
    characters: CharacterSupport = .unicode,
    _ body: (Terminal) async throws -> Result
) async throws -> Result {
    try await withTerminal(on: Device(path: path), color: color, characters: characters, body)
}
