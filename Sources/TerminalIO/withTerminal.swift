/// Runs a dashboard on the process's terminal and restores the terminal afterwards, also after an error: the modes, the
/// screen and the cursor.
///
/// While the body runs, the terminal is in raw mode (^C and ^Z are keys), shows the alternate screen without a cursor,
/// and brackets pastes. If the program traps, the terminal is restored before the crash report.
///
/// - Parameters:
///   - color: what colours to use.
///   - characters: what characters to use.
///   - body: uses the terminal, which must not be used after it returns.
/// - Returns: The result of the body.
/// - Throws: ``TerminalProblem`` if there is no terminal; the errors of the body.
public func withTerminal<Result>(
    color: ColorSupport = .sixteen,
    characters: CharacterSupport = .unicode,
    _ body: (Terminal) async throws -> Result
) async throws -> Result {
    try await withTerminal(path: nil, color: color, characters: characters, body)
}

/// The same on another device, for tests.
func withTerminal<Result>(
    path: String?,
    color: ColorSupport,
    characters: CharacterSupport = .unicode,
    _ body: (Terminal) async throws -> Result
) async throws -> Result {
    let terminal = try Terminal(path: path, color: color, characters: characters)
    defer { terminal.close() }
    return try await body(terminal)
}
