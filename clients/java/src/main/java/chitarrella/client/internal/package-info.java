/** What the client is made of; no part of the API, and free to change. */
@NullMarked
package chitarrella.client.internal;

import org.jspecify.annotations.NullMarked;
