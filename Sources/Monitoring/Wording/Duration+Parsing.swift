extension Duration {
    /// Reads a duration as the settings and the command line write it: `"250ms"`, `"5s"`, `"1.5s"`, `"2m"`, `"1h"`,
    /// `"3d"`, or several in falling units, `"1h30m"`. Nil for anything else: a bare number too, since nobody can
    /// know its unit.
    public init?(text: String) {
        let units: [(name: String, length: Duration)] = [
            ("d", .seconds(86_400)), ("h", .seconds(3_600)), ("m", .seconds(60)), ("s", .seconds(1)),
            ("ms", .milliseconds(1)), ("us", .microseconds(1)),
        ]
        var rest = text[...]
        var sum = Duration.zero
        var smallest: Duration?
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest[number.endIndex...]
            let name = rest.prefix { $0.isLetter }
            rest = rest[name.endIndex...]
            guard number.count <= 12, number.first != ".", number.last != ".", let count = Double(number),
                let unit = units.first(where: { $0.name == name })?.length,
                smallest.map({ unit < $0 }) ?? true
            else { return nil }
            sum += unit * count
            smallest = unit
        } while !rest.isEmpty
        guard sum <= .seconds(100 * 365 * 86_400) else { return nil }
        self = sum
    }
}
