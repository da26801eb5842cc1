/// The directory that a device has of its own among those of many.
enum DeviceFolder {
    /// The name of a device's directory: its own, as far as file systems take it.
    ///
    /// Everything else, `%` itself and a dot in front are written as `%` and the two hexadecimal
    /// digits of each UTF-8 byte (RFC 3986, 2.1), so that two devices never share a directory and
    /// no name leads out of it.
    static func name(for device: String) -> String {
        var name = ""
        for character in device {
            let isPlain = character.isLetter || character.isNumber || "-_:. ".contains(character)
            if isPlain, !(name.isEmpty && character == ".") {
                name.append(character)
            } else {
                name += character.utf8.map(percentEncoded).joined()
            }
        }
        return name
    }

    /// Where a device's copy of a file goes: under the last part of its name.
    static func path(for device: String, in directory: String, _ file: String) -> String {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        return directory + "/" + name(for: device) + "/" + last
    }

    /// Makes the directory that holds those of all devices: what is in its way is told before the
    /// first link.
    static func makeRoot(_ directory: String) throws(Failure) {
        do throws(SystemFailure) {
            try System.makeDirectories(directory, mode: 0o777)
            // What is no directory has nothing in it, not even itself; a link to one may be here.
            _ = try System.entry(at: directory + "/.")
        } catch {
            throw Failure.file(.create, path: directory, errorNumber: error.errorNumber)
        }
    }

    /// Makes a device's directory, and those above it, and answers with its path.
    static func make(for device: String, in directory: String) throws(Failure) -> String {
        let path = directory + "/" + name(for: device)
        do throws(SystemFailure) {
            try System.makeDirectories(path, mode: 0o777)
            return path
        } catch {
            throw Failure.file(.create, path: path, errorNumber: error.errorNumber)
        }
    }

    private static func percentEncoded(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (byte < 0x10 ? "0" : "") + digits
    }
}
