/// Where a key and its value stand; for a table with a header, both are where the header names it.
struct Place: Hashable {
    /// Where the key begins: what a misspelt key is marked at.
    let key: Location
    /// Where the value begins: what a wrong value is marked at.
    let value: Location
}
