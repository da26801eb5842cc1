/// What happened since somebody last looked that a waiting task may have waited for. Without it
/// each event would have to ask all of them.
struct Changes {
    /// Links with news for the central, the first few of them.
    private var links: [Int] = []
    /// News that belong to no link, or more of them than are counted.
    private var isAnything = false

    var isEmpty: Bool { links.isEmpty && !isAnything }

    mutating func note(link: Int) {
        guard links.last != link else { return }
        if links.count < Self.mostLinks { links.append(link) } else { isAnything = true }
    }

    mutating func noteAnything() { isAnything = true }

    /// Whether somebody who waits for a link, or for something else where it is nil, should look.
    func concern(_ link: Int?) -> Bool {
        guard let link else { return isAnything }
        return isAnything || links.contains(link)
    }

    mutating func clear() {
        links.removeAll(keepingCapacity: true)
        isAnything = false
    }

    private static let mostLinks = 16
}
