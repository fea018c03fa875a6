import chitarrella.client.Chitarrella;
import chitarrella.client.PlayOptions;
import chitarrella.client.table.RuleSet;

public class Main {
  public static void main(String[] args) {
    try (var client = Chitarrella.connect(args[0])) {
      var match = client.createMatch(RuleSet.of("briscola", 2));
      for (var now = match.legalMoves(); now.seat() != null; now = match.legalMoves()) {
        match.asSeat(now.seat()).play(now.moves().get(0), PlayOptions.at(now.revision()));
      }
      System.out.println(match.id());
    }
  }
}
