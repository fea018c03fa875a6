package chitarrella.client.internal;

import chitarrella.client.errors.ChitarrellaException;
import chitarrella.client.errors.ChitarrellaException.AlreadyExistsException;
import chitarrella.client.errors.ChitarrellaException.BadRequestException;
import chitarrella.client.errors.ChitarrellaException.InternalException;
import chitarrella.client.errors.ChitarrellaException.NotAllowedException;
import chitarrella.client.errors.ChitarrellaException.NotAuthenticatedException;
import chitarrella.client.errors.ChitarrellaException.NotFoundException;
import chitarrella.client.errors.ChitarrellaException.NotPossibleNowException;
import chitarrella.client.errors.ChitarrellaException.ResourceExhaustedException;
import chitarrella.client.errors.ChitarrellaException.StaleRevisionException;
import chitarrella.client.errors.ChitarrellaException.TimedOutException;
import chitarrella.client.errors.ChitarrellaException.UnavailableException;
import chitarrella.client.errors.ErrorDetails;
import chitarrella.client.errors.ErrorDetails.Violation;
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

/** Converts failed calls to exceptions, with the error details of the service if there are any. */
public final class ErrorMapper {
  private static final String DOMAIN = "chitarrella";

  private ErrorMapper() {}

  /** Converts a failed call; {@code requestId} is that of the request, empty for none. */
  public static ChitarrellaException map(Exception exception, String requestId) {
    var status = Status.fromThrowable(exception);
    var details = statusDetails(status, Status.trailersFromThrowable(exception));
    var wrong = wrongTarget(exception);
    var error =
        wrong != null
            ? new BadRequestException(ErrorDetails.mistake("target", wrong))
            : exceptionFor(errorDetails(status, details, requestId));
    error.initCause(exception);
    return error;
  }

  /**
   * What is wrong with a target where calls fail in this way; null for any other failure. Classes
   * of the transport are known by name, because it is there only when the client runs.
   */
  private static @Nullable String wrongTarget(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      switch (cause.getClass().getSimpleName()) {
        case "NotSslRecordException":
          return "The target does not speak TLS, which tls() enables.";
        case "Http2Exception":
          return "The target does not speak gRPC, or needs tls(): REST has another port.";
        default:
      }
    }
    return null;
  }

  /** Converts the error of one item of a batch. */
  static ChitarrellaException map(com.google.rpc.Status m) {
    var status = Status.fromCodeValue(m.getCode()).withDescription(m.getMessage());
    return exceptionFor(errorDetails(status, m.getDetailsList(), ""));
  }

  private static ErrorDetails errorDetails(Status status, List<Any> details, String requestId) {
    var info = find(details, ErrorInfo.class, ErrorInfo.getDefaultInstance());
    var fromService = info.getDomain().equals(DOMAIN);
    Map<String, String> metadata =
        fromService ? new HashMap<>(info.getMetadataMap()) : new HashMap<>();
    var field = metadata.remove("field");
    var violations = violations(details);
    if (field == null) {
      field = violations.isEmpty() ? "" : violations.get(0).field();
    }
    var code = fromService ? info.getReason() : codeOf(status.getCode());
    var message = status.getDescription() == null ? code : status.getDescription();
    return new ErrorDetails(
        code,
        message,
        field,
        violations,
        Map.copyOf(metadata),
        status.getCode(),
        requestId,
        fromService);
  }

  /** The exception of the class for the status. */
  private static ChitarrellaException exceptionFor(ErrorDetails details) {
    var status = details.status();
    if (status == null) {
      return new ChitarrellaException(details);
    }
    return switch (status) {
      case INVALID_ARGUMENT -> new BadRequestException(details);
      case UNAUTHENTICATED -> new NotAuthenticatedException(details);
      case PERMISSION_DENIED -> new NotAllowedException(details);
      case NOT_FOUND -> new NotFoundException(details);
      case FAILED_PRECONDITION -> new NotPossibleNowException(details);
      case ABORTED -> new StaleRevisionException(details);
      case ALREADY_EXISTS -> new AlreadyExistsException(details);
      case RESOURCE_EXHAUSTED -> new ResourceExhaustedException(details);
      case UNAVAILABLE -> new UnavailableException(details);
      case DEADLINE_EXCEEDED -> new TimedOutException(details);
      case INTERNAL, UNKNOWN -> new InternalException(details);
      default -> new ChitarrellaException(details);
    };
  }

  private static String codeOf(Status.Code code) {
    return code.name().toLowerCase(Locale.ROOT);
  }

  private static List<Violation> violations(List<Any> details) {
    return find(details, BadRequest.class, BadRequest.getDefaultInstance())
        .getFieldViolationsList()
        .stream()
        .map(one -> new Violation(one.getField(), one.getDescription()))
        .toList();
  }

  private static List<Any> statusDetails(Status status, @Nullable Metadata trailers) {
    var message = trailers == null ? null : StatusProto.fromStatusAndTrailers(status, trailers);
    return message == null ? List.of() : message.getDetailsList();
  }

  private static <M extends Message> M find(List<Any> details, Class<M> kind, M none) {
    for (var detail : details) {
      if (detail.is(kind)) {
        try {
          return detail.unpack(kind);
        } catch (InvalidProtocolBufferException broken) {
          return none; // changed on the way
        }
      }
    }
    return none;
  }
}
