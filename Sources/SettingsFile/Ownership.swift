/// Who may change a file, and so the commands in it.
struct Ownership: Hashable {
    /// The number of the user that the file belongs to.
    let owner: UInt32
    /// The file's permission bits.
    let mode: UInt32
    /// The number of the user whose rights this program has.
    let user: UInt32
    /// Whether the file's group has no member but that user, as distributions set their users up: then its right to
    /// write is nobody else's, and a file that is made with their umask of 002 is as safe as any.
    var isPrivateGroup = false

    /// Why the commands of a file may be another's, and the command that mends it; nil if they are the user's or
    /// the administrator's. The rule is ssh's for its own settings, as
    /// Debian builds it.
    func problem(file: String) -> SettingsProblem? {
        let word = file.shellWord
        if owner != user, owner != 0 {
            return SettingsProblem(
                file: file,
                message: "the file has commands and belongs to another user (number \(owner))",
                hint: "chown \(user) \(word)"
            )
        }
        let (group, others): (UInt32, UInt32) = (0o020, 0o002)
        let mode = isPrivateGroup ? mode & ~group : mode
        guard mode & (group | others) != 0 else { return nil }
        let who =
            switch (mode & group != 0, mode & others != 0) {
            case (true, true): "its group and others"
            case (true, false): "its group"
            default: "others"
            }
        return SettingsProblem(
            file: file,
            message: "the file has commands and \(who) can write it",
            hint: "chmod go-w \(word)"
        )
    }
}
