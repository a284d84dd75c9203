/// Settings with so many targets that answer on loopback, one a second.
func loopbackSettings(count: Int) -> String {
    (1...count).map { "[[target]]\nname = \"Target \($0)\"\nurl = \"icmp://127.0.0.\($0)\"\n" }.joined()
}
