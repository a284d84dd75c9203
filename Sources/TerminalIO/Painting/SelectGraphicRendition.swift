import Rainbow
import Screen

/// The codes that make a terminal take up a style.
struct SelectGraphicRendition {
    let color: ColorSupport

    /// The shortest codes from one style to another; empty where the terminal shows no difference.
    func codes(from old: Screen::Style, to new: Screen::Style) -> [UInt8] {
        let (old, new) = (shown(old), shown(new))
        if old == new { return [] }
        if old.attributes == new.attributes {
            return new.foreground.map(codes) ?? NamedColor.default.value
        }
        // Attributes are only ever taken back together: the code that ends bold ends faint too, or underlines twice.
        var codes = old == .plain ? [] : Rainbow::Style.default.value
        if new.attributes.contains(.bold) { codes += Rainbow::Style.bold.value }
        if new.attributes.contains(.faint) { codes += Rainbow::Style.dim.value }
        if new.attributes.contains(.underline) { codes += Rainbow::Style.underline.value }
        if new.attributes.contains(.reversed) { codes += Rainbow::Style.swap.value }
        if let foreground = new.foreground { codes += self.codes(foreground) }
        return codes
    }

    private func shown(_ style: Screen::Style) -> Screen::Style {
        color == .none ? Screen::Style(nil, style.attributes) : style
    }

    /// The codes of a colour, a tint as well as the terminal can show it.
    private func codes(_ color: Screen::Color) -> [UInt8] {
        guard let tint = color.tint else { return Self.named(color).value }
        return switch self.color {
        case .none, .sixteen: Self.named(tint.base).value
        case .indexed: ColorType.bit8(tint.index).value
        case .direct: ColorType.bit24((tint.rgb.red, tint.rgb.green, tint.rgb.blue)).value
        }
    }

    private static func named(_ color: Screen::Color) -> NamedColor {
        switch color {
        case .black: .black
        case .red: .red
        case .green: .green
        case .yellow: .yellow
        case .blue: .blue
        case .magenta: .magenta
        case .cyan: .cyan
        case .white: .white
        case .brightBlack: .lightBlack
        case .brightRed: .lightRed
        case .brightGreen: .lightGreen
        case .brightYellow: .lightYellow
        case .brightBlue: .lightBlue
        case .brightMagenta: .lightMagenta
        case .brightCyan: .lightCyan
        case .brightWhite: .lightWhite
        default: .default
        }
    }
}
