/**
 * A client for Chitarrella, the rules of regional card games as a service; see {@link
 * chitarrella.client.Chitarrella}.
 */
@NullMarked
package chitarrella.client;

import org.jspecify.annotations.NullMarked;
