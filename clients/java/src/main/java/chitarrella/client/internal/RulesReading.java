// Values out of messages: positions, and the catalogue.
package chitarrella.client.internal;

import chitarrella.client.answers.Comparison;
import chitarrella.client.answers.Difference;
import chitarrella.client.answers.Edition;
import chitarrella.client.answers.ExplainedHand;
import chitarrella.client.answers.Game;
import chitarrella.client.answers.GameSummary;
import chitarrella.client.answers.LegalMoves;
import chitarrella.client.answers.MoveForm;
import chitarrella.client.answers.Option;
import chitarrella.client.answers.PlayedMoves;
import chitarrella.client.answers.Position;
import chitarrella.client.answers.ReasonCode;
import chitarrella.client.answers.Start;
import chitarrella.client.answers.Tally;
import chitarrella.client.answers.Trick;
import chitarrella.client.answers.Verdict;
import chitarrella.client.answers.Wanted;
import chitarrella.v1.CompareGamesResponse;
import chitarrella.v1.ExplainHandResponse;
import chitarrella.v1.GetGameResponse;
import chitarrella.v1.JudgeResponse;
import chitarrella.v1.ListLegalMovesResponse;
import chitarrella.v1.PlayMovesResponse;
import chitarrella.v1.ResolveTrickResponse;
import chitarrella.v1.StartGameResponse;
import java.util.List;

/** Reads what is answered about games and positions. */
public final class RulesReading {
  private RulesReading() {}

  private static Position position(chitarrella.v1.Position m) {
    return new Position(TableReading.agreement(m.getAgreement()), m.getLine());
  }

  private static Wanted wanted(chitarrella.v1.Wanted m) {
    return new Wanted(m.getVerb(), List.copyOf(m.getCardsList()), List.copyOf(m.getAmountsList()));
  }

  /** Reads a beginning. */
  public static Start start(StartGameResponse m) {
    return new Start(
        position(m.getPosition()),
        m.hasWanted() ? wanted(m.getWanted()) : null,
        TableReading.view(m.getView()));
  }

  /** Reads what may be done. */
  public static LegalMoves legalMoves(ListLegalMovesResponse m) {
    return new LegalMoves(
        TableReading.moves(m.getMovesList()),
        m.hasSeat() ? m.getSeat() : null,
        m.hasWanted() ? wanted(m.getWanted()) : null);
  }

  /** Reads a hand explained. */
  public static ExplainedHand hand(ExplainHandResponse m) {
    return new ExplainedHand(
        TableReading.explained(m.getMovesList()), m.hasSeat() ? m.getSeat() : null);
  }

  /** Reads a verdict. */
  public static Verdict verdict(JudgeResponse m) {
    return new Verdict(m.getAccepted(), TableReading.refusals(m.getRefusalsList()));
  }

  /** Reads what came of moves. */
  public static PlayedMoves playedMoves(PlayMovesResponse m) {
    return new PlayedMoves(
        position(m.getPosition()),
        m.getPlayed(),
        TableReading.refusals(m.getRefusalsList()),
        TableReading.events(m.getEventsList()),
        TableReading.view(m.getView()),
        m.hasWanted() ? wanted(m.getWanted()) : null,
        List.copyOf(m.getPointsList()));
  }

  /** Reads who takes a trick. */
  public static Trick trick(ResolveTrickResponse m) {
    return new Trick(m.getPlace(), m.getCard(), tallies(m.getTalliesList()));
  }

  /** Reads what a pile is worth. */
  public static List<Tally> tallies(List<chitarrella.v1.Tally> tallies) {
    return tallies.stream().map(m -> new Tally(m.getName(), m.getNumber())).toList();
  }

  /** Reads a game in one line. */
  public static GameSummary summary(chitarrella.v1.GameSummary m) {
    return new GameSummary(
        m.getGame(),
        m.getTitle(),
        m.getPlace(),
        List.copyOf(m.getPlayersList()),
        m.getDefaultPlayers(),
        m.getPack(),
        List.copyOf(m.getSourcesList()),
        m.getEdition());
  }

  /** Reads a game. */
  public static Game game(GetGameResponse m) {
    return new Game(
        summary(m.getSummary()),
        List.copyOf(m.getPackList()),
        m.getOptionsList().stream().map(RulesReading::option).toList(),
        m.getMovesList().stream().map(RulesReading::form).toList(),
        m.getReasonsList().stream()
            .map(one -> new ReasonCode(one.getCode(), one.getSays(), one.getClause()))
            .toList(),
        m.getClausesList().stream().map(TableReading::clause).toList(),
        m.getEditionsList().stream()
            .map(one -> new Edition(one.getNumber(), one.getChanges(), one.getKept()))
            .toList());
  }

  private static Option option(chitarrella.v1.Option m) {
    return new Option(
        m.getName(),
        m.getMeans(),
        m.getSource(),
        m.getDefault(),
        List.copyOf(m.getWordsList()),
        m.hasLeast() ? m.getLeast() : null,
        m.hasMost() ? m.getMost() : null);
  }

  private static MoveForm form(chitarrella.v1.MoveForm m) {
    return new MoveForm(
        m.getVerb(),
        m.getMeans(),
        List.copyOf(m.getPhasesList()),
        m.getLeastCards(),
        m.getMostCards(),
        List.copyOf(m.getWordsList()),
        m.getAmount(),
        m.getSeat(),
        m.getShares(),
        m.getOutOfTurn(),
        m.getByTable(),
        m.getLapse());
  }

  /** Reads what differs. */
  public static Comparison comparison(CompareGamesResponse m) {
    return new Comparison(
        m.getDifferencesList().stream().map(RulesReading::difference).toList(),
        m.getClausesAlike());
  }

  private static Difference difference(chitarrella.v1.Difference m) {
    return new Difference(
        m.getAbout(),
        m.getName(),
        m.getFirst(),
        m.getSecond(),
        m.hasFirstClause() ? TableReading.clause(m.getFirstClause()) : null,
        m.hasSecondClause() ? TableReading.clause(m.getSecondClause()) : null);
  }
}
