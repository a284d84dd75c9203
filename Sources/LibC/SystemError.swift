/// An error that a call of the system reported by `errno`.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    package let code: Int32

    /// - Parameter code: the value of `errno`.
    package init(_ code: Int32 = errno) { self.code = code }

    /// The text of the C library: `No space left on device`.
    package var description: String { String(cString: strerror(code)) }
}
