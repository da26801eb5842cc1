import Barge

extension KnownDevices {
    /// The devices in the state directory that a command line asks for.
    static func open(_ arguments: ParsedArguments) throws(Failure) -> KnownDevices {
        let state = try StateLocation.open(arguments)
        do throws(LocalFileError) {
            return try KnownDevices(state)
        } catch {
            throw Failure(state: error)
        }
    }

    /// What is remembered. A record that cannot be read is told of, and missed.
    func listing(_ console: Console) throws(Failure) -> Listing {
        do throws(LocalFileError) {
            let listing = try list()
            for warning in listing.warnings { console.errorLine("warning: \(warning.sentence)") }
            return listing
        } catch {
            throw Failure(state: error)
        }
    }
}
