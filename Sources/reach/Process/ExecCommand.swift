import LibC

/// A command that replaces this process by `execvp`: its signals and its exit status are its own.
struct ExecCommand {
    /// The program, searched in `PATH` unless it contains a slash, and its arguments; never empty.
    let arguments: [String]

    /// Replaces this process by the command.
    ///
    /// - Returns: Only after a failure: the problem, and the exit status as in shells, 127 for a command that is not found
    ///   and 126 for one that cannot be run.
    func run() -> (problem: String, status: Int32) {
        InitialProcessState.atStart.restore()
        let pointers = arguments.map { strdup($0) } + [nil]
        execvp(arguments[0], pointers)
        let code = errno
        for pointer in pointers { free(pointer) }
        let problem = "cannot run \(arguments[0]): \(SystemError(code))"
        return (problem, code == ENOENT || code == ENOTDIR ? 127 : 126)
    }
}
