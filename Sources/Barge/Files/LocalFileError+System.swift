#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension LocalFileError {
    /// What the system's error means for the user. `advice` replaces the usual one.
    init(_ error: SystemError, _ what: String, path: String, advice: String? = nil) {
        let meaning = Meaning(error.number)
        self.init(
            meaning.kind, path: path, what: what, why: meaning.why,
            advice: advice ?? meaning.advice, errorNumber: error.number)
    }

    /// Runs `body`; what the system refuses becomes the sentence `what`.
    static func when<Value: ~Copyable>(
        _ what: @autoclosure () -> String, path: String,
        advice: @autoclosure () -> String? = nil,
        _ body: () throws(SystemError) -> Value
    ) throws(LocalFileError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw LocalFileError(error, what(), path: path, advice: advice())
        }
    }
}

extension LocalFileError {
    /// An error number in words.
    private struct Meaning {
        let kind: Kind
        let why: String
        let advice: String

        init(_ kind: Kind, _ why: String, _ advice: String) {
            self.kind = kind
            self.why = why
            self.advice = advice
        }

        init(_ number: Int32) {
            self =
                Self.ofPaths(number) ?? Self.ofStorage(number)
                ?? Meaning(
                    .inputOutput, "the system says: \(System.message(for: number))",
                    "check the disk and the system's log, then run the command again")
        }

        private static func ofPaths(_ number: Int32) -> Meaning? {
            switch number {
            case ENOENT:
                Meaning(.notFound, "there is no such file or folder", "check the path")
            case ENOTDIR:
                Meaning(.notFound, "a part of the path is no folder", "check the path")
            case EISDIR:
                Meaning(.notAFile, "it is a folder", "name a file in it")
            case ELOOP:
                Meaning(
                    .notAFile, "it is a symbolic link, or the links lead in a circle",
                    "name the file that the link leads to")
            case ENXIO, ENODEV:
                Meaning(.notAFile, "it is a pipe, a socket or a device", "name a file")
            case EEXIST:
                Meaning(.alreadyExists, "it exists already", "choose another name")
            case ENAMETOOLONG:
                Meaning(.badName, "the name is too long for this file system", "choose another")
            case EINVAL:
                Meaning(.badName, "no file can have this name", "choose another name")
            default: nil
            }
        }

        private static func ofStorage(_ number: Int32) -> Meaning? {
            switch number {
            case EACCES, EPERM:
                Meaning(
                    .denied, "the permissions do not allow it",
                    "change the permissions, or choose another folder")
            case EROFS:
                Meaning(.denied, "the file system is read-only", "choose another folder")
            case ENOSPC:
                Meaning(.storageFull, "the disk is full", fullAdvice)
            case EDQUOT:
                Meaning(.storageFull, "your disk quota is used up", fullAdvice)
            case EFBIG:
                Meaning(
                    .storageFull, "the file system takes no larger file",
                    "choose a folder on another file system, or raise the limit (ulimit -f)")
            case EPIPE:
                Meaning(
                    .outputClosed, "the program that read the output has ended",
                    "nothing is left to do if that was meant")
            case EWOULDBLOCK:
                Meaning(.busy, "another process uses it", "wait until that one has ended")
            default: nil
            }
        }

        private static let fullAdvice =
            "free some space and run the same command again: it goes on from what is there"
    }
}
