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

/** Converts responses about games and positions. */
public final class RulesMapper {
  private RulesMapper() {}

  private static Position position(chitarrella.v1.Position m) {
    return new Position(TableMapper.agreement(m.getAgreement()), m.getLine());
  }

  private static Wanted wanted(chitarrella.v1.Wanted m) {
    return new Wanted(m.getVerb(), List.copyOf(m.getCardsList()), List.copyOf(m.getAmountsList()));
  }

  /** Converts an initial position. */
  public static Start start(StartGameResponse m) {
    return new Start(
        position(m.getPosition()),
        m.hasWanted() ? wanted(m.getWanted()) : null,
        TableMapper.view(m.getView()));
  }

  /** Converts legal moves. */
  public static LegalMoves legalMoves(ListLegalMovesResponse m) {
    return new LegalMoves(
        TableMapper.moves(m.getMovesList()),
        m.hasSeat() ? m.getSeat() : null,
        m.hasWanted() ? wanted(m.getWanted()) : null);
  }

  /** Converts an explained hand. */
  public static ExplainedHand hand(ExplainHandResponse m) {
    return new ExplainedHand(
        TableMapper.explained(m.getMovesList()), m.hasSeat() ? m.getSeat() : null);
  }

  /** Converts a verdict. */
  public static Verdict verdict(JudgeResponse m) {
    return new Verdict(m.getAccepted(), TableMapper.refusals(m.getRefusalsList()));
  }

  /** Converts the result of moves. */
  public static PlayedMoves playedMoves(PlayMovesResponse m) {
    return new PlayedMoves(
        position(m.getPosition()),
        m.getPlayed(),
        TableMapper.refusals(m.getRefusalsList()),
        TableMapper.events(m.getEventsList()),
        TableMapper.view(m.getView()),
        m.hasWanted() ? wanted(m.getWanted()) : null,
        List.copyOf(m.getPointsList()));
  }

  /** Converts the winner of a trick. */
  public static Trick trick(ResolveTrickResponse m) {
    return new Trick(m.getPlace(), m.getCard(), tallies(m.getTalliesList()));
  }

  /** Converts counts. */
  public static List<Tally> tallies(List<chitarrella.v1.Tally> tallies) {
    return tallies.stream().map(m -> new Tally(m.getName(), m.getNumber())).toList();
  }

  /** Converts an entry of the list of games. */
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

  /** Converts a game. */
  public static Game game(GetGameResponse m) {
    return new Game(
        summary(m.getSummary()),
        List.copyOf(m.getPackList()),
        m.getOptionsList().stream().map(RulesMapper::option).toList(),
        m.getMovesList().stream().map(RulesMapper::form).toList(),
        m.getReasonsList().stream()
            .map(one -> new ReasonCode(one.getCode(), one.getSays(), one.getClause()))
            .toList(),
        m.getClausesList().stream().map(TableMapper::clause).toList(),
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

  /** Converts a comparison. */
  public static Comparison comparison(CompareGamesResponse m) {
    return new Comparison(
        m.getDifferencesList().stream().map(RulesMapper::difference).toList(), m.getClausesAlike());
  }

  private static Difference difference(chitarrella.v1.Difference m) {
    return new Difference(
        m.getAbout(),
        m.getName(),
        m.getFirst(),
        m.getSecond(),
        m.hasFirstClause() ? TableMapper.clause(m.getFirstClause()) : null,
        m.hasSecondClause() ? TableMapper.clause(m.getSecondClause()) : null);
  }
}
