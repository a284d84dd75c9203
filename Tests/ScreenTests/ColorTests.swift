import Screen
import TestSupport
import Testing

@Suite struct Colours {
    @Test(arguments: [
        ("rgb:ffff/8080/0000", RGB(0xFF8000)), ("rgb:ff/80/00", RGB(0xFF8000)), ("rgb:f/8/0", RGB(0xFF8800)),
        ("rgb:FfF/800/000", RGB(0xFF8000)), ("rgba:1111/2222/3333/ffff", RGB(0x112233)), ("#fdf6e3", RGB(0xFDF6E3)),
    ])
    func `a colour reported by a terminal is parsed`(answer: String, color: RGB) {
        #expect(RGB(answer: answer) == color)
    }

    @Test(arguments: [
        "", "rgb:", "rgb:ff/ff", "rgb:ff/ff/ff/ff", "rgba:ff/ff/ff", "rgb:ff//ff", "rgb:fffff/0/0", "rgb:gg/00/00",
        "rgb:-1/00/00", "rgb:+1/00/00", "rgb:ff/ff/ff ", "RGB:ff/ff/ff", "#fff", "#gggggg", "#+fffff", "hsl:0/0/0", "?",
        "rgb:１/1/1",
    ])
    func `an invalid colour is nil`(answer: String) {
        #expect(RGB(answer: answer) == nil)
    }

    @Test(
        arguments: [
            (0x000000, Background.dark), (0xFFFFFF, .light), (0x282C34, .dark), (0x002B36, .dark), (0xFDF6E3, .light),
            (0x0000FF, .dark), (0xFFFF00, .light), (0x00AA00, .dark),
        ] as [(UInt32, Background)]
    )
    func `a background brighter than the middle is light`(color: UInt32, background: Background) {
        #expect(Background(RGB(color)) == background)
    }

    @Test func `random reports are parsed or rejected`() {
        var generator = SplitMix(seed: 11)
        let letters = Array("rgb:rgba://###0123456789abcdefF +-.é")
        var count = 0
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...20, using: &generator)
            let answer = String((0..<length).compactMap { _ in letters.randomElement(using: &generator) })
            let begun = ["", "rgb:", "rgba:", "#"].randomElement(using: &generator) ?? ""
            count += RGB(answer: begun + answer) == nil ? 0 : 1
        }
        #expect(count > 0)
    }

    @Test func `a colour is written as in HTML`() {
        #expect(RGB(0x0A5CB0).hex == "#0a5cb0")
    }

    /// The cube and the greys of xterm, without the sixteen.
    private static let indexed: [(index: UInt8, rgb: RGB)] = (16...255).map { index in
        guard index < 232 else {
            let grey = UInt32(8 + 10 * (index - 232))
            return (UInt8(index), RGB(grey << 16 | grey << 8 | grey))
        }
        let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
        let place = index - 16
        let rgb = RGB(red: steps[place / 36], green: steps[place / 6 % 6], blue: steps[place % 6])
        return (UInt8(index), rgb)
    }

    /// The square of how far apart two colours are.
    private static func distance(_ one: RGB, _ other: RGB) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return red * red + green * green + blue * blue
    }

    @Test(arguments: Color.allCases.filter { $0.tint != nil })
    func `a tint has one of the nearest of 256 colours`(color: Color) throws {
        let tint = try #require(color.tint)
        #expect(tint.base.tint == nil)
        let nearest = try #require(Self.indexed.map { Self.distance($0.rgb, tint.rgb) }.min())
        let chosen = try #require(Self.indexed.first { $0.index == tint.index })
        #expect(Self.distance(chosen.rgb, tint.rgb) <= nearest + 600, "\(color): \(chosen.rgb.hex) for \(tint.rgb.hex)")
    }
}
