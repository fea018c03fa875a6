package chitarrella.client.table;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * The amount of a person: a seat by its number, anybody else by name.
 *
 * @param person the number of a seat, such as "3", or a name
 * @param amount in points, in percent, or in the smallest unit of money
 */
public record Share(String person, long amount) {

  /** The notation, without blanks: {@code 3:200}, {@code Anna%20Maria:100}. */
  @Override
  public String toString() {
    return URLEncoder.encode(person, StandardCharsets.UTF_8).replace("+", "%20") + ":" + amount;
  }
}
