/// The file of a report: looked at before the first byte of cargo is sent, written at the end.
struct FleetReportFile: Sendable {
    /// As the user named it.
    let path: String
    private let format: ReportFormat
    /// Where it leads.
    private let place: String

    /// Finds out whether a report can be written to `path`, and leaves what is there as it is.
    ///
    /// - Throws: a failure with `ExitCode.localInputOutput` if it cannot.
    init(path: String) throws(Failure) {
        self.path = path
        // The command line lets no other ending through.
        format = ReportFormat(path: path) ?? .json
        do throws(SystemFailure) {
            place = try System.placeOfFile(path)
            try System.tryFile(beside: place)
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Puts the report into the place of what was there, whole or not at all.
    func write(_ report: FleetReport) throws(Failure) {
        let text =
            switch format {
            case .json: report.json.text + "\n"
            case .xml: JUnitReport(report).text
            }
        do throws(SystemFailure) {
            try System.replaceDurably(place, with: text)
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Nothing was transferred, or all of it: either way it is this computer that is at fault, also
    /// where the folder is missing.
    private static func failure(_ path: String, _ error: SystemFailure) -> Failure {
        let file = Failure.file(.write, path: path, errorNumber: error.errorNumber)
        return Failure(
            .localInputOutput, file.identifier, what: "cannot write the report '\(path)'",
            why: file.why, advice: file.advice)
    }
}
