/// Runs a dashboard on the process's terminal, and gives the terminal back as it was, whatever the outcome: the modes,
/// the screen, the cursor.
///
/// While the body runs, the terminal is in raw mode (^C and ^Z are keys), shows the alternate screen without a cursor,
/// and brackets pastes. Should the program trap, the terminal is given back before the report.
///
/// - Parameters:
///   - color: what colours to use.
///   - characters: what characters to use.
///   - body: what to do with the terminal, which is of no use afterwards.
/// - Returns: What the body returns.
/// - Throws: ``TerminalProblem`` if there is no terminal; what the body throws.
public func withTerminal<Result>(
    color: ColorSupport = .sixteen,
    characters: CharacterSupport = .unicode,
    _ body: (Terminal) async throws -> Result
) async throws -> Result {
    try await withTerminal(path: nil, color: color, characters: characters, body)
}

/// Does the same with another device, for tests.
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
