// `dotnet run HOST:PORT`: validates a move, then creates a match and plays it to its end.
using Chitarrella.V1;
using Grpc.Core;
using Grpc.Net.Client;

using var channel = GrpcChannel.ForAddress($"http://{args[0]}"); // https:// for TLS

// May the second of two players play the 2 of clubs to a queen? What is left out of the position is unknown.
var position = new PartialPosition
{
    RuleSet = new RuleSet { GameId = "bisca-brazil", Players = 2 },
    Hands = { new SeatCards { Seat = 0, Cards = { "7h", "Kh", "2c" } } },
    Trick = new PartialTrick { Cards = { "Qh" } },
    Trump = "h",
};
var asked = new Move { Verb = "play_card", Cards = { "2c" } };
var rules = new RulesService.RulesServiceClient(channel);
Print((await rules.ValidateMoveAsync(new ValidateMoveRequest { PartialPosition = position, Move = asked })).Refusals);

var matches = new MatchService.MatchServiceClient(channel);
var ruleSet = new RuleSet { GameId = "briscola", Players = 2 };
var created = await matches.CreateMatchAsync(new CreateMatchRequest { RuleSet = ruleSet });
for (var refused = false; ; refused = true)
{
    var question = new ListMatchMovesRequest { MatchId = created.Match.MatchId };
    var found = await matches.ListMatchMovesAsync(question, WithKey(created.RefereeKey));
    if (!found.HasSeat) break; // seat 0 is a seat: ask whether there is one
    var seat = refused ? found.Seat : 1 - found.Seat; // who is not on turn is refused, once
    var move = new PlayMoveRequest
    {
        MatchId = created.Match.MatchId, Seat = seat, Move = found.Moves[0], ExpectedRevision = found.Revision,
    };
    Print((await matches.PlayMoveAsync(move, WithKey(created.SeatKeys.First(one => one.Seat == seat).Key))).Refusals);
}
Console.WriteLine($"match: {created.Match.MatchId}");

static Metadata WithKey(string key) => new() { { "authorization", "Bearer " + key } };

static void Print(IEnumerable<Refusal> refusals)
{
    foreach (var refusal in refusals) Console.WriteLine($"refused: {refusal.Code} [{refusal.Clause.Key}]");
}
