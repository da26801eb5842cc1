import BargePeripheral
import Testing

@testable import PeerBridge

/// A host in Python, written from Protocol.md alone by somebody who had not seen our sources, and
/// our device. Each scenario is a function in `peer/`, and its name is what it shows.
@Suite(
    "A host in another language meets our device",
    .enabled(if: Python.isExpected, Comment(rawValue: Python.reason)))
struct PythonHostTests {
    /// What the host does, the requirements that it holds, and what sort of device it needs.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let name: String
        let requirements: String
        var settings = DeviceServer.Settings()

        init(
            _ name: String, _ requirements: String,
            _ change: (inout DeviceServer.Settings) -> Void = { _ in }
        ) {
            self.name = name
            self.requirements = requirements
            change(&settings)
        }

        var testDescription: String {
            "\(name.replacing("_", with: " ")) (\(requirements))"
        }
    }

    private func run(_ scenario: Scenario, over pipe: TestPipe) async throws {
        var settings = scenario.settings
        settings.mtu = pipe.mtu
        let device = try OurDevice(settings)
        try await ScenarioRunner.shared.run(scenario.name, at: device.path, over: pipe)
    }

    private static let transfers = [
        Scenario("files_go_over_and_come_back", "BTP-060, BTP-062, BTP-070, BTP-073, BTP-082"),
        Scenario("every_window_and_block_size_works", "BTP-044, BTP-045, BTP-051, BTP-055"),
        Scenario("a_push_is_resumed_wherever_it_was_cut", "BTP-060, BTP-063, BTP-064"),
        Scenario("a_pull_is_resumed_wherever_it_was_cut", "BTP-070, BTP-071, BTP-072"),
        Scenario("an_image_is_written_tested_and_confirmed", "BTP-090 to BTP-094"),
    ]

    @Test("Transfers work over every pipe", arguments: transfers, TestPipe.all)
    func transfer(scenario: Scenario, pipe: TestPipe) async throws {
        try await run(scenario, over: pipe)
    }

    private static let requests = [
        Scenario("what_is_given_up_leaves_its_progress_and_the_session", "BTP-067, BTP-103"),
        Scenario("a_prefix_of_other_bytes_is_replaced", "BTP-061"),
        Scenario("a_file_is_replaced_whole_or_not_at_all", "BTP-065, BTP-066"),
        Scenario("a_long_list_comes_in_pages", "BTP-081"),
        Scenario("sink_source_and_echo_measure", "BTP-068, BTP-083, BTP-085"),
        Scenario("a_long_echo_is_refused", "BTP-035"),
        Scenario("names_that_are_none_are_refused", "BTP-080"),
        Scenario("what_the_table_does_not_give_a_kind_is_refused", "BTP-068, BTP-084"),
        Scenario("what_the_device_does_not_announce_is_refused", "BTP-084") {
            $0.takesFirmware = false
            $0.holdsFiles = false
        },
        Scenario("what_cannot_fit_is_refused_before_anything_is_lost", "BTP-056, BTP-069") {
            $0.fileCapacityBytes = 64 * 1024
        },
        Scenario("reads_out_of_range_are_refused", "BTP-056, BTP-070, BTP-071, BTP-085"),
        Scenario("a_second_writer_is_told_that_the_device_is_busy", "BTP-049"),
        Scenario("a_restart_throws_away_what_is_there", "BTP-062"),
        Scenario("an_image_that_is_not_confirmed_is_given_up_at_the_next_reset", "BTP-091"),
        Scenario("an_image_whose_digest_is_another_never_becomes_bootable", "BTP-065, BTP-102"),
        Scenario("what_the_device_would_fall_back_on_is_not_touched", "BTP-069, BTP-091"),
        Scenario("an_image_is_resumed_after_a_lost_link_and_a_reset", "BTP-064, BTP-090"),
    ]

    private static let violations = [
        Scenario("blocks_that_are_wrong_end_the_request_alone", "BTP-050, BTP-053, BTP-054"),
        Scenario("a_block_beyond_the_object_is_refused", "BTP-050"),
        Scenario("a_block_beyond_the_window_is_refused", "BTP-055"),
        Scenario("frames_of_a_request_that_is_over_are_skipped", "BTP-035, BTP-048, BTP-103"),
        Scenario("frames_that_cannot_be_read_end_the_channel", "BTP-030, BTP-031, BTP-100"),
        Scenario("frames_at_the_wrong_time_end_the_session", "BTP-034, BTP-035, BTP-046"),
        Scenario("bodies_that_are_not_as_drawn_end_the_session", "BTP-033, BTP-036, BTP-058"),
        Scenario("unknown_frames_are_skipped_or_refused_by_their_type", "BTP-032, BTP-033"),
        Scenario("hellos_are_read_as_the_page_draws_them", "BTP-041, BTP-042, BTP-043"),
        Scenario("an_error_from_the_host_ends_the_session_in_silence", "BTP-100"),
    ]

    @Test(
        "Requests are answered, refused and ended as the page says",
        arguments: requests + violations, [TestPipe.coc, .gatt(mtu: 247)])
    func request(scenario: Scenario, pipe: TestPipe) async throws {
        try await run(scenario, over: pipe)
    }

    @Test("A flash that takes its time says so (BTP-047)")
    func slowFlash() async throws {
        // More than a second for each sector: long enough to be announced.
        try await run(
            Scenario("a_slow_flash_says_that_it_is_busy", "BTP-047") {
                $0.eraseSectorMicroseconds = 1_100_000
                $0.leaps = true
            }, over: .coc)
    }

    @Test("A device that waits for credit asks for it (BTP-026)")
    func probe() async throws {
        let scenario = Scenario("a_device_that_waits_for_credit_asks_for_it", "BTP-026")
        try await run(scenario, over: .gatt(mtu: 23))
    }

    private static let values = [
        Scenario("values_that_are_wrong_break_the_pipe_and_open_mends_it", "BTP-025"),
        Scenario("values_beyond_the_limit_break_the_pipe", "BTP-022, BTP-023"),
        Scenario("limits_are_kept_and_probe_finds_what_was_lost", "BTP-022, BTP-026"),
        Scenario("a_closed_pipe_answers_probe_with_broken", "BTP-026"),
        Scenario("a_repeated_open_changes_nothing_and_a_late_one_starts_anew", "BTP-028"),
        Scenario("a_later_version_of_open_is_answered_with_ours", "BTP-020"),
    ]

    @Test(
        "The GATT pipe's values are taken as the page draws them",
        arguments: values, [TestPipe.gatt(mtu: 23), .gatt(mtu: 517)])
    func value(scenario: Scenario, pipe: TestPipe) async throws {
        try await run(scenario, over: pipe)
    }
}
