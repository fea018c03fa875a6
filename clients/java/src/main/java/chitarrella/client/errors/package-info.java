/** The family of errors: one exception for each kind of trouble, under the service's own codes. */
@NullMarked
package chitarrella.client.errors;

import org.jspecify.annotations.NullMarked;
