extension Color {
    /// The one of the sixteen that has the hue of a colour: a replacement of another hue would mean something else.
    static func base(of rgb: RGB) -> Color {
        let (red, green, blue) = (Int(rgb.red), Int(rgb.green), Int(rgb.blue))
        let most = max(red, green, blue)
        let range = most - min(red, green, blue)
        guard range >= leastRange else {
            return switch rgb.luma {
            case ..<0.2: .black
            case ..<0.65: .brightBlack
            case ..<0.9: .white
            default: .brightWhite
            }
        }
        let isBright = rgb.luma > 0.6
        return switch hue(red, green, blue, most: most, range: range) {
        case 25..<67: isBright ? .brightYellow : .yellow
        case 67..<160: isBright ? .brightGreen : .green
        case 160..<200: isBright ? .brightCyan : .cyan
        // The blue of many palettes is hardly visible on black.
        case 200..<260: rgb.luma > 0.45 ? .brightBlue : .blue
        case 260..<340: isBright ? .brightMagenta : .magenta
        default: isBright ? .brightRed : .red
        }
    }

    /// The least difference of the components of a colour that is not a grey.
    private static let leastRange = 40

    /// The hue in degrees, as in HSV.
    private static func hue(_ red: Int, _ green: Int, _ blue: Int, most: Int, range: Int) -> Int {
        let sixth =
            switch most {
            case red: 60 * (green - blue) / range
            case green: 120 + 60 * (blue - red) / range
            default: 240 + 60 * (red - green) / range
            }
        return (sixth + 360) % 360
    }
}

extension RGB {
    /// The steps of xterm's cube.
    private static let steps: [UInt8] = [0, 95, 135, 175, 215, 255]

    /// One of xterm's 256 colours; nil for the first sixteen, which the user may configure.
    init?(index: UInt8) {
        switch index {
        case ..<16:
            return nil
        case ..<232:
            let place = Int(index) - 16
            self.init(red: Self.steps[place / 36], green: Self.steps[place / 6 % 6], blue: Self.steps[place % 6])
        default:
            let grey = 8 + 10 * (index - 232)
            self.init(red: grey, green: grey, blue: grey)
        }
    }

    /// The nearest of xterm's cube and greys.
    ///
    /// Hue and saturation weigh more than brightness: the steps of the cube are so coarse that a pale green would otherwise
    /// become yellow.
    var nearestIndex: UInt8 {
        var best = (index: UInt8(16), distance: Int.max)
        for index in 16...UInt8.max {
            guard let rgb = RGB(index: index) else { continue }
            let (red, green, blue) = (
                Int(rgb.red) - Int(self.red), Int(rgb.green) - Int(self.green), Int(rgb.blue) - Int(self.blue)
            )
            // Differences of brightness and colour in BT.601, times 1000.
            let luma = 299 * red + 587 * green + 114 * blue
            let (cyan, magenta) = ((1_000 * blue - luma) * 564 / 1_000, (1_000 * red - luma) * 713 / 1_000)
            let distance = luma * luma + Self.weightOfHue * (cyan * cyan + magenta * magenta)
            if distance < best.distance { best = (index, distance) }
        }
        return best.index
    }

    private static let weightOfHue = 4
}
