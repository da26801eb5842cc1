import Foundation

/// The check that the top of the project is what the design draws, and nothing else.
enum Layout {
    /// What is too much or missing among the top level's names; dot files are free.
    static func findings(topLevel names: [String]) -> [Finding] {
        let visible = Set(names.filter { !$0.hasPrefix(".") })
        let unexpected = visible.subtracting(House.topLevel).sorted().map { name in
            Finding(
                path: name, line: 1,
                message: "the top level holds only \(House.topLevel.sorted()): find a room for this"
            )
        }
        let missing = House.topLevel.subtracting(visible).sorted().map { name in
            Finding(path: name, line: 1, message: "the top level needs this, and it is not there")
        }
        return unexpected + missing
    }
}

/// The check that nothing in the project names a place on the machine it was written on.
enum ForeignPlaces {
    /// Spelled so that this file does not name one itself.
    private static let places = ["work", "root"].map { "/\($0)/" }

    /// A finding if the bytes of a file hold such a path, in text or in debugging information.
    static func findings(in bytes: Data, path: String) -> [Finding] {
        places.compactMap { place in
            guard let range = bytes.range(of: Data(place.utf8)) else { return nil }
            let line = bytes[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
            return Finding(
                path: path, line: line,
                message:
                    "\(place) is a place on somebody's machine: start from the package's folder")
        }
    }
}
