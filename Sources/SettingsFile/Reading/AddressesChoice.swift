/// The addresses of a name that have a row, as the settings name them.
enum AddressesChoice: String, CaseIterable {
    /// All of them together: one row, and the address that answers is probed.
    case any
    /// Each.
    case each
}
