// `dart run bin/play.dart HOST PORT`: validates a move, then creates a match and plays it to its end.
import 'package:grpc/grpc.dart';

import '../lib/src/generated/chitarrella/v1/match_play.pb.dart';
import '../lib/src/generated/chitarrella/v1/match_requests.pb.dart';
import '../lib/src/generated/chitarrella/v1/matches.pbgrpc.dart';
import '../lib/src/generated/chitarrella/v1/position.pb.dart';
import '../lib/src/generated/chitarrella/v1/questions.pb.dart';
import '../lib/src/generated/chitarrella/v1/rules.pbgrpc.dart';
import '../lib/src/generated/chitarrella/v1/table.pb.dart';

CallOptions withKey(String key) => CallOptions(metadata: {'authorization': 'Bearer $key'});

void printRefusals(Iterable<Refusal> refusals) {
  for (final refusal in refusals) {
    print('refused: ${refusal.code} [${refusal.clause.key}]');
  }
}

RuleSet ruleSet(String gameId) => RuleSet(gameId: gameId, players: 2);

Future<void> main(List<String> arguments) async {
  const plain = ChannelOptions(credentials: ChannelCredentials.insecure());
  final channel = ClientChannel(arguments[0], port: int.parse(arguments[1]), options: plain);

  // May the second of two players play the 2 of clubs to a queen? What is left out of the position is unknown.
  final position = PartialPosition(
    ruleSet: ruleSet('bisca-brazil'),
    hands: [SeatCards(seat: 0, cards: ['7h', 'Kh', '2c'])],
    trick: PartialTrick(cards: ['Qh']),
    trump: 'h',
  );
  final asked = Move(verb: 'play_card', cards: ['2c']);
  final rules = RulesServiceClient(channel);
  final answer = await rules.validateMove(ValidateMoveRequest(partialPosition: position, move: asked));
  printRefusals(answer.refusals);

  final matches = MatchServiceClient(channel);
  final created = await matches.createMatch(CreateMatchRequest(ruleSet: ruleSet('briscola')));
  for (var refused = false; ; refused = true) {
    final question = ListMatchMovesRequest(matchId: created.match.matchId);
    final found = await matches.listMatchMoves(question, options: withKey(created.refereeKey));
    if (!found.hasSeat()) break; // seat 0 is a seat: ask whether there is one
    final seat = refused ? found.seat : 1 - found.seat; // who is not on turn is refused, once
    final move = PlayMoveRequest(
      matchId: created.match.matchId,
      seat: seat,
      move: found.moves.first,
      expectedRevision: found.revision,
    );
    final key = created.seatKeys.firstWhere((one) => one.seat == seat).key;
    printRefusals((await matches.playMove(move, options: withKey(key))).refusals);
  }
  print('match: ${created.match.matchId}');
  await channel.shutdown();
}
