/** The exceptions: one for each gRPC status, with the codes of the service. */
@NullMarked
package chitarrella.client.errors;

import org.jspecify.annotations.NullMarked;
