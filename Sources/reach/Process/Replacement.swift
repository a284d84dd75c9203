import LibC

/// A command that takes this process's place: its signals and its exit status are its own.
struct Replacement {
    /// The program, looked for in the path unless it has a slash in it, and its arguments; never empty.
    let words: [String]

    /// Becomes the command.
    ///
    /// - Returns: Only when that fails: why, and the exit status that shells have for it, 127 for a command that is not
    ///   there and 126 for one that cannot be run.
    func run() -> (trouble: String, status: Int32) {
        Inheritance.atStart.restore()
        let pointers = words.map { strdup($0) } + [nil]
        execvp(words[0], pointers)
        let code = errno
        for pointer in pointers { free(pointer) }
        let trouble = "cannot run \(words[0]): \(String(cString: strerror(code)))"
        return (trouble, code == ENOENT || code == ENOTDIR ? 127 : 126)
    }
}
