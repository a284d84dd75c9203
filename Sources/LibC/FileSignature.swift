/// Identity, size and time of a file, which change whenever the file is written or replaced.
package struct FileSignature: Sendable, Hashable {
    private let number: FileNumber
    private let size: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// Reads the signature of a file; nil if there is none.
    package init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        number = FileNumber(status)
        size = Int64(status.st_size)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        seconds = Int64(time.tv_sec)
        nanoseconds = Int64(time.tv_nsec)
    }
}
