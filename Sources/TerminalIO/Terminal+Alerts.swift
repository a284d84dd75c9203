import ReachBasics

/// How a terminal shows desktop notifications.
public enum NotificationSupport: Sendable, Hashable, CaseIterable {
    /// It does not.
    case none
    /// `OSC 9`, of iTerm2: one text.
    case osc9
    /// `OSC 777`, of rxvt-unicode: a title and a text.
    case osc777
    /// `OSC 99`, of kitty (https://sw.kovidgoyal.net/kitty/desktop-notifications).
    case osc99
}

extension Terminal {
    /// Rings the bell.
    public func ring() {
        painter.send([7])
    }

    /// Shows a desktop notification. Nothing in the text can end the control sequence or begin another.
    ///
    /// - Parameters:
    ///   - text: the text; it is cut after 200 characters.
    ///   - support: the sequence that the terminal understands.
    ///   - isInTmux: whether tmux runs in the terminal. It passes the sequence on if `allow-passthrough` is set.
    public func notify(_ text: String, by support: NotificationSupport, isInTmux: Bool = false) {
        let codes = characters.sent(Self.notification(text, by: support, isInTmux: isInTmux))
        if !codes.isEmpty { painter.send(Array(codes.utf8)) }
    }

    static func notification(_ text: String, by support: NotificationSupport, isInTmux: Bool) -> String {
        let text = sent(text)
        let codes: String
        switch support {
        case .none: return ""
        // With a number at the beginning, ConEmu would take it for another command.
        case .osc9: codes = "\u{1B}]9;reach: \(text)\u{7}"
        // A semicolon separates parameters.
        case .osc777: codes = "\u{1B}]777;notify;reach;\(text.replacing(";", with: ","))\u{7}"
        // A later notification with the same identifier replaces the one before.
        case .osc99: codes = "\u{1B}]99;i=reach;reach: \(text)\u{7}"
        }
        return isInTmux ? "\u{1B}Ptmux;\(codes.replacing("\u{1B}", with: "\u{1B}\u{1B}"))\u{1B}\\" : codes
    }

    /// The text of one line without control and format characters.
    static func sent(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(200) {
            if scalar.isPrintable { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// Gives the window a title, or its own again for nil. Its own is kept on the terminal's stack of titles, and restored with
    /// the terminal.
    public func setTitle(_ title: String?) {
        let title = title.map { characters.sent(Self.sent($0)) }
        let codes = titleCodes(to: title)
        if !codes.isEmpty { painter.send(Array(codes.utf8)) }
    }
}

extension ScreenCodes {
    /// Keeps the window's title (XTWINOPS 22).
    static let keepTitle = "\u{1B}[22;2t"
    /// Restores the title that was kept (XTWINOPS 23). A terminal without a stack of titles has its default instead.
    static let restoreTitle: StaticString = "\u{1B}]2;\u{7}\u{1B}[23;2t"

    static func title(_ title: String) -> String { "\u{1B}]2;\(title)\u{7}" }
}
