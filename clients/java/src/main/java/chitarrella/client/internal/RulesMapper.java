package chitarrella.client.internal;

import chitarrella.client.answers.Catalogue.Audience;
import chitarrella.client.answers.Catalogue.Card;
import chitarrella.client.answers.Catalogue.Edition;
import chitarrella.client.answers.Catalogue.EventSpec;
import chitarrella.client.answers.Catalogue.Family;
import chitarrella.client.answers.Catalogue.Game;
import chitarrella.client.answers.Catalogue.GameSummary;
import chitarrella.client.answers.Catalogue.MoveSpec;
import chitarrella.client.answers.Catalogue.Option;
import chitarrella.client.answers.Catalogue.OptionType;
import chitarrella.client.answers.Catalogue.Partnership;
import chitarrella.client.answers.Catalogue.ReasonCode;
import chitarrella.client.answers.Catalogue.ScoreDirection;
import chitarrella.client.answers.Catalogue.Suit;
import chitarrella.client.answers.Catalogue.ZoneSpec;
import chitarrella.client.answers.Positions.Position;
import chitarrella.client.answers.RulesAnswers.AppliedMoves;
import chitarrella.client.answers.RulesAnswers.CardScores;
import chitarrella.client.answers.RulesAnswers.ChanceRequest;
import chitarrella.client.answers.RulesAnswers.ExplainedHand;
import chitarrella.client.answers.RulesAnswers.GameStart;
import chitarrella.client.answers.RulesAnswers.LegalMoves;
import chitarrella.client.answers.RulesAnswers.MovePenalty;
import chitarrella.client.answers.RulesAnswers.MoveValidation;
import chitarrella.client.answers.RulesAnswers.Score;
import chitarrella.client.answers.RulesAnswers.TrickResult;
import chitarrella.client.table.Refusal.Verdict;
import chitarrella.v1.ApplyMovesResponse;
import chitarrella.v1.ExplainHandResponse;
import chitarrella.v1.GetGameResponse;
import chitarrella.v1.ListLegalMovesResponse;
import chitarrella.v1.ResolveTrickResponse;
import chitarrella.v1.ScoreCardsResponse;
import chitarrella.v1.StartGameResponse;
import chitarrella.v1.ValidateMoveResponse;
import java.util.List;

/** Converts responses about games and positions. */
public final class RulesMapper {
  private RulesMapper() {}

  private static Position position(chitarrella.v1.Position m) {
    return new Position(Mapper.ruleSet(m.getRuleSet()), m.getText());
  }

  private static ChanceRequest chanceRequest(chitarrella.v1.ChanceRequest m) {
    return new ChanceRequest(
        m.getVerb(), List.copyOf(m.getCardsList()), List.copyOf(m.getAmountsList()));
  }

  /** Converts an initial position. */
  public static GameStart gameStart(StartGameResponse m) {
    return new GameStart(
        position(m.getPosition()),
        m.hasChanceRequest() ? chanceRequest(m.getChanceRequest()) : null,
        Mapper.view(m.getView()));
  }

  /** Converts legal moves. */
  public static LegalMoves legalMoves(ListLegalMovesResponse m) {
    return new LegalMoves(
        Mapper.moves(m.getMovesList()),
        m.hasSeat() ? m.getSeat() : null,
        m.hasChanceRequest() ? chanceRequest(m.getChanceRequest()) : null,
        Mapper.explained(m.getUndecidedList()),
        List.copyOf(m.getDependsOnList()));
  }

  /** Converts an explained hand. */
  public static ExplainedHand explainedHand(ExplainHandResponse m) {
    return new ExplainedHand(
        Mapper.explained(m.getMovesList()),
        m.hasSeat() ? m.getSeat() : null,
        List.copyOf(m.getDependsOnList()));
  }

  /** Converts the validation of a move. */
  public static MoveValidation moveValidation(ValidateMoveResponse m) {
    return new MoveValidation(
        Mapper.known(m.getVerdictValue(), Verdict.values()),
        Mapper.refusals(m.getRefusalsList()),
        List.copyOf(m.getDependsOnList()));
  }

  /** Converts the result of moves. */
  public static AppliedMoves appliedMoves(ApplyMovesResponse m) {
    return new AppliedMoves(
        position(m.getPosition()),
        m.getApplied(),
        Mapper.refusals(m.getRefusalsList()),
        m.getPenaltiesList().stream().map(RulesMapper::movePenalty).toList(),
        Mapper.events(m.getEventsList()),
        Mapper.view(m.getView()),
        m.hasChanceRequest() ? chanceRequest(m.getChanceRequest()) : null,
        List.copyOf(m.getPointsList()),
        Mapper.moves(m.getLegalMovesList()));
  }

  private static MovePenalty movePenalty(chitarrella.v1.MovePenalty m) {
    return new MovePenalty(m.getIndex(), Mapper.refusals(m.getRefusalsList()));
  }

  /** Converts the winner of a trick. */
  public static TrickResult trickResult(ResolveTrickResponse m) {
    return new TrickResult(
        m.hasWinningIndex() ? m.getWinningIndex() : null,
        m.getWinningCard(),
        scores(m.getScoresList()),
        List.copyOf(m.getDependsOnList()));
  }

  /** Converts what cards count. */
  public static CardScores cardScores(ScoreCardsResponse m) {
    return new CardScores(scores(m.getScoresList()), List.copyOf(m.getDependsOnList()));
  }

  private static List<Score> scores(List<chitarrella.v1.Score> scores) {
    return scores.stream().map(m -> new Score(m.getName(), m.getValue())).toList();
  }

  /** Converts an entry of the list of games. */
  public static GameSummary summary(chitarrella.v1.GameSummary m) {
    return new GameSummary(
        m.getGameId(),
        m.getTitle(),
        m.getPlace(),
        List.copyOf(m.getPlayersList()),
        m.getDefaultPlayers(),
        m.getPack(),
        List.copyOf(m.getSourcesList()),
        m.getEdition(),
        m.getDistribution(),
        m.getVersion(),
        Mapper.known(m.getFamilyValue(), Family.values()),
        m.getDescription(),
        List.copyOf(m.getLanguagesList()),
        Mapper.known(m.getScoreDirectionValue(), ScoreDirection.values()));
  }

  /** Converts a game. */
  public static Game game(GetGameResponse m) {
    return new Game(
        summary(m.getSummary()),
        List.copyOf(m.getPackList()),
        m.getOptionsList().stream().map(RulesMapper::option).toList(),
        m.getMovesList().stream().map(RulesMapper::moveSpec).toList(),
        m.getReasonsList().stream()
            .map(one -> new ReasonCode(one.getCode(), one.getText(), one.getClauseKey()))
            .toList(),
        m.getClausesList().stream().map(Mapper::clause).toList(),
        m.getEditionsList().stream()
            .map(one -> new Edition(one.getNumber(), one.getChanges(), one.getSupported()))
            .toList(),
        m.getCardsList().stream().map(RulesMapper::card).toList(),
        m.getSuitsList().stream().map(one -> new Suit(one.getCode(), one.getName())).toList(),
        m.getPartnershipsList().stream().map(RulesMapper::partnership).toList(),
        m.getZonesList().stream().map(RulesMapper::zone).toList(),
        m.getEventsList().stream()
            .map(
                one ->
                    new EventSpec(
                        one.getKind(), one.getDescription(), List.copyOf(one.getFieldsList())))
            .toList());
  }

  private static ZoneSpec zone(chitarrella.v1.ZoneSpec m) {
    return new ZoneSpec(
        m.getName(), m.getDescription(), Mapper.known(m.getSeenByValue(), Audience.values()));
  }

  private static Card card(chitarrella.v1.Card m) {
    return new Card(
        m.getCode(),
        m.getName(),
        m.getSuit(),
        m.getRank(),
        m.getOrder(),
        m.hasPoints() ? m.getPoints() : null,
        m.getCopies(),
        m.getPicturePath());
  }

  private static Partnership partnership(chitarrella.v1.Partnership m) {
    return new Partnership(
        m.getPlayers(),
        m.getSidesList().stream().map(side -> List.copyOf(side.getSeatsList())).toList());
  }

  private static Option option(chitarrella.v1.Option m) {
    return new Option(
        m.getName(),
        m.getDescription(),
        m.getSource(),
        m.getDefault(),
        List.copyOf(m.getChoicesList()),
        m.hasMinimum() ? m.getMinimum() : null,
        m.hasMaximum() ? m.getMaximum() : null,
        Mapper.known(m.getTypeValue(), OptionType.values()),
        m.getLabel(),
        List.copyOf(m.getPlayersList()));
  }

  private static MoveSpec moveSpec(chitarrella.v1.MoveSpec m) {
    return new MoveSpec(
        m.getVerb(),
        m.getDescription(),
        List.copyOf(m.getPhasesList()),
        m.getMinCards(),
        m.getMaxCards(),
        List.copyOf(m.getChoicesList()),
        m.getTakesAmount(),
        m.getTakesDummySeat(),
        m.getTakesShares(),
        m.getOutOfTurn(),
        m.getByChance(),
        m.getTimeoutDefault(),
        m.getNotation());
  }
}
