/// The text of a settings file.
enum SettingsFixture {
    /// Returns settings with targets in groups of 500, each with the usual keys.
    static func text(count: Int) -> String {
        var text = "[defaults]\ninterval = \"1s\"\n"
        for number in 0..<count {
            let host = "10.\(number / 62_500).\(number / 250 % 250).\(number % 250 + 1)"
            text += "[[target]]\nname = \"ap-\(number)\"\nurl = \"icmp://\(host)\"\ngroup = \"Hall \(number / 500)\"\n"
        }
        return text
    }
}
