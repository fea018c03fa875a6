// Errors out of failed calls.
package chitarrella.client.internal;

import chitarrella.client.errors.AlreadyExistsException;
import chitarrella.client.errors.BadRequestException;
import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.errors.FaultException;
import chitarrella.client.errors.NotAllowedException;
import chitarrella.client.errors.NotAuthenticatedException;
import chitarrella.client.errors.NotFoundException;
import chitarrella.client.errors.NotPossibleNowException;
import chitarrella.client.errors.StaleRevisionException;
import chitarrella.client.errors.TimedOutException;
import chitarrella.client.errors.TooMuchException;
import chitarrella.client.errors.Trouble;
import chitarrella.client.errors.UnavailableException;
import chitarrella.client.errors.Violation;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes an error of a failed call, from the details that the service sends or else from the bare
 * status.
 */
public final class Failures {
  private static final String DOMAIN = "chitarrella";

  private Failures() {}

  /**
   * Reads a failed call, which becomes the cause; {@code requestId} is that of the request, empty
   * for none.
   */
  public static ChitarrellaException read(Exception problem, String requestId) {
    var status = Status.fromThrowable(problem);
    var error = made(trouble(status, Status.trailersFromThrowable(problem), requestId));
    error.initCause(problem);
    return error;
  }

  private static Trouble trouble(Status status, @Nullable Metadata trailers, String requestId) {
    var details = details(status, trailers);
    var info = find(details, ErrorInfo.class, ErrorInfo.getDefaultInstance());
    var ours = info.getDomain().equals(DOMAIN);
    Map<String, String> particulars = ours ? new HashMap<>(info.getMetadataMap()) : new HashMap<>();
    var field = particulars.remove("field");
    var violations = violations(details);
    if (field == null) {
      field = violations.isEmpty() ? "" : violations.get(0).field();
    }
    var code = ours ? info.getReason() : name(status.getCode());
    var because = status.getDescription() == null ? code : status.getDescription();
    return new Trouble(
        code,
        because,
        field,
        violations,
        Map.copyOf(particulars),
        status.getCode(),
        requestId,
        ours);
  }

  /** Makes the error of the class that stands for the status. */
  private static ChitarrellaException made(Trouble trouble) {
    var status = trouble.status();
    if (status == null) {
      return new ChitarrellaException(trouble);
    }
    return switch (status) {
      case INVALID_ARGUMENT -> new BadRequestException(trouble);
      case UNAUTHENTICATED -> new NotAuthenticatedException(trouble);
      case PERMISSION_DENIED -> new NotAllowedException(trouble);
      case NOT_FOUND -> new NotFoundException(trouble);
      case FAILED_PRECONDITION -> new NotPossibleNowException(trouble);
      case ABORTED -> new StaleRevisionException(trouble);
      case ALREADY_EXISTS -> new AlreadyExistsException(trouble);
      case RESOURCE_EXHAUSTED -> new TooMuchException(trouble);
      case UNAVAILABLE -> new UnavailableException(trouble);
      case DEADLINE_EXCEEDED -> new TimedOutException(trouble);
      case INTERNAL, UNKNOWN -> new FaultException(trouble);
      default -> new ChitarrellaException(trouble);
    };
  }

  private static String name(Status.Code code) {
    return code.name().toLowerCase(Locale.ROOT);
  }

  private static List<Violation> violations(List<Any> details) {
    return find(details, BadRequest.class, BadRequest.getDefaultInstance())
        .getFieldViolationsList()
        .stream()
        .map(one -> new Violation(one.getField(), one.getDescription()))
        .toList();
  }

  private static List<Any> details(Status status, @Nullable Metadata trailers) {
    var said = trailers == null ? null : StatusProto.fromStatusAndTrailers(status, trailers);
    return said == null ? List.of() : said.getDetailsList();
  }

  private static <M extends Message> M find(List<Any> details, Class<M> kind, M none) {
    for (var detail : details) {
      if (detail.is(kind)) {
        try {
          return detail.unpack(kind);
        } catch (InvalidProtocolBufferException broken) {
          return none; // somebody on the way has changed it
        }
      }
    }
    return none;
  }
}
