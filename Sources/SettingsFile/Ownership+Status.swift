import LibC

extension Ownership {
    /// That of a file or a folder that was asked for its status, for the user whose rights this program has.
    init(_ status: stat) {
        let user = geteuid()
        self.init(
            owner: UInt32(status.st_uid),
            mode: UInt32(status.st_mode) & 0o7777,
            user: UInt32(user),
            // The databases are looked at only where it matters.
            isPrivateGroup: UInt32(status.st_mode) & 0o020 != 0 && Self.isPrivate(group: status.st_gid, of: user)
        )
    }

    /// Whether a group is a user's own: it is the user's first, bears the same name, lists nobody else, and is the first
    /// group of no other user. The administrator's group is none: systems give it to others by other means.
    private static func isPrivate(group: gid_t, of user: uid_t) -> Bool {
        guard user != 0, let person = getpwuid(user), person.pointee.pw_gid == group,
            let personName = person.pointee.pw_name
        else {
            return false
        }
        let name = String(cString: personName)
        guard let entry = getgrgid(group), String(cString: entry.pointee.gr_name) == name else { return false }
        var member = entry.pointee.gr_mem
        while let pointer = member?.pointee {
            guard String(cString: pointer) == name else { return false }
            member = member?.successor()
        }
        return !isFirst(group: group, ofAnotherThan: user)
    }
    /// Whether the users' database has another user whose first group this is: the group does not list that one.
    private static func isFirst(group: gid_t, ofAnotherThan user: uid_t) -> Bool {
        setpwent()
        defer { endpwent() }
        while let person = getpwent() {
            if person.pointee.pw_gid == group, person.pointee.pw_uid != user { return true }
        }
        return false
    }
}
