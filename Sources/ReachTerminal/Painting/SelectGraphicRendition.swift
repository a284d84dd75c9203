import Rainbow
public import ReachScreen

/// The SGR codes that select a style (ECMA-48 §8.3.117).
struct SelectGraphicRendition {
    let color: ColorSupport

    /// The shortest codes from one style to another; empty where the terminal shows no difference.
    func codes(from old: ReachScreen::Style, to new: ReachScreen::Style) -> [UInt8] {
        let (old, new) = (shown(old), shown(new))
        if old == new { return [] }
        let foreground = new.foreground.map(codes) ?? []
        let isSame = foreground == old.foreground.map(codes) ?? []
        let color = isSame ? [] : new.foreground == nil ? NamedColor.default.value : foreground
        if old.attributes == new.attributes { return color }
        let reset = (old == .plain ? [] : Rainbow::Style.default.value) + Self.codes(new.attributes) + foreground
        // The code that ends bold also ends faint.
        let weights: ReachScreen::Style.Attributes = [.bold, .faint]
        let ended = old.attributes.subtracting(new.attributes)
        guard ended.isSubset(of: weights) else { return reset }
        let begun = new.attributes.subtracting(ended.isEmpty ? old.attributes : old.attributes.subtracting(weights))
        let change = (ended.isEmpty ? [] : [Self.normalWeight]) + Self.codes(begun) + color
        return Self.length(change) < Self.length(reset) ? change : reset
    }

    /// Neither bold nor faint.
    private static let normalWeight: UInt8 = 22

    private static func codes(_ attributes: ReachScreen::Style.Attributes) -> [UInt8] {
        var codes: [UInt8] = []
        if attributes.contains(.bold) { codes += Rainbow::Style.bold.value }
        if attributes.contains(.faint) { codes += Rainbow::Style.dim.value }
        if attributes.contains(.underline) { codes += Rainbow::Style.underline.value }
        if attributes.contains(.reversed) { codes += Rainbow::Style.swap.value }
        return codes
    }

    /// The length of codes as text, with their separators.
    private static func length(_ codes: [UInt8]) -> Int {
        codes.reduce(0) { $0 + ($1 < 10 ? 2 : $1 < 100 ? 3 : 4) }
    }

    private func shown(_ style: ReachScreen::Style) -> ReachScreen::Style {
        color == .none ? ReachScreen::Style(nil, style.attributes) : style
    }

    /// The codes of a colour; a tint is the nearest that the terminal can show.
    private func codes(_ color: ReachScreen::Color) -> [UInt8] {
        guard let tint = color.tint else { return Self.named(color) }
        return switch self.color {
        case .none, .sixteen: Self.named(tint.base)
        case .indexed: ColorType.bit8(tint.index).value
        case .direct: ColorType.bit24((tint.rgb.red, tint.rgb.green, tint.rgb.blue)).value
        }
    }

    private static func named(_ color: ReachScreen::Color) -> [UInt8] {
        let index = color.paletteIndex
        let first = index < 8 ? NamedColor.black : .lightBlack
        return [first.rawValue + index % 8]
    }
}

extension String {
    /// The text between the codes that select a style and reset it; without codes if the terminal shows no difference.
    public func styled(_ style: ReachScreen::Style, _ color: ColorSupport) -> String {
        let rendition = SelectGraphicRendition(color: color)
        let codes = { (codes: [UInt8]) in
            codes.isEmpty ? "" : "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m"
        }
        return codes(rendition.codes(from: .plain, to: style)) + self + codes(rendition.codes(from: style, to: .plain))
    }
}
