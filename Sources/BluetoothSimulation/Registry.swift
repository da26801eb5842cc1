/// Things by number. Numbers count up and are never used again, so that one that is kept too long
/// names nothing instead of something else. What is left is walked in the order of numbers: no
/// hash has a say in what happens next.
struct Registry<Element> {
    private var places: ContiguousArray<Element?> = []
    /// The number of the first place.
    private var first = 0
    /// Places in front that are empty already.
    private var emptyInFront = 0
    /// How many are there.
    private(set) var count = 0

    /// The number that the next one gets.
    var nextNumber: Int { first + places.count }

    /// Those that are there.
    var elements: some Sequence<Element> { places.lazy.compactMap { $0 } }

    /// Nil for a number that is not used yet, or not any more.
    subscript(number: Int) -> Element? {
        let place = number - first
        return places.indices.contains(place) ? places[place] : nil
    }

    mutating func append(_ element: Element) {
        places.append(element)
        count += 1
    }

    mutating func remove(_ number: Int) {
        let place = number - first
        guard places.indices.contains(place), places[place] != nil else { return }
        places[place] = nil
        count -= 1
        while emptyInFront < places.count, places[emptyInFront] == nil { emptyInFront += 1 }
        // Half of the places at a time, so that each is moved about once.
        guard 2 * emptyInFront >= places.count else { return }
        places.removeFirst(emptyInFront)
        first += emptyInFront
        emptyInFront = 0
    }
}
