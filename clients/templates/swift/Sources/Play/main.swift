// `Play HOST PORT`: validates a move, then creates a match and plays it to its end.
import Chitarrella
import GRPCCore
import GRPCNIOTransportHTTP2

func withKey(_ key: String) -> Metadata { ["authorization": "Bearer \(key)"] }

func printRefusals(_ refusals: [Chitarrella_V1_Refusal]) {
    for refusal in refusals { print("refused: \(refusal.code) [\(refusal.clause.key)]") }
}

func ruleSet(_ gameID: String) -> Chitarrella_V1_RuleSet {
    .with { $0.gameID = gameID; $0.players = 2 }
}

let (host, port) = (CommandLine.arguments[1], Int(CommandLine.arguments[2])!)
let transport = try HTTP2ClientTransport.Posix(target: .dns(host: host, port: port), transportSecurity: .plaintext)
try await withGRPCClient(transport: transport) { client in
    // May the second of two players play the 2 of clubs to a queen? What is left out of the position is unknown.
    let rules = Chitarrella_V1_RulesService.Client(wrapping: client)
    let answer = try await rules.validateMove(.with {
        $0.partialPosition.ruleSet = ruleSet("bisca-brazil")
        $0.partialPosition.hands = [.with { $0.seat = 0; $0.cards = ["7h", "Kh", "2c"] }]
        $0.partialPosition.trick.cards = ["Qh"]
        $0.partialPosition.trump = "h"
        $0.move.verb = "play_card"
        $0.move.cards = ["2c"]
    })
    printRefusals(answer.refusals)

    let matches = Chitarrella_V1_MatchService.Client(wrapping: client)
    let created = try await matches.createMatch(.with { $0.ruleSet = ruleSet("briscola") })
    var refused = false
    while true {
        let found = try await matches.listMatchMoves(
            .with { $0.matchID = created.match.matchID }, metadata: withKey(created.refereeKey))
        if !found.hasSeat { break }  // seat 0 is a seat: ask whether there is one
        let seat = refused ? found.seat : 1 - found.seat  // who is not on turn is refused, once
        let key = created.seatKeys.first { $0.seat == seat }!.key
        let played = try await matches.playMove(
            .with {
                $0.matchID = created.match.matchID
                $0.seat = seat
                $0.move = found.moves[0]
                $0.expectedRevision = found.revision
            }, metadata: withKey(key))
        printRefusals(played.refusals)
        refused = true
    }
    print("match: \(created.match.matchID)")
}
