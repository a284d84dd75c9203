import ReachScreen
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

    @Test(
        arguments: [
            .ash, .slate, .forest, .bronze, .crimson, .marine, .sky, .straw, .orange, .rust, .orchid,
        ] as [Color]
    )
    func `a tint has one of the nearest of 256 colours`(color: Color) throws {
        let tint = try #require(color.tint)
        #expect(tint.base.tint == nil)
        let nearest = try #require(Self.indexed.map { Self.distance($0.rgb, tint.rgb) }.min())
        let chosen = try #require(Self.indexed.first { $0.index == tint.index })
        #expect(Self.distance(chosen.rgb, tint.rgb) <= nearest + 600, "\(chosen.rgb.hex) for \(tint.rgb.hex)")
    }

    @Test func `each of 256 colours is itself`() {
        for (index, rgb) in Self.indexed {
            #expect(Color(index: index).tint?.rgb == rgb)
            // The cube has some of the greys too.
            let nearest = Self.indexed.first { $0.index == Color(rgb).tint?.index }
            #expect(nearest?.rgb == rgb)
        }
        for index in UInt8(0)..<16 {
            #expect(Color(index: index).tint == nil && Color(index: index).paletteIndex == index)
        }
    }

    @Test(
        arguments: [
            (0xFFFF00, .brightYellow), (0xB58900, .yellow), (0x8A5A00, .yellow), (0xFF8700, .brightYellow),
            (0xAF5F00, .yellow), (0xFF0000, .red), (0xF38BA8, .brightRed), (0x9D0006, .red), (0x00FF00, .green),
            (0xA6E3A1, .brightGreen), (0x1A7F1A, .green), (0x00FFFF, .brightCyan), (0x179299, .cyan), (0x0A5CB0, .blue),
            (0x61AFEF, .brightBlue), (0xD33682, .magenta), (0xCBA6F7, .brightMagenta), (0x000000, .black),
            (0x626262, .brightBlack), (0x9399B2, .brightBlack), (0xD8DEE9, .white), (0xFFFFFF, .brightWhite),
        ] as [(UInt32, Color)]
    )
    func `the one of sixteen that replaces a tint has its hue`(value: UInt32, base: Color) {
        #expect(Color(value).tint?.base == base)
    }

    /// The hue in degrees, and the saturation from 0 to 1, as in HSV.
    private static func hue(_ color: RGB) -> (hue: Double, saturation: Double) {
        let (red, green, blue) = (Double(color.red), Double(color.green), Double(color.blue))
        let (most, least) = (max(red, green, blue), min(red, green, blue))
        guard most > least else { return (0, 0) }
        let hue =
            most == red
            ? (green - blue) / (most - least)
            : most == green ? 2 + (blue - red) / (most - least) : 4 + (red - green) / (most - least)
        return ((hue * 60 + 360).truncatingRemainder(dividingBy: 360), (most - least) / most)
    }

    @Test func `the nearest of 256 colours has the hue of the colour`() throws {
        for value in stride(from: UInt32(0), through: 0xFFFFFF, by: 4_099) {
            let color = RGB(value)
            let (hue, saturation) = Self.hue(color)
            guard saturation > 0.5, color.luma > 0.3 else { continue }
            let index = try #require(Color(color).tint?.index)
            let chosen = try #require(Self.indexed.first { $0.index == index })
            let difference = abs(Self.hue(chosen.rgb).hue - hue)
            // Between two steps of the cube, the hue of dark colours jumps by forty degrees.
            #expect(min(difference, 360 - difference) <= 42, "\(chosen.rgb.hex) for \(color.hex)")
        }
    }

    @Test func `yellow and orange become yellow in sixteen colours, at any brightness`() throws {
        for green in UInt32(130)...245 {
            for brightness in UInt32(5)...10 {
                let value = (255 * brightness / 10) << 16 | (green * brightness / 10) << 8 | 10
                let base = try #require(Color(value).tint?.base)
                #expect(base == .yellow || base == .brightYellow, "\(RGB(value).hex)")
            }
        }
    }
}
