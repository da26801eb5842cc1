/// A queue in a ring: it grows, and never moves what it holds but then.
struct FIFO<Element> {
    private var storage: ContiguousArray<Element?>
    private var head = 0
    private(set) var count = 0

    init(minimumCapacity: Int = 8) {
        var capacity = 8
        while capacity < minimumCapacity { capacity *= 2 }
        storage = ContiguousArray(repeating: nil, count: capacity)
    }

    var isEmpty: Bool { count == 0 }
    var first: Element? { count == 0 ? nil : storage[head] }

    /// The element that `index` others come before.
    subscript(index: Int) -> Element {
        precondition(index < count, "beyond the end of a queue")
        guard let element = storage[(head + index) & (storage.count - 1)] else {
            preconditionFailure("a place within a queue is empty")
        }
        return element
    }

    mutating func append(_ element: Element) {
        if count == storage.count { grow() }
        storage[(head + count) & (storage.count - 1)] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = storage[head]
        storage[head] = nil
        head = (head + 1) & (storage.count - 1)
        count -= 1
        return element
    }

    mutating func removeAll() {
        while popFirst() != nil {}
    }

    private mutating func grow() {
        var larger = ContiguousArray<Element?>(repeating: nil, count: storage.count * 2)
        for index in 0..<count {
            larger[index] = storage[(head + index) & (storage.count - 1)]
        }
        storage = larger
        head = 0
    }
}
