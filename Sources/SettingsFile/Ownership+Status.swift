import LibC

extension Ownership {
    /// The ownership in a file status, seen by the effective user of this process.
    init(_ status: stat) {
        let user = geteuid()
        self.init(
            owner: UInt32(status.st_uid),
            mode: UInt32(status.st_mode) & 0o7777,
            user: UInt32(user),
            // The user and group databases are read only if the group can write.
            isPrivateGroup: UInt32(status.st_mode) & 0o020 != 0 && Self.isPrivate(group: status.st_gid, of: user)
        )
    }

    /// Whether a group is private to a user: it is the user's primary group, has the user's name, lists no other
    /// member, and is the primary group of no other user. The group of root never is: systems grant it to others by
    /// other means.
    private static func isPrivate(group: gid_t, of user: uid_t) -> Bool {
        guard user != 0, let account = getpwuid(user), account.pointee.pw_gid == group,
            let accountName = account.pointee.pw_name
        else {
            return false
        }
        let name = String(cString: accountName)
        guard let entry = getgrgid(group), String(cString: entry.pointee.gr_name) == name else { return false }
        var member = entry.pointee.gr_mem
        while let pointer = member?.pointee {
            guard String(cString: pointer) == name else { return false }
            member = member?.successor()
        }
        return !isPrimary(group: group, ofOtherThan: user)
    }

    /// Whether this is the primary group of another user. The group database does not list such a member.
    private static func isPrimary(group: gid_t, ofOtherThan user: uid_t) -> Bool {
        setpwent()
        defer { endpwent() }
        while let account = getpwent() {
            if account.pointee.pw_gid == group, account.pointee.pw_uid != user { return true }
        }
        return false
    }
}
