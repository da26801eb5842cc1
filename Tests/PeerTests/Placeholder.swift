@testable import PeerBridge
